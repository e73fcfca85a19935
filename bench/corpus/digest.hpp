// ContentDigest: whether two processes hold the same objects, byte for byte, in whatever order. A sum of 64-bit hashes:
// it finds mistakes, it does not withstand malice.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
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
    std::uint64_t value = 0xCBF29CE484222325U ^ bytes.size();
    const auto mix = [&](std::uint64_t word) {
      value = (value ^ word) * 0x9E3779B97F4A7C15U;
      value ^= value >> 29U;
    };
    for (; bytes.size() >= sizeof(std::uint64_t); bytes.remove_prefix(sizeof(std::uint64_t))) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data(), sizeof(word));
      mix(word);
    }
    for (const char byte : bytes) mix(static_cast<unsigned char>(byte));
    return value;
  }

  std::uint64_t sum_ = 0;
};

}  // namespace bench
