#include "flyball/json/detail/bracket_scan.hpp"

#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace flyball::json {

namespace {

constexpr std::size_t kBlock = 64;

struct Masks {
  std::uint64_t quotes = 0;
  std::uint64_t backslashes = 0;
  std::uint64_t opening = 0;
  std::uint64_t closing = 0;
};

// '[' and '{', ']' and '}' differ in one bit, so one comparison finds both.
constexpr char kOpening = '{';
constexpr char kClosing = '}';
constexpr char kBracketBit = 0x20;

Masks classify(const char* block) {
  Masks masks;
#ifdef __SSE2__
  for (unsigned part = 0; part < 4; ++part) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + part * 16));
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(kBracketBit));
    const auto bits = [part](__m128i of, char byte) {
      const auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(of, _mm_set1_epi8(byte))));
      return std::uint64_t{mask} << (part * 16);
    };
    masks.quotes |= bits(bytes, '"');
    masks.backslashes |= bits(bytes, '\\');
    masks.opening |= bits(folded, kOpening);
    masks.closing |= bits(folded, kClosing);
  }
#else
  for (unsigned i = 0; i < kBlock; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    const char byte = block[i];
    if (byte == '"') masks.quotes |= bit;
    if (byte == '\\') masks.backslashes |= bit;
    if ((byte | kBracketBit) == kOpening) masks.opening |= bit;
    if ((byte | kBracketBit) == kClosing) masks.closing |= bit;
  }
#endif
  return masks;
}

// Bit i is the parity of the bits 0 to i: set from each opening quote up to its closing one.
std::uint64_t prefix_parity(std::uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

}  // namespace

// The bytes that a backslash takes the meaning from. Backslashes are rare, so they are taken one by one.
std::uint64_t BracketScan::escaped(std::uint64_t backslashes) {
  std::uint64_t escaped = escape_carries_over_ ? 1 : 0;
  escape_carries_over_ = false;
  for (std::uint64_t left = backslashes & ~escaped; left != 0;) {
    const int at = std::countr_zero(left);
    left &= left - 1;
    if (at == 63) {
      escape_carries_over_ = true;
      break;
    }
    const std::uint64_t next = std::uint64_t{2} << at;
    escaped |= next;
    left &= ~next;
  }
  return escaped;
}

std::size_t BracketScan::block(const char* block, std::size_t length) {
  const Masks masks = classify(block);
  std::uint64_t quotes = masks.quotes;
  if (masks.backslashes != 0 || escape_carries_over_) quotes &= ~escaped(masks.backslashes);
  const std::uint64_t in_string = prefix_parity(quotes) ^ in_string_;
  const std::uint64_t opening = masks.opening & ~in_string;
  std::uint64_t closing = masks.closing & ~in_string;

  const auto closes = static_cast<std::size_t>(std::popcount(closing));
  if (started_ && closes < depth_) {
    depth_ += static_cast<std::size_t>(std::popcount(opening)) - closes;
  } else {
    for (std::uint64_t brackets = opening | closing; brackets != 0; brackets &= brackets - 1) {
      const int at = std::countr_zero(brackets);
      started_ = true;
      if ((opening >> at & 1) != 0) {
        ++depth_;
      } else if (--depth_ == 0) {
        return static_cast<std::size_t>(at) + 1;
      }
    }
  }
  // The last bit that counts says whether the next block starts inside a string.
  in_string_ = (in_string >> (length - 1) & 1) != 0 ? ~std::uint64_t{0} : 0;
  return length;
}

const char* BracketScan::run(const char* at, const char* end) {
  while (end - at >= static_cast<std::ptrdiff_t>(kBlock)) {
    const std::size_t used = block(at, kBlock);
    at += used;
    if (done()) return at;
  }
  if (at == end) return at;
  char rest[kBlock];
  std::memset(rest, ' ', sizeof rest);
  const auto length = static_cast<std::size_t>(end - at);
  std::memcpy(rest, at, length);
  // A backslash at the very end escapes the first byte of the next piece, not the filling.
  const bool odd = [&] {
    std::size_t run = 0;
    while (run < length && rest[length - 1 - run] == '\\') ++run;
    const bool carried = run == length && escape_carries_over_;
    return ((run + (carried ? 1 : 0)) & 1) != 0;
  }();
  at += block(rest, length);
  if (!done()) escape_carries_over_ = odd;
  return at;
}

}  // namespace flyball::json
