// The reference-counted buffer of a json::Value. Private to the room.
#pragma once

#include <atomic>
#include <cstdint>

#include "flyball/json/value.hpp"

namespace flyball::json {

// Allocated with malloc: `bytes()` follow in the same allocation.
struct Value::Block {
  std::atomic<std::uint32_t> references{1};
  std::uint32_t size = 0;

  std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(this + 1); }
};

}  // namespace flyball::json
