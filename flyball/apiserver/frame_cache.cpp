#include "flyball/apiserver/frame_cache.hpp"

#include <utility>

namespace flyball::apiserver {

FrameCache::Frame FrameCache::get(const FrameKey& key, const std::function<std::string()>& make) {
  {
    const MutexLock lock(mutex_);
    if (const auto found = frames_.find(key); found != frames_.end()) return found->second;
  }
  auto frame = std::make_shared<const std::string>(make());
  const MutexLock lock(mutex_);
  const auto [at, is_new] = frames_.emplace(key, frame);
  if (!is_new) return at->second;
  order_.push_back(key);
  bytes_ += frame->size();
  while (order_.size() > kMostFrames || bytes_ > kMostBytes) {
    const auto oldest = frames_.find(order_.front());
    bytes_ -= oldest->second->size();
    frames_.erase(oldest);
    order_.pop_front();
  }
  return frame;
}

}  // namespace flyball::apiserver
