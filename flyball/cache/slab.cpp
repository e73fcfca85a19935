#include "flyball/cache/slab.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <functional>

namespace flyball::cache {
namespace {

// A slot begins with the length of what it holds; a free one with the number of the next free one.
constexpr std::size_t kHead = sizeof(std::uint32_t);
constexpr std::size_t kSmallestSlot = 32;
constexpr std::size_t kBlock = Pages::kBlock;
// Larger ones would leave too much of a block unused.
constexpr std::size_t kLargestShared = kBlock / 8;
// From here on a mapping of its own wastes little.
constexpr std::size_t kMapped = std::size_t{128} * 1024;

std::uint32_t read_head(const char* slot) {
  std::uint32_t head = 0;
  std::memcpy(&head, slot, kHead);
  return head;
}

void write_head(char* slot, std::uint32_t head) { std::memcpy(slot, &head, kHead); }

}  // namespace

Slab::~Slab() {
  for (const Block& block : blocks_) {
    if (block.slot_size > kLargestShared) give_back_memory(block);
  }
}

char* Slab::take_memory(std::size_t bytes) {
  if (bytes == kBlock) return pages_.take();
  return bytes < kMapped ? new char[bytes] : Pages::map(bytes);
}

void Slab::give_back_memory(const Block& block) {
  const std::size_t bytes = block_bytes(block);
  if (bytes == kBlock) return pages_.give_back(block.memory);
  bytes < kMapped ? delete[] block.memory : Pages::unmap(block.memory, bytes);
}

std::size_t Slab::slot_size_for(std::size_t bytes) {
  const std::size_t need = std::max(bytes + kHead, kSmallestSlot);
  if (need > kLargestShared) return need;
  // Eight classes between two powers of two.
  const std::size_t step = std::max<std::size_t>(std::bit_floor(need) / 8, 1);
  return (need + step - 1) / step * step;
}

Slab::Place Slab::put(std::string_view bytes) {
  const std::uint32_t number = block_with_room(slot_size_for(bytes.size()));
  Block& block = blocks_[number];
  std::uint32_t free = 0;
  if (block.first_free != 0) {
    free = block.first_free - 1;
    block.first_free = read_head(slot(block, free));
  } else {
    free = block.fresh++;
  }
  if (++block.used == block.slots) no_longer_open(number);
  free_ -= block.slot_size;
  char* to = slot(block, free);
  write_head(to, static_cast<std::uint32_t>(bytes.size()));
  std::memcpy(to + kHead, bytes.data(), bytes.size());
  ++count_;
  used_ += bytes.size();
  return {number, free};
}

std::string_view Slab::get(Place place) const {
  const char* at = slot(blocks_[place.block], place.slot);
  return {at + kHead, read_head(at)};
}

void Slab::give_back(Place place) {
  Block& block = blocks_[place.block];
  char* at = slot(block, place.slot);
  used_ -= read_head(at);
  --count_;
  free_ += block.slot_size;
  if (block.used-- == block.slots && !block.leaving) with_room_[block.slot_size].push_back(place.block);
  if (block.used == 0) return drop_block(place.block);
  write_head(at, block.first_free);
  block.first_free = place.slot + 1;
}

std::uint32_t Slab::block_with_room(std::size_t slot_size) {
  const auto& open = with_room_[slot_size];
  return open.empty() ? new_block(slot_size) : open.back();
}

// All shared blocks are of one size, so that the system can give one class what another gave back.
std::size_t Slab::block_bytes(const Block& block) {
  return block.slot_size > kLargestShared ? block.slot_size : kBlock;
}

std::uint32_t Slab::new_block(std::size_t slot_size) {
  std::uint32_t number = static_cast<std::uint32_t>(blocks_.size());
  if (unused_numbers_.empty()) {
    blocks_.emplace_back();
  } else {
    number = unused_numbers_.back();
    unused_numbers_.pop_back();
  }
  Block& block = blocks_[number];
  block = {.slot_size = static_cast<std::uint32_t>(slot_size),
           .slots = static_cast<std::uint32_t>(slot_size > kLargestShared ? 1 : kBlock / slot_size)};
  const std::size_t size = block_bytes(block);
  block.memory = take_memory(size);
  held_ += size;
  free_ += std::size_t{block.slots} * block.slot_size;
  with_room_[slot_size].push_back(number);
  return number;
}

void Slab::drop_block(std::uint32_t number) {
  Block& block = blocks_[number];
  if (!block.leaving) no_longer_open(number);
  held_ -= block_bytes(block);
  free_ -= std::size_t{block.slots} * block.slot_size;
  give_back_memory(block);
  block = {};
  unused_numbers_.push_back(number);
}

void Slab::no_longer_open(std::uint32_t number) {
  auto& open = with_room_[blocks_[number].slot_size];
  // Mostly it is the one that is being filled, the last.
  const auto found = std::find(open.rbegin(), open.rend(), number);
  open.erase(std::next(found).base());
}

std::size_t Slab::begin_tidying() {
  std::size_t places = 0;
  for (auto& [slot_size, open] : with_room_) {
    std::ranges::sort(open, std::greater(), [&](std::uint32_t number) { return blocks_[number].used; });
    std::size_t room = 0;
    for (const std::uint32_t number : open) room += blocks_[number].slots - blocks_[number].used;
    while (!open.empty()) {
      Block& emptiest = blocks_[open.back()];
      const std::size_t own_room = emptiest.slots - emptiest.used;
      if (emptiest.used > room - own_room) break;
      room -= own_room + emptiest.used;
      places += emptiest.used;
      emptiest.leaving = true;
      open.pop_back();
    }
  }
  return places;
}

void Slab::end_tidying() {
  for (std::uint32_t number = 0; number < blocks_.size(); ++number) {
    Block& block = blocks_[number];
    if (!block.leaving) continue;
    block.leaving = false;
    if (block.used < block.slots) with_room_[block.slot_size].push_back(number);
  }
}

}  // namespace flyball::cache
