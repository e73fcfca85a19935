// Slab: room for many small byte strings, packed tightly and counted to the byte.
//
//   Slab slab;
//   const Slab::Place place = slab.put(bytes);
//   slab.get(place);                     // a view, good until it is given back
//   slab.give_back(place);
//   slab.bytes_held();                   // what it takes from the system, exactly
//
// An allocator made for everything costs 16 bytes and more per object and cannot say what a kind of object takes. Here
// places of one size class lie side by side in blocks; classes are an eighth apart, so that at most that much of a
// place is unused, and half of it on average. A block whose places are all free goes back to the system. What is larger
// than a block's share gets a block of its own.
//
// When many have come and gone, free places lie scattered. Then their owner can tidy up:
//
//   if (slab.begin_tidying() != 0) {
//     for (Place& place : places) if (slab.is_leaving(place)) ...     // put() it again, and give_back() the old place
//     slab.end_tidying();
//   }
//
// Thread-safety: none; its owner guards it. Lifetime: places die with the slab.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "flyball/cache/pages.hpp"

namespace flyball::cache {

class Slab {
 public:
  // Where something lies: eight bytes to keep.
  struct Place {
    std::uint32_t block = 0;
    std::uint32_t slot = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };

  Slab() = default;
  ~Slab();
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  Place put(std::string_view bytes);
  std::string_view get(Place place) const;
  void give_back(Place place);

  // Chooses the emptiest blocks, as many as the others have room for. Nothing is put into them until the end of it.
  // Returns how many places there are to move.
  std::size_t begin_tidying();
  bool is_leaving(Place place) const { return blocks_[place.block].leaving; }
  void end_tidying();

  std::size_t count() const noexcept { return count_; }
  // Of what was put in.
  std::size_t bytes_used() const noexcept { return used_; }
  // Of places that nothing lies in.
  std::size_t bytes_free() const noexcept { return free_; }
  // Of the blocks, with what is unused in them.
  std::size_t bytes_held() const noexcept { return held_; }

 private:
  struct Block {
    char* memory = nullptr;
    std::uint32_t slot_size = 0;  // 0: no block has this number now
    std::uint32_t slots = 0;
    std::uint32_t used = 0;
    std::uint32_t fresh = 0;       // slots from here on were never used
    std::uint32_t first_free = 0;  // of the freed ones, one more than its number; 0: none
    bool leaving = false;          // it is being emptied
  };

  static std::size_t slot_size_for(std::size_t bytes);
  static std::size_t block_bytes(const Block& block);
  char* take_memory(std::size_t bytes);
  void give_back_memory(const Block& block);
  std::uint32_t block_with_room(std::size_t slot_size);
  std::uint32_t new_block(std::size_t slot_size);
  void drop_block(std::uint32_t number);
  void no_longer_open(std::uint32_t number);
  static char* slot(const Block& block, std::uint32_t number) {
    return block.memory + std::size_t{number} * block.slot_size;
  }

  Pages pages_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> unused_numbers_;
  std::map<std::size_t, std::vector<std::uint32_t>> with_room_;  // by slot size; those that are leaving are not there
  std::size_t count_ = 0;
  std::size_t used_ = 0;
  std::size_t free_ = 0;
  std::size_t held_ = 0;
};

}  // namespace flyball::cache
