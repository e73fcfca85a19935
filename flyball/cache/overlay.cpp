#include "flyball/cache/detail/overlay.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "flyball/cache/version.hpp"

namespace flyball::cache::detail {
namespace {

std::size_t bytes_of(const Written& written) {
  return sizeof(Written) + (written.object ? sizeof(WrittenObject) + written.object->bytes.capacity() : 0);
}

}  // namespace

void Overlay::add(const kube::ObjectKey& key, Written written) {
  bytes_ += bytes_of(written);
  if (written.end != UINT64_MAX) ended_ = true;
  writes_[key].push_back(std::move(written));
}

std::size_t Overlay::count() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(writes_, [](const auto& of) { return newest(of.second, UINT64_MAX - 1, 0) != nullptr; }));
}

const Written* Overlay::newest(const std::vector<Written>& writes, std::uint64_t epoch, std::uint64_t reader) {
  for (const Written& written : std::ranges::reverse_view(writes)) {
    const bool seen = written.begin <= epoch || (reader != 0 && written.writer == reader);
    if (seen && written.end > epoch) return &written;
  }
  return nullptr;
}

const Written* Overlay::find(const kube::ObjectKey& key, std::uint64_t epoch, std::uint64_t reader) const {
  const auto found = writes_.find(key);
  return found == writes_.end() ? nullptr : newest(found->second, epoch, reader);
}

std::vector<std::shared_ptr<const WrittenObject>> Overlay::caught_up(
    std::string_view in_namespace, std::uint64_t version, std::uint64_t epoch,
    const std::function<bool(const kube::ObjectKey&, std::uint32_t uid)>& is_there) {
  std::vector<std::shared_ptr<const WrittenObject>> unseen;
  for (auto& [key, writes] : writes_) {
    if (!in_namespace.empty() && key.namespace_ != in_namespace) continue;
    for (Written& written : writes) {
      if (written.end <= epoch || !is_ordered(written.version) || !at_least(version, written.version)) continue;
      if (written.deleted && is_there(key, written.uid)) continue;
      written.end = epoch;
      ended_ = true;
      if (written.object != nullptr && !is_there(key, written.uid)) unseen.push_back(written.object);
    }
  }
  return unseen;
}

void Overlay::told(const kube::ObjectKey& key, const Told& what, std::uint64_t epoch) {
  const auto found = writes_.find(key);
  if (found == writes_.end()) return;
  for (Written& written : found->second) {
    if (written.end <= epoch) continue;
    // A delete is over when that very object has gone, or is seen to wait for its end; a write when the watch is as
    // far, or when nobody can say.
    const bool same = written.uid == what.uid;
    const bool over = written.deleted ? what.gone == same || what.going
                                      : at_least(what.version, written.version) || !is_ordered(written.version) ||
                                            !is_ordered(what.version);
    if (!over) continue;
    written.end = epoch;
    ended_ = true;
  }
}

void Overlay::reclaim(std::uint64_t oldest) {
  if (!ended_) return;
  ended_ = false;
  for (auto at = writes_.begin(); at != writes_.end();) {
    std::erase_if(at->second, [&](const Written& written) {
      const bool over = written.end <= oldest;
      if (over) bytes_ -= bytes_of(written);
      if (!over && written.end != UINT64_MAX) ended_ = true;
      return over;
    });
    at = at->second.empty() ? writes_.erase(at) : std::next(at);
  }
}

}  // namespace flyball::cache::detail
