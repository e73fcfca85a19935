// copy_short: memcpy for names and words, which are short.
//
//   copy_short(to, name.data(), name.size());      // the two do not overlap
//
// Thread-safety: a pure function.
#pragma once

#include <cstddef>
#include <cstring>

namespace flyball {

// memcpy, without a call where that would cost more than the bytes.
inline void copy_short(char* to, const char* from, std::size_t size) {
  if (size > 32) {
    std::memcpy(to, from, size);
  } else if (size > 16) {
    std::memcpy(to, from, 16);
    std::memcpy(to + size - 16, from + size - 16, 16);
  } else if (size >= 8) {
    std::memcpy(to, from, 8);
    std::memcpy(to + size - 8, from + size - 8, 8);
  } else if (size >= 4) {
    std::memcpy(to, from, 4);
    std::memcpy(to + size - 4, from + size - 4, 4);
  } else {
    for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
  }
}

}  // namespace flyball
