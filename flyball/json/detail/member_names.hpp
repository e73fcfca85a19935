// Finds a member that stands twice in the object being built. Private to the room.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "flyball/json/detail/encoding.hpp"

namespace flyball::json {

// One bit per name rules most repeats out; only when the bit is taken are the names compared, one by one in a small
// object, by hash in a large one.
class MemberNames {
 public:
  // Whether `name` stands among the `count` members encoded from `begin` to `end`. Remembers it for the next call.
  bool repeated(std::string_view name, std::size_t count, const std::uint8_t* begin, const std::uint8_t* end) {
    if (count > kSmall) return repeated_in_large(name, begin, end);
    const std::uint64_t bit = std::uint64_t{1} << fingerprint(name);
    const bool taken = (bits_ & bit) != 0;
    bits_ |= bit;
    if (!taken) return false;
    for (const auto* at = begin; at != end; at = encoding::skip(at)) {
      if (encoding::take_key(at) == name) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t kSmall = 32;

  static unsigned fingerprint(std::string_view name) {
    if (name.empty()) return 0;
    const auto first = static_cast<unsigned char>(name.front());
    const auto middle = static_cast<unsigned char>(name[name.size() / 2]);
    const auto last = static_cast<unsigned char>(name.back());
    return (first * 7U + middle * 31U + last * 13U + static_cast<unsigned>(name.size()) * 5U) & 63U;
  }

  bool repeated_in_large(std::string_view name, const std::uint8_t* begin, const std::uint8_t* end) {
    if (names_ == nullptr) {
      names_ = std::make_unique<std::unordered_set<std::string>>();
      for (const auto* at = begin; at != end; at = encoding::skip(at)) names_->emplace(encoding::take_key(at));
    }
    return !names_->emplace(name).second;
  }

  std::uint64_t bits_ = 0;
  std::unique_ptr<std::unordered_set<std::string>> names_;  // copies: the buffer may move
};

}  // namespace flyball::json
