// TimerWheel: many deadlines, ordered. A hierarchical timing wheel: adding and removing cost the same whether it holds
// ten timers or a million. Deadlines are exact to the nanosecond; what is due comes out ordered by deadline, and by
// order of adding where those are equal.
//
//   TimerWheel wheel(clock.now());
//   const TimerId id = wheel.add(clock.after(5s), [] { ... });
//   wheel.remove(id);
//   wheel.collect(clock.now());                                  // finds what is due
//   while (auto callback = wheel.take_due()) (*callback)();      // a callback may add and remove
//
// Most code wants Timers (timers.hpp), which adds a lock and a thread.
//
// Thread-safety: none; guard it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "flyball/base/clock.hpp"

namespace flyball {

// Names one timer. Never used again for another; 0 names none.
enum class TimerId : std::uint64_t { none = 0 };

class TimerWheel {
 public:
  using Callback = std::function<void()>;

  explicit TimerWheel(TimePoint now);

  TimerId add(TimePoint deadline, Callback callback);
  // The callback, if the timer was still there: taken from the wheel, it will not run.
  std::optional<Callback> remove(TimerId id);

  // Moves every timer due at `now` to the due list. Time that goes back is ignored.
  void collect(TimePoint now);
  // The next of the due list; empty at its end. `id` receives its name.
  std::optional<Callback> take_due(TimerId* id = nullptr);

  // The nearest deadline of all, exactly; kNever when there is none. Looks through one slot.
  TimePoint next_due() const;
  std::size_t size() const noexcept { return size_; }

 private:
  // 64 slots a level; a slot of level n spans 64^n ticks of 2^20 ns (about a millisecond). Eight levels are all time
  // there is.
  static constexpr unsigned kTickBits = 20;
  static constexpr unsigned kSlotBits = 6;
  static constexpr unsigned kSlots = 1U << kSlotBits;
  static constexpr unsigned kLevels = 8;
  static constexpr std::uint32_t kNil = 0xffffffff;
  static constexpr std::uint32_t kDueList = kLevels * kSlots;

  struct Timer {
    TimePoint deadline;
    std::uint64_t sequence = 0;
    Callback callback;
    std::uint32_t generation = 0;
    std::uint32_t list = kNil;  // level * kSlots + slot, kDueList, or kNil while free
    std::uint32_t previous = kNil;
    std::uint32_t next = kNil;
  };
  struct List {
    std::uint32_t first = kNil;
    std::uint32_t last = kNil;
  };

  static std::uint64_t tick_of(TimePoint time);
  std::uint32_t list_for(std::uint64_t tick) const;
  // The list that holds the nearest deadline and the first tick it stands for; kNil when the wheel is empty.
  std::pair<std::uint32_t, std::uint64_t> first_list() const;
  void link(std::uint32_t index, std::uint32_t list);
  void unlink(std::uint32_t index);
  void spill(std::uint32_t list);
  void take_slot(std::uint32_t list, TimePoint now);
  Callback release(std::uint32_t index);

  std::vector<Timer> timers_;  // the slab; an id is index and generation
  std::vector<std::uint32_t> free_;
  std::array<List, kLevels * kSlots + 1> lists_;
  std::array<std::uint64_t, kLevels> occupied_ = {};  // a bit per slot
  std::uint64_t elapsed_;                             // the tick up to which the wheel has turned
  std::uint64_t sequence_ = 0;
  std::size_t size_ = 0;
};

}  // namespace flyball
