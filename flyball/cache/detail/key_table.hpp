// KeyTable: finds entries by a hash, at four bytes a place. What the keys are is the caller's: it says which of the
// entries with that hash is meant.
//
// Thread-safety: none. Private to the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace flyball::cache::detail {

inline std::uint32_t hash_of_key(std::string_view in_namespace, std::string_view name) {
  const std::hash<std::string_view> hash;
  return static_cast<std::uint32_t>(hash(in_namespace) * 0x9E3779B97F4A7C15U + hash(name));
}

class KeyTable {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // `is(id)` says whether that entry has the key.
  template <class Is>
  std::uint32_t find(std::size_t hash, Is&& is) const {
    if (places_.empty()) return kNone;
    for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
      const std::uint32_t id = places_[at];
      if (id == kNone || is(id)) return id;
    }
  }

  // `hash_of(id)` gives the hash of any entry that is in here.
  template <class HashOf>
  void insert(std::size_t hash, std::uint32_t id, HashOf&& hash_of) {
    if ((count_ + 1) * 4 > places_.size() * 3) grow(hash_of);
    place(hash, id);
    ++count_;
  }

  template <class HashOf>
  void erase(std::size_t hash, std::uint32_t id, HashOf&& hash_of) {
    std::size_t hole = hash & mask();
    while (places_[hole] != id) hole = (hole + 1) & mask();
    // What was pushed past the hole moves back into it, so that searches need no tombstones.
    for (std::size_t at = (hole + 1) & mask(); places_[at] != kNone; at = (at + 1) & mask()) {
      const std::size_t home = hash_of(places_[at]) & mask();
      if (((at - home) & mask()) < ((at - hole) & mask())) continue;
      places_[hole] = places_[at];
      hole = at;
    }
    places_[hole] = kNone;
    --count_;
  }

  std::size_t count() const noexcept { return count_; }
  std::size_t bytes_held() const noexcept { return places_.capacity() * sizeof(std::uint32_t); }

 private:
  std::size_t mask() const { return places_.size() - 1; }

  void place(std::size_t hash, std::uint32_t id) {
    std::size_t at = hash & mask();
    while (places_[at] != kNone) at = (at + 1) & mask();
    places_[at] = id;
  }

  template <class HashOf>
  void grow(HashOf& hash_of) {
    constexpr std::size_t kFirst = 16;
    std::vector<std::uint32_t> before(places_.empty() ? kFirst : places_.size() * 2, kNone);
    before.swap(places_);
    for (const std::uint32_t id : before) {
      if (id != kNone) place(hash_of(id), id);
    }
  }

  std::vector<std::uint32_t> places_;  // a power of two
  std::size_t count_ = 0;
};

}  // namespace flyball::cache::detail
