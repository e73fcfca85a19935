// FairOrder: which of the keys that are ready goes next. Namespaces take turns; within one, and between namespaces that
// have waited alike, priority and age decide together.
//
// One point of priority counts as much as having come `step` earlier. So within a namespace the order is that of
// `due - priority * step`, which never changes while a key waits: ageing costs nothing, and a key of priority -100 is
// passed by others for 100 steps at most.
//
// A namespace stands in line with its first key, but not before the time it was last served. So one with ten thousand
// keys goes to the end after each, and a key that comes into an empty namespace waits for at most one key of each
// other.
//
// Thread-safety: one thread at a time. Lifetime: entries stay where they are while they are in the order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>

#include "flyball/runtime/detail/queue_entry.hpp"

namespace flyball::runtime::detail {

class FairOrder {
 public:
  explicit FairOrder(Duration step) : step_(step) {}

  // `due`, `priority` and `sequence` of an entry must not change while it is in the order.
  void push(QueueEntry& entry, const std::string& lane);
  void erase(QueueEntry& entry, const std::string& lane);
  // The first one, or null.
  QueueEntry* pop(TimePoint now, std::uint64_t sequence);

  bool empty() const { return lanes_.empty(); }
  std::size_t size() const { return size_; }

 private:
  struct Slot {
    TimePoint at;
    std::uint64_t sequence = 0;
    QueueEntry* entry = nullptr;
    bool operator<(const Slot& other) const { return at != other.at ? at < other.at : sequence < other.sequence; }
  };
  struct Lane {
    std::set<Slot> slots = {};
    TimePoint served = {};   // or when its first key came
    std::uint64_t turn = 0;  // the same, as a sequence: decides when no time has passed
    TimePoint at = {};       // where it stands in line
  };
  struct Turn {
    TimePoint at;
    std::uint64_t turn = 0;
    std::unordered_map<std::string, Lane>::iterator lane;
    bool operator<(const Turn& other) const { return at != other.at ? at < other.at : turn < other.turn; }
  };
  using Lanes = std::unordered_map<std::string, Lane>;

  Slot slot_of(QueueEntry& entry) const;
  TimePoint place_of(const Lane& lane) const;
  void leave_line(Lanes::iterator lane);
  void stand_in_line(Lanes::iterator lane);

  const Duration step_;
  Lanes lanes_;  // those that have keys
  std::set<Turn> line_;
  std::size_t size_ = 0;
};

}  // namespace flyball::runtime::detail
