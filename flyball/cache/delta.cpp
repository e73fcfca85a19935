#include "flyball/cache/delta.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "flyball/base/error.hpp"

namespace flyball::cache {
namespace {

// What is looked up is that long; shorter copies would cost as much as they save.
constexpr std::size_t kLook = sizeof(std::uint64_t);
// Every how many bytes of the base are remembered: a copy that begins between two of them is found a little later, and
// grows backwards.
constexpr std::size_t kStep = 2;
constexpr std::size_t kOwnPlaces = 512;

std::uint64_t load(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

std::uint32_t load_half(const char* at) {
  std::uint32_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

// `places` is a power of two.
std::size_t hash_of(std::uint64_t word, std::size_t places) {
  constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15U;
  return static_cast<std::size_t>((word * kSpread) >> 32U) & (places - 1);
}

std::size_t common_length(const char* a, const char* b, std::size_t most) {
  std::size_t length = 0;
  while (length + kLook <= most) {
    const std::uint64_t differ = load(a + length) ^ load(b + length);
    if (differ != 0) return length + static_cast<std::size_t>(std::countr_zero(differ)) / 8;
    length += kLook;
  }
  while (length < most && a[length] == b[length]) ++length;
  return length;
}

void put_number(std::string& to, std::size_t number) {
  for (; number >= 0x80; number >>= 7U) to += static_cast<char>(number | 0x80U);
  to += static_cast<char>(number);
}

std::size_t take_number(std::string_view& from) {
  std::size_t number = 0;
  for (unsigned shift = 0; shift < 63 && !from.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(from.front());
    from.remove_prefix(1);
    number |= static_cast<std::size_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return number;
  }
  throw Error("a packed object is damaged: a number of its delta is cut off");
}

// What tells siblings apart is mostly written in these: the names of containers, digests.
constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::size_t kShortestHex = 16;

constexpr std::uint8_t kNoDigit = 0xFF;
constexpr auto kDigits = [] {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (std::size_t i = 0; i < kHex.size(); ++i)
    digits[static_cast<unsigned char>(kHex[i])] = static_cast<std::uint8_t>(i);
  return digits;
}();

std::uint8_t digit(char letter) { return kDigits[static_cast<unsigned char>(letter)]; }

// Its length, whether it is written as hexadecimal digits, two in a byte, and the bytes.
void put_literal(std::string& to, std::string_view bytes) {
  const bool hex = bytes.size() >= kShortestHex && bytes.size() % 2 == 0 &&
                   std::ranges::all_of(bytes, [](char letter) { return digit(letter) != kNoDigit; });
  put_number(to, bytes.size() << 1U | static_cast<std::size_t>(hex));
  if (!hex) {
    to += bytes;
    return;
  }
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    to += static_cast<char>(static_cast<unsigned>(digit(bytes[i])) << 4U | digit(bytes[i + 1]));
  }
}

// How far it is from one place to another, forwards or backwards, small numbers for both.
std::size_t way(std::size_t from, std::size_t to) { return to >= from ? (to - from) << 1U : ((from - to) << 1U) - 1; }
std::size_t go(std::size_t from, std::size_t way) {
  return (way & 1U) == 0 ? from + (way >> 1U) : from - (way + 1) / 2;
}

}  // namespace

void DeltaEncoder::set_base(std::uint64_t id, std::string base) {
  base_id_ = id;
  base_ = std::move(base);
  base_places_.assign(std::bit_ceil(std::max<std::size_t>(base_.size() / kStep, 16)), 0);
  own_places_.resize(kOwnPlaces);
  for (std::size_t at = 0; at + kLook <= base_.size(); at += kStep) {
    base_places_[hash_of(load(base_.data() + at), base_places_.size())] = static_cast<Place>(at + 1);
  }
}

DeltaEncoder::Match DeltaEncoder::find(const State& state) const {
  const char* here = state.bytes.data() + state.at;
  const std::size_t beside = state.expected + (state.at - state.literal);
  // Most often what differs is as long as what it stands for, and then it goes on side by side.
  if (beside + kLook <= base_.size() && load_half(base_.data() + beside) == load_half(here)) {
    return {.from = beside, .length = sizeof(std::uint32_t)};
  }
  const std::uint64_t word = load(here);
  if (const Place place = base_places_[hash_of(word, base_places_.size())];
      place != 0 && load(base_.data() + place - 1) == word) {
    return {.from = place - 1, .length = kLook};
  }
  const Place place = own_places_[hash_of(word, kOwnPlaces)];
  if (place != 0 && place - 1 + kLook <= state.at && load(state.bytes.data() + place - 1) == word) {
    return {.from = base_.size() + place - 1, .length = kLook};
  }
  return {};
}

DeltaEncoder::Match DeltaEncoder::extended(State& state, std::size_t from) const {
  const bool own = from >= base_.size();
  const std::string_view source = own ? state.bytes.substr(0, state.at) : std::string_view(base_);
  std::size_t position = own ? from - base_.size() : from;
  std::size_t length = common_length(source.data() + position, state.bytes.data() + state.at,
                                     std::min(source.size() - position, state.bytes.size() - state.at));
  while (state.at > state.literal && position > 0 && source[position - 1] == state.bytes[state.at - 1]) {
    --position;
    --state.at;
    ++length;
  }
  return {.from = own ? position + base_.size() : position, .length = length};
}

void DeltaEncoder::say(State& state, const Match& match) {
  const std::size_t between = state.at - state.literal;
  put_literal(delta_, state.bytes.substr(state.literal, between));
  if (match.length == 0) return;
  put_number(delta_, match.length);
  put_number(delta_, way(state.expected + between, match.from));
  state.at += match.length;
  state.literal = state.at;
  state.expected = match.from < base_.size() ? match.from + match.length : state.expected + between + match.length;
}

std::string_view DeltaEncoder::encode(std::string_view bytes, std::size_t limit) {
  delta_.clear();
  put_number(delta_, bytes.size());
  std::ranges::fill(own_places_, Place{0});
  State state{.bytes = bytes};
  while (state.at + kLook <= bytes.size()) {
    if (delta_.size() + (state.at - state.literal) > limit) return {};
    const Match match = find(state);
    if (match.length != 0) {
      say(state, extended(state, match.from));
      continue;
    }
    own_places_[hash_of(load(bytes.data() + state.at), kOwnPlaces)] = static_cast<Place>(state.at + 1);
    ++state.at;
  }
  state.at = bytes.size();
  if (state.at > state.literal) say(state, {});
  return delta_.size() > limit ? std::string_view() : std::string_view(delta_);
}

std::string apply_delta(std::string_view base, std::string_view delta) {
  const auto need = [](bool right) {
    if (!right) throw Error("a packed object is damaged: its delta does not fit its base");
  };
  constexpr std::size_t kLargest = std::size_t{1} << 30U;
  const std::size_t size = take_number(delta);
  need(size <= kLargest);
  std::string bytes(size, '\0');
  std::size_t at = 0;
  std::size_t expected = 0;
  while (at < size) {
    const std::size_t head = take_number(delta);
    const std::size_t between = head >> 1U;
    const bool hex = (head & 1U) != 0;
    const std::size_t taken = hex ? between / 2 : between;
    need(taken <= delta.size() && between <= size - at);
    if (hex) {
      for (std::size_t i = 0; i < taken; ++i) {
        const auto byte = static_cast<unsigned char>(delta[i]);
        bytes[at + 2 * i] = kHex[byte >> 4U];
        bytes[at + 2 * i + 1] = kHex[byte & 0xFU];
      }
    } else {
      std::memcpy(bytes.data() + at, delta.data(), between);
    }
    delta.remove_prefix(taken);
    at += between;
    expected += between;
    if (at == size) break;
    const std::size_t length = take_number(delta);
    const std::size_t from = go(expected, take_number(delta));
    need(length != 0 && length <= size - at);
    if (from < base.size()) {
      need(length <= base.size() - from);
      std::memcpy(bytes.data() + at, base.data() + from, length);
      expected = from + length;
    } else {
      need(from - base.size() <= at && length <= at - (from - base.size()));
      std::memcpy(bytes.data() + at, bytes.data() + (from - base.size()), length);
      expected += length;
    }
    at += length;
  }
  need(delta.empty());
  return bytes;
}

}  // namespace flyball::cache
