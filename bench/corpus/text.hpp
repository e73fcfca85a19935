// JSON put together from its pieces, and the random words of a corpus. Private to the corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "corpus/corpus.hpp"

#include "flyball/base/random.hpp"

namespace bench {

// A view or a number, as text.
inline void add_one(std::string& to, std::string_view piece) { to += piece; }
inline void add_one(std::string& to, std::uint64_t number) { to += std::to_string(number); }

template <class... Pieces>
void add(std::string& to, const Pieces&... pieces) {
  (add_one(to, pieces), ...);
}

template <class... Pieces>
std::string text(const Pieces&... pieces) {
  std::string made;
  add(made, pieces...);
  return made;
}

// A generator for a purpose: which of the objects, and what for.
flyball::Random random_of(std::uint64_t seed, std::uint64_t purpose, std::uint64_t number, std::uint64_t part = 0);

// A word of everyday infrastructure: "checkout".
std::string_view word(flyball::Random& random);
std::string hex(flyball::Random& random, std::size_t digits);
std::string base64(flyball::Random& random, std::size_t bytes);
std::string address(flyball::Random& random, std::uint64_t first);
// A moment of this year, `seconds` after its beginning: "2026-03-01T00:00:00Z".
std::string moment(std::uint64_t seconds);

// The annotation that says when an event was sent, with a comma behind it.
std::string stamp_annotation();

}  // namespace bench
