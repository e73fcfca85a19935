#include "flyball/runtime/detail/fair_order.hpp"

#include <algorithm>

namespace flyball::runtime::detail {

FairOrder::Slot FairOrder::slot_of(QueueEntry& entry) const {
  return {entry.due - entry.priority * step_, entry.sequence, &entry};
}

TimePoint FairOrder::place_of(const Lane& lane) const {
  const Slot& first = *lane.slots.begin();
  // A high priority goes ahead of the turn as well; a low one only makes its own key wait.
  return std::max(first.at, lane.served - std::max(first.entry->priority, 0) * step_);
}

void FairOrder::leave_line(Lanes::iterator lane) { line_.erase({lane->second.at, lane->second.turn, lane}); }

void FairOrder::stand_in_line(Lanes::iterator lane) {
  if (lane->second.slots.empty()) {
    lanes_.erase(lane);
    return;
  }
  lane->second.at = place_of(lane->second);
  line_.insert({lane->second.at, lane->second.turn, lane});
}

void FairOrder::push(QueueEntry& entry, const std::string& lane) {
  const auto [found, fresh] = lanes_.try_emplace(lane, Lane{.served = entry.due, .turn = entry.sequence});
  if (!fresh) leave_line(found);
  found->second.slots.insert(slot_of(entry));
  ++size_;
  stand_in_line(found);
}

void FairOrder::erase(QueueEntry& entry, const std::string& lane) {
  const auto found = lanes_.find(lane);
  leave_line(found);
  found->second.slots.erase(slot_of(entry));
  --size_;
  stand_in_line(found);
}

QueueEntry* FairOrder::pop(TimePoint now, std::uint64_t sequence) {
  if (line_.empty()) return nullptr;
  const auto lane = line_.begin()->lane;
  leave_line(lane);
  const auto first = lane->second.slots.begin();
  QueueEntry* entry = first->entry;
  lane->second.slots.erase(first);
  --size_;
  lane->second.served = now;
  lane->second.turn = sequence;
  stand_in_line(lane);
  return entry;
}

}  // namespace flyball::runtime::detail
