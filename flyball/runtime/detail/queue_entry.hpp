// What the queue knows of one key. See queue.hpp.
#pragma once

#include <cstdint>

#include "flyball/base/clock.hpp"
#include "flyball/runtime/cause.hpp"
#include "flyball/runtime/key.hpp"

namespace flyball::runtime::detail {

struct QueueEntry {
  enum class Place : std::uint8_t {
    nowhere,  // does not wait, or waits for its own pass to end
    ready,    // in the fair order
    delayed,  // among those that are due later
  };

  const Key* key = nullptr;  // of the map that holds the entry

  // The pass to come.
  bool wanted = false;
  Place place = Place::nowhere;
  int priority = 0;
  TimePoint due = {};
  std::uint64_t sequence = 0;  // of its place: decides among equals
  Causes causes = {};

  // The pass that runs.
  bool running = false;
  TimePoint started = {};

  std::uint32_t failures = 0;  // one after the other
};

}  // namespace flyball::runtime::detail
