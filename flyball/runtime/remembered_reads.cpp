#include "flyball/runtime/remembered_reads.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>

namespace flyball::runtime {

ReadSet RememberedReads::begin(const Key& key) {
  MutexLock lock(mutex_);
  [[maybe_unused]] const bool fresh = open_.emplace(key, changes()).second;
  assert(fresh && "one pass at a time per key");
  return {*this, key, changes()};
}

std::vector<Cause> RememberedReads::finish(ReadSet reads) { return end(reads, false); }

std::vector<Cause> RememberedReads::abandon(ReadSet reads) { return end(reads, true); }

std::vector<Cause> RememberedReads::end(ReadSet& reads, bool failed) {
  reads.remembered_ = nullptr;
  MutexLock lock(mutex_);
  auto causes = touched_since(reads, failed);
  if (failed)
    index_.add(reads.key_, reads.reads_);
  else
    index_.replace(reads.key_, reads.reads_);
  open_.erase(reads.key_);
  auto oldest = std::numeric_limits<std::uint64_t>::max();
  for (const auto& [key, begun] : open_) oldest = std::min(oldest, begun);
  log_.drop_until(oldest);
  return causes;
}

std::vector<Cause> RememberedReads::touched_since(ReadSet& reads, bool failed) {
  std::vector<Cause> causes;
  if (!log_.complete_after(reads.begun_)) causes.push_back({.reason = "more changes than are kept"});
  for (const detail::KeptChange& change : log_.changes()) {
    if (change.number() <= reads.begun_) continue;
    if (change.writer() == reads.key_) continue;
    const auto echo = [&](const Write& write) { return change.is_echo_of(write); };
    if (std::erase_if(reads.writes_, echo) > 0 && !change.is_no_echo()) continue;
    const auto changed_after = [&](const auto& read) {
      return read.second.seen < change.number() && change.touches(read.second);
    };
    const bool touched = std::ranges::any_of(reads.reads_, changed_after) ||
                         (failed && index_.reads(reads.key_, change.kind(), change.before(), change.after()));
    if (touched) causes.push_back(change.cause());
  }
  for (const Write& write : reads.writes_) echoes_.expect(reads.key_, write);
  return causes;
}

void RememberedReads::forget(const Key& key) {
  MutexLock lock(mutex_);
  index_.forget(key);
}

std::vector<Key> RememberedReads::woken_by(const Change& change) {
  assert(change.before != nullptr || change.after != nullptr);
  MutexLock lock(mutex_);
  const std::uint64_t number = changes() + 1;
  changes_.store(number, std::memory_order_release);
  auto writer = echoes_.take(detail::as_write(change.kind, change.before, change.after));
  // One that was going for a while went by somebody else's doing, when the last finalizer or the grace was over.
  const bool was_going = change.after == nullptr && change.before->deletion_timestamp.has_value();
  const bool no_echo = change.leap || was_going;
  if (no_echo) writer.reset();
  auto keys = index_.readers(change.kind, change.before, change.after);
  std::erase_if(keys, [&](const Key& key) FLYBALL_REQUIRES(mutex_) { return key == writer || open_.contains(key); });
  if (!open_.empty()) log_.add({number, change.kind, change.before, change.after, std::move(writer), no_echo});
  return keys;
}

void RememberedReads::written(const Key& key, const Write& write) {
  MutexLock lock(mutex_);
  echoes_.expect(key, write);
}

bool RememberedReads::knows(const Key& key) const {
  MutexLock lock(mutex_);
  return open_.contains(key) || index_.contains(key);
}

std::size_t RememberedReads::keys() const {
  MutexLock lock(mutex_);
  return index_.keys();
}

std::size_t RememberedReads::reads() const {
  MutexLock lock(mutex_);
  return index_.points();
}

}  // namespace flyball::runtime
