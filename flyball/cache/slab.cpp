#include "flyball/cache/slab.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace flyball::cache {
namespace {

// A slot begins with the length of what it holds; a free one with the number of the next free one.
constexpr std::size_t kHead = sizeof(std::uint32_t);
constexpr std::size_t kSmallestSlot = 32;
constexpr std::size_t kBlock = std::size_t{64} * 1024;
// Larger ones would leave too much of a block unused.
constexpr std::size_t kLargestShared = kBlock / 8;

std::uint32_t read_head(const char* slot) {
  std::uint32_t head = 0;
  std::memcpy(&head, slot, kHead);
  return head;
}

void write_head(char* slot, std::uint32_t head) { std::memcpy(slot, &head, kHead); }

}  // namespace

std::size_t Slab::slot_size_for(std::size_t bytes) {
  const std::size_t need = std::max(bytes + kHead, kSmallestSlot);
  if (need > kLargestShared) return need;
  // Eight classes between two powers of two.
  const std::size_t step = std::bit_floor(need) / 8;
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
  if (++block.used == block.slots) {
    auto& open = with_room_[block.slot_size];
    open.erase(std::ranges::find(open, number));
  }
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
  if (block.used-- == block.slots) with_room_[block.slot_size].push_back(place.block);
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
  block.memory = std::make_unique_for_overwrite<char[]>(size);
  held_ += size;
  with_room_[slot_size].push_back(number);
  return number;
}

void Slab::drop_block(std::uint32_t number) {
  Block& block = blocks_[number];
  auto& open = with_room_[block.slot_size];
  open.erase(std::ranges::find(open, number));
  held_ -= block_bytes(block);
  block = {};
  unused_numbers_.push_back(number);
}

}  // namespace flyball::cache
