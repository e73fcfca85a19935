// ContentDigest: whether two processes hold the same objects, byte for byte, in whatever order. A sum of 64-bit hashes
// (FNV-1a with a final mix): it finds mistakes, it does not withstand malice.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace bench {

class ContentDigest {
 public:
  void add(std::string_view bytes) { sum_ += hash(bytes); }
  void remove(std::string_view bytes) { sum_ -= hash(bytes); }
  std::string text() const {
    std::array<char, 17> made{};
    (void)std::snprintf(made.data(), made.size(), "%016llx", static_cast<unsigned long long>(sum_));
    return made.data();
  }

 private:
  static std::uint64_t hash(std::string_view bytes) {
    std::uint64_t value = 0xCBF29CE484222325U;
    for (const char byte : bytes) value = (value ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
    value ^= value >> 31U;
    value *= 0x9E3779B97F4A7C15U;
    return value ^ (value >> 29U);
  }

  std::uint64_t sum_ = 0;
};

}  // namespace bench
