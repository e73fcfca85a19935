// RememberedReads: what the last pass over each key has read, so that a change wakes exactly the keys it concerns.
//
//   RememberedReads remembered;
//
//   ReadSet reads = remembered.begin(key);                    // a pass begins
//   reads.list(kPod, "shop", Selector::parse("app=web"));     // said before each read: read_set.hpp
//   …
//   for (Cause& cause : remembered.finish(std::move(reads))) queue.add(key, cause);     // it changed under us
//
//   // From the watch, after the cache has the change:
//   for (const Key& woken : remembered.woken_by({kPod, &before, &after})) queue.add(woken, cause);
//
// What wakes a key: a change of an object it read by name, also of one that was not there; a change of an object that a
// selector it listed by matches before or after; a change of an object that has, before or after, an owner whose
// children it listed. Nothing else does. What a pass read is taken over at its end, in one step; a change that comes
// while it runs is held against what it has read by then, and finish() says so.
//
// A write of a pass does not wake its own key, exactly once per version written; other keys that read the object are
// woken, as by any change. The echo may come before the answer to the write, or after the pass. A change that was not
// watched but found by a list is no echo: what others did before the write would be missed. Nor is the end of an object
// that had to wait for finalizers or its grace, whoever deleted it.
//
// Cost: woken_by() depends on the object's labels and on how many keys it wakes, not on how many there are. (A selector
// that only says what must not be, `tier!=db`, is compared with every change in its namespace.) Names are kept as
// 64-bit hashes: two that collide would wake a key too often, never too rarely.
//
// Thread-safety: all members may be called from any thread. One instance per cluster.
// Lifetime: outlives its ReadSets.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "flyball/base/mutex.hpp"
#include "flyball/kube/metadata.hpp"
#include "flyball/runtime/cause.hpp"
#include "flyball/runtime/detail/change_log.hpp"
#include "flyball/runtime/detail/read_index.hpp"
#include "flyball/runtime/key.hpp"
#include "flyball/runtime/read_set.hpp"

namespace flyball::runtime {

// A change of one object: at least one of the two is there.
struct Change {
  kube::GroupVersionKind kind = {};
  const kube::Metadata* before = nullptr;  // null: it was created
  const kube::Metadata* after = nullptr;   // null: it was deleted
  // There may have been others in between that nobody heard of: it is nobody's echo, whatever its version says.
  bool leap = false;
};

struct RememberedReadsOptions {
  // The reads of a pass show the world as it was when the pass began, whenever they are made.
  bool stable_reads = false;
  // How many changes are held for the passes that run; one that is so slow that more come is woken in any case.
  std::size_t most_changes = 65'536;
};

class RememberedReads {
 public:
  explicit RememberedReads(RememberedReadsOptions options = {}) : options_(options), log_(options.most_changes) {}
  RememberedReads(const RememberedReads&) = delete;
  RememberedReads& operator=(const RememberedReads&) = delete;

  // A pass over the key begins; one at a time per key.
  ReadSet begin(const Key& key);
  // The pass has ended: what it read replaces what the one before did. Gives what has changed since it was read, for
  // which the key must run again.
  std::vector<Cause> finish(ReadSet reads);
  // The pass has failed half-way: what it read is remembered beside what the one before did.
  std::vector<Cause> abandon(ReadSet reads);
  // There is nothing left to reconcile.
  void forget(const Key& key);

  // A change happened, and the cache shows it. Gives the keys to run; those that run now are told by finish().
  std::vector<Key> woken_by(const Change& change);

  // A write for a key outside of a pass. In one, say it to the ReadSet.
  void written(const Key& key, const Write& write);

  // How many changes there have been.
  std::uint64_t changes() const noexcept { return changes_.load(std::memory_order_acquire); }
  bool stable_reads() const noexcept { return options_.stable_reads; }
  // Whether a pass over the key has read something, or runs now: its changes are told by woken_by() or finish().
  bool knows(const Key& key) const;
  // How many keys have read something, and how many different things.
  std::size_t keys() const;
  std::size_t reads() const;

 private:
  std::vector<Cause> end(ReadSet& reads, bool failed);
  std::vector<Cause> touched_since(ReadSet& reads, bool failed) FLYBALL_REQUIRES(mutex_);

  const RememberedReadsOptions options_;

  // Written under mutex_.
  std::atomic<std::uint64_t> changes_ = 0;

  mutable Mutex mutex_;
  detail::ReadIndex index_ FLYBALL_GUARDED_BY(mutex_);
  detail::EchoBook echoes_ FLYBALL_GUARDED_BY(mutex_);
  detail::ChangeLog log_ FLYBALL_GUARDED_BY(mutex_);
  std::map<Key, std::uint64_t> open_ FLYBALL_GUARDED_BY(mutex_);  // the passes that run, with the change they began at
};

}  // namespace flyball::runtime
