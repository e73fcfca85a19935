#include "flyball/base/timer_wheel.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace flyball {

TimerWheel::TimerWheel(TimePoint now) : elapsed_(tick_of(now)) {}

std::uint64_t TimerWheel::tick_of(TimePoint time) {
  return static_cast<std::uint64_t>(std::max<Duration::rep>(time.time_since_epoch().count(), 0)) >> kTickBits;
}

TimerId TimerWheel::add(TimePoint deadline, Callback callback) {
  std::uint32_t index = 0;
  if (free_.empty()) {
    index = static_cast<std::uint32_t>(timers_.size());
    timers_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  Timer& timer = timers_[index];
  timer.deadline = deadline;
  timer.sequence = ++sequence_;
  timer.callback = std::move(callback);
  ++timer.generation;
  ++size_;
  link(index, list_for(tick_of(deadline)));
  return static_cast<TimerId>(std::uint64_t{timer.generation} << 32 | index);
}

std::optional<TimerWheel::Callback> TimerWheel::remove(TimerId id) {
  const auto index = static_cast<std::uint32_t>(static_cast<std::uint64_t>(id) & 0xffffffff);
  const auto generation = static_cast<std::uint32_t>(static_cast<std::uint64_t>(id) >> 32);
  if (index >= timers_.size()) return std::nullopt;
  const Timer& timer = timers_[index];
  if (timer.generation != generation || timer.list == kNil) return std::nullopt;
  return release(index);
}

void TimerWheel::collect(TimePoint now) {
  const std::uint64_t now_tick = tick_of(now);
  while (true) {
    const auto [list, tick] = first_list();
    if (list == kNil || tick > now_tick) break;
    elapsed_ = std::max(elapsed_, tick);
    if (list >= kSlots) {
      spill(list);
      continue;
    }
    take_slot(list, now);
    // What is left of this tick's slot is due later within the tick.
    if (lists_[list].first != kNil) break;
  }
  elapsed_ = std::max(elapsed_, now_tick);
}

std::optional<TimerWheel::Callback> TimerWheel::take_due(TimerId* id) {
  const std::uint32_t index = lists_[kDueList].first;
  if (index == kNil) return std::nullopt;
  if (id != nullptr) *id = static_cast<TimerId>(std::uint64_t{timers_[index].generation} << 32 | index);
  return release(index);
}

TimePoint TimerWheel::next_due() const {
  if (lists_[kDueList].first != kNil) return timers_[lists_[kDueList].first].deadline;
  const std::uint32_t list = first_list().first;
  if (list == kNil) return kNever;
  TimePoint nearest = kNever;
  for (std::uint32_t i = lists_[list].first; i != kNil; i = timers_[i].next) {
    nearest = std::min(nearest, timers_[i].deadline);
  }
  return nearest;
}

// The level is where the tick and the present first differ: all of the tick's higher digits (in base 64) are the
// present's, so the slot cannot be mistaken for one of a later turn.
std::uint32_t TimerWheel::list_for(std::uint64_t tick) const {
  if (tick <= elapsed_) return static_cast<std::uint32_t>(elapsed_ % kSlots);
  const auto highest = static_cast<unsigned>(63 - std::countl_zero(tick ^ elapsed_));
  const unsigned level = highest / kSlotBits;
  return level * kSlots + static_cast<std::uint32_t>((tick >> (level * kSlotBits)) % kSlots);
}

// Lower levels are nearer; within a level no occupied slot lies behind the present one.
std::pair<std::uint32_t, std::uint64_t> TimerWheel::first_list() const {
  for (unsigned level = 0; level < kLevels; ++level) {
    if (occupied_[level] == 0) continue;
    const auto slot = static_cast<unsigned>(std::countr_zero(occupied_[level]));
    const unsigned shift = level * kSlotBits;
    const std::uint64_t turn = (elapsed_ >> shift) / kSlots * kSlots;
    return {level * kSlots + slot, (turn + slot) << shift};
  }
  return {kNil, 0};
}

void TimerWheel::link(std::uint32_t index, std::uint32_t list) {
  Timer& timer = timers_[index];
  timer.list = list;
  timer.next = kNil;
  timer.previous = lists_[list].last;
  (timer.previous == kNil ? lists_[list].first : timers_[timer.previous].next) = index;
  lists_[list].last = index;
  if (list != kDueList) occupied_[list / kSlots] |= std::uint64_t{1} << (list % kSlots);
}

void TimerWheel::unlink(std::uint32_t index) {
  Timer& timer = timers_[index];
  const std::uint32_t list = std::exchange(timer.list, kNil);
  (timer.previous == kNil ? lists_[list].first : timers_[timer.previous].next) = timer.next;
  (timer.next == kNil ? lists_[list].last : timers_[timer.next].previous) = timer.previous;
  if (list != kDueList && lists_[list].first == kNil) {
    occupied_[list / kSlots] &= ~(std::uint64_t{1} << (list % kSlots));
  }
}

// The present has reached this slot of a higher level: its timers move down to where they now belong.
void TimerWheel::spill(std::uint32_t list) {
  while (lists_[list].first != kNil) {
    const std::uint32_t index = lists_[list].first;
    unlink(index);
    link(index, list_for(tick_of(timers_[index].deadline)));
  }
}

void TimerWheel::take_slot(std::uint32_t list, TimePoint now) {
  std::vector<std::uint32_t> due;
  for (std::uint32_t i = lists_[list].first; i != kNil; i = timers_[i].next) {
    if (timers_[i].deadline <= now) due.push_back(i);
  }
  std::sort(due.begin(), due.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(timers_[a].deadline, timers_[a].sequence) < std::pair(timers_[b].deadline, timers_[b].sequence);
  });
  for (const std::uint32_t index : due) {
    unlink(index);
    link(index, kDueList);
  }
}

TimerWheel::Callback TimerWheel::release(std::uint32_t index) {
  unlink(index);
  --size_;
  free_.push_back(index);
  return std::exchange(timers_[index].callback, nullptr);
}

}  // namespace flyball
