// Objects said by their siblings: those of one group (the same namespace, labels and owners) are said by one of them.
#include <utility>

#include "flyball/cache/byte_store.hpp"
#include "flyball/cache/detail/incoming.hpp"

namespace flyball::cache {
namespace {

using detail::Base;
using detail::EntryId;
using detail::GroupId;

// Smaller ones have nothing to gain; of larger ones every reading thread would keep one.
constexpr std::size_t kSmallest = 256;
constexpr std::size_t kLargest = std::size_t{64} * 1024;
// A delta has to be that much smaller than what the dictionary would make of it: it takes a look at another object.
constexpr double kWorthIt = 0.8;
// A group whose objects are not like each other is left alone after as many tries.
constexpr std::uint8_t kTries = 8;

}  // namespace

Packed ByteStore::pack(const Incoming& incoming) {
  const std::size_t size = incoming.bytes.size();
  if (size < kSmallest || size > kLargest || !use_base(incoming)) return packer_.pack(incoming.bytes);
  const std::string_view said = delta(incoming.bytes);
  {
    const MutexLock lock(mutex_);
    Base& base = index_.base(incoming.group);
    if (said.empty()) {
      ++base.misses;
    } else {
      ++base.users;  // until it is swapped in: the last of the others may go meanwhile
      if (base.misses > 0) --base.misses;
    }
  }
  return said.empty() ? packer_.pack(incoming.bytes) : Packed{.dictionary = kDelta, .bytes = said};
}

std::string_view ByteStore::delta(std::string_view bytes) {
  return deltas_.encode(bytes,
                        static_cast<std::size_t>(static_cast<double>(bytes.size()) * packer_.ratio() * kWorthIt));
}

bool ByteStore::use_base(const Incoming& incoming) {
  std::uint64_t id = 0;
  PackedBase base;
  EntryId sibling = detail::KeyTable::kNone;
  Record record;
  {
    const MutexLock lock(mutex_);
    const detail::Index::Group& group = index_.group(incoming.group);
    if (group.base.misses >= kTries) return false;
    if (group.base.users != 0) {
      if (group.base.format != incoming.format) return false;
      id = group.base.id;
      base = {slab_.get(group.base.place), group.base.dictionary};
    } else {
      for (const EntryId member : group.members) {
        if (member == incoming.id) continue;
        sibling = member;
        record = entries_[member].record;
        break;
      }
    }
  }
  if (id == 0) return sibling != detail::KeyTable::kNone && make_base(incoming, sibling, record);
  if (deltas_.base_id() != id) deltas_.set_base(id, packer_.unpack(base.packed, base.dictionary));
  return true;
}

bool ByteStore::make_base(const Incoming& incoming, EntryId of, const Record& record) {
  if (record.format != incoming.format) return false;
  PackedObject packed;
  {
    const MutexLock lock(mutex_);
    packed = packed_of(record);
  }
  const std::string text = text_of(packed);
  if (text.size() < kSmallest || text.size() > kLargest) return false;
  deltas_.set_base(++last_base_, text);
  const bool alike = !delta(incoming.bytes).empty();
  const std::string_view of_itself = deltas_.encode(text, text.size());
  {
    const MutexLock lock(mutex_);
    Base& base = index_.base(incoming.group);
    if (!alike) {
      ++base.misses;
      return false;
    }
    packer_.retain(packed.dictionary);
    base.place = slab_.put(packed.packed);
    base.id = last_base_;
    base.dictionary = packed.dictionary;
    base.format = record.format;
  }
  repack(of, record, {.dictionary = kDelta, .bytes = of_itself});
  return true;
}

void ByteStore::drop_base(GroupId group) {
  Base& base = index_.base(group);
  packer_.release(base.dictionary);
  slab_.give_back(base.place);
  base = {};
}

void ByteStore::repack_base(GroupId group) {
  PackedBase before;
  {
    const MutexLock lock(mutex_);
    before = {slab_.get(index_.base(group).place), index_.base(group).dictionary};
  }
  const std::string text = packer_.unpack(before.packed, before.dictionary);
  const Packed packed = packer_.repack(text);
  const MutexLock lock(mutex_);
  // What a reader has found it may still unpack.
  if (!pins_.empty()) {
    repack_again_ = true;
    return;
  }
  Base& base = index_.base(group);
  packer_.retain(packed.dictionary);
  const Slab::Place place = slab_.put(packed.bytes);
  packer_.release(base.dictionary);
  slab_.give_back(base.place);
  base.place = place;
  base.dictionary = packed.dictionary;
}

}  // namespace flyball::cache
