// FrameCache: the events of watches, encoded once for all watchers that see the same.
//
//   auto frame = frames.get({.revision = 7, .resource = &pods, .form = "json"}, [&] { return encode(change); });
//
// Holds the latest few thousand, by number and by bytes: whoever lags further behind encodes for itself.
//
// Thread-safety: may be used from any thread.
#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "flyball/apiserver/store.hpp"
#include "flyball/base/mutex.hpp"

namespace flyball::apiserver {

struct FrameKey {
  Revision revision = 0;
  const void* resource = nullptr;  // the version it is shown in
  std::string form = {};           // the event's type, format and projection
  friend auto operator<=>(const FrameKey&, const FrameKey&) = default;
};

class FrameCache {
 public:
  using Frame = std::shared_ptr<const std::string>;

  Frame get(const FrameKey& key, const std::function<std::string()>& make);

 private:
  static constexpr std::size_t kMostFrames = 4096;
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20U;

  Mutex mutex_;
  std::map<FrameKey, Frame> frames_ FLYBALL_GUARDED_BY(mutex_);
  std::deque<FrameKey> order_ FLYBALL_GUARDED_BY(mutex_);
  std::size_t bytes_ FLYBALL_GUARDED_BY(mutex_) = 0;
};

}  // namespace flyball::apiserver
