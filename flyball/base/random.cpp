#include "flyball/base/random.hpp"

#include <bit>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>
#include <system_error>

#include <sys/random.h>

#include "flyball/base/error.hpp"

namespace flyball {
namespace {

constexpr std::string_view kSafeAlphabet = "bcdfghjklmnpqrstvwxz2456789";

// SplitMix64: spreads a seed, however poor, over the whole state; an all-zero state would stay zero for ever.
std::uint64_t spread(std::uint64_t& seed) {
  seed += 0x9e3779b97f4a7c15;
  std::uint64_t z = seed;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::array<std::uint64_t, 4> state_of(std::uint64_t seed) {
  return {spread(seed), spread(seed), spread(seed), spread(seed)};
}

void fill_from_os(void* bytes, std::size_t size) {
  // Small requests are never cut short, but may be interrupted while the machine boots.
  while (getrandom(bytes, size, 0) != static_cast<ssize_t>(size)) {
    if (errno != EINTR)
      throw Error("the operating system gave no random seed: " + std::generic_category().message(errno));
  }
}

}  // namespace

Random::Random(std::uint64_t seed) : state_(state_of(seed)) {}
Random::Random(Random&& other) noexcept : state_(other.take()) {}

Random Random::from_os() {
  State state;
  fill_from_os(state.data(), sizeof(state));
  state[0] |= 1;
  return Random(state);
}

std::uint64_t Random::os_seed() {
  std::uint64_t seed = 0;
  fill_from_os(&seed, sizeof(seed));
  return seed;
}

Random::State Random::take() const {
  MutexLock lock(mutex_);
  return state_;
}

std::uint64_t Random::next() {
  MutexLock lock(mutex_);
  State& s = state_;
  const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = std::rotl(s[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  assert(bound != 0);
  // Draw as many bits as the bound has and draw again when they are too big: no value is likelier than another.
  const int unused = std::countl_zero(bound - 1 == 0 ? std::uint64_t{1} : bound - 1);
  while (true) {
    const std::uint64_t drawn = next() >> unused;
    if (drawn < bound) return drawn;
  }
}

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  assert(low <= high);
  const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const std::uint64_t offset = width == std::numeric_limits<std::uint64_t>::max() ? next() : below(width + 1);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

Duration Random::jitter(Duration d, double factor) {
  return d + Duration(static_cast<Duration::rep>(static_cast<double>(d.count()) * factor * uniform()));
}

std::string Random::name_suffix(std::size_t length) {
  std::string suffix(length, ' ');
  for (char& c : suffix) c = kSafeAlphabet[below(kSafeAlphabet.size())];
  return suffix;
}

std::string Random::uuid() {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::uint64_t words[2] = {next(), next()};
  words[0] = (words[0] & ~std::uint64_t{0xf000}) | 0x4000;                       // version 4
  words[1] = (words[1] & ~(std::uint64_t{3} << 62)) | (std::uint64_t{2} << 62);  // variant 1
  std::string text;
  for (int digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) text += '-';
    text += kHex[(words[digit / 16] >> (60 - 4 * (digit % 16))) & 15];
  }
  return text;
}

}  // namespace flyball
