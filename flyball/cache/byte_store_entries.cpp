// Where the objects of a store lie, and how they are packed.
#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "flyball/cache/byte_store.hpp"

namespace flyball::cache {
namespace {

using detail::EntryId;
using detail::GroupId;
using detail::KeyTable;

// A record begins with the object's name and its length.
constexpr std::size_t kNameHead = sizeof(std::uint16_t);

// Of one value of an object in an index of the user's: both ways, with the maps' nodes.
std::size_t custom_bytes(const std::string& value) {
  constexpr std::size_t kNodes = 2 * (sizeof(std::string) + sizeof(std::vector<EntryId>));
  return kNodes + 2 * value.size() + sizeof(EntryId);
}

}  // namespace

detail::EntryId ByteStore::find(std::string_view in_namespace, std::string_view name) const {
  const std::uint32_t hash = detail::hash_of_key(in_namespace, name);
  return keys_.find(hash, [&](EntryId id) FLYBALL_NO_THREAD_SAFETY_ANALYSIS {
    const Entry& entry = entries_[id];
    return entry.hash == hash && name_of(entry.record) == name &&
           index_.namespace_of(entry.record.group) == in_namespace;
  });
}

detail::EntryId ByteStore::new_entry(std::uint32_t hash) {
  auto id = static_cast<EntryId>(entries_.size());
  if (free_entries_.empty()) {
    entries_.emplace_back();
  } else {
    id = free_entries_.back();
    free_entries_.pop_back();
  }
  entries_[id].hash = hash;
  keys_.insert(hash, id, [this](EntryId of) FLYBALL_NO_THREAD_SAFETY_ANALYSIS { return entries_[of].hash; });
  return id;
}

void ByteStore::purge(EntryId id) {
  keys_.erase(entries_[id].hash, id,
              [this](EntryId of) FLYBALL_NO_THREAD_SAFETY_ANALYSIS { return entries_[of].hash; });
  entries_[id] = {};
  free_entries_.push_back(id);
}

std::string_view ByteStore::name_of(const Record& record) const {
  const std::string_view bytes = slab_.get(record.place);
  std::uint16_t size = 0;
  std::memcpy(&size, bytes.data(), kNameHead);
  return bytes.substr(kNameHead, size);
}

ByteStore::PackedObject ByteStore::packed_of(const Record& record) const {
  PackedObject packed{.packed = slab_.get(record.place).substr(kNameHead + name_of(record).size()),
                      .dictionary = record.dictionary,
                      .format = record.format};
  if (record.dictionary == kDelta) {
    const detail::Base& base = index_.group(record.group).base;
    packed.base = {slab_.get(base.place), base.dictionary};
  }
  return packed;
}

ByteStore::Record ByteStore::place(std::string_view name, const Packed& packed, Format format, GroupId group) {
  const auto size = static_cast<std::uint16_t>(name.size());
  std::array<char, kNameHead> head{};
  std::memcpy(head.data(), &size, kNameHead);
  record_.assign(head.data(), head.size());
  record_ += name;
  record_ += packed.bytes;
  if (packed.dictionary == kDelta) {
    ++index_.base(group).users;
  } else {
    packer_.retain(packed.dictionary);
  }
  return {.place = slab_.put(record_), .group = group, .dictionary = packed.dictionary, .format = format, .live = true};
}

void ByteStore::discard(const Record& record) {
  if (record.dictionary != kDelta) {
    packer_.release(record.dictionary);
  } else if (--index_.base(record.group).users == 0) {
    drop_base(record.group);
  }
  slab_.give_back(record.place);
  index_.release(record.group);
}

void ByteStore::reclaim() {
  if (undo_order_.empty() && overlay_.empty()) return;
  const std::uint64_t oldest = pins_.empty() ? UINT64_MAX - 1 : pins_.begin()->first;
  overlay_.reclaim(oldest);
  while (!undo_order_.empty() && undo_order_.front().first <= oldest) {
    const EntryId id = undo_order_.front().second;
    undo_order_.pop_front();
    const auto of = undo_.find(id);
    const Record record = of->second.front().record;
    of->second.erase(of->second.begin());
    if (of->second.empty()) {
      undo_.erase(of);
      if (!entries_[id].record.live) purge(id);
    }
    if (record.live) discard(record);
  }
}

struct ByteStore::Samples {
  std::string bytes = {};
  std::vector<std::size_t> sizes = {};
  std::unordered_set<GroupId> groups = {};  // whose siblings are said by one of them: one is enough
};

void ByteStore::learn(std::size_t count) {
  // The first objects of a list are those of one namespace, and look alike: learn again as more come.
  constexpr std::size_t kGrowth = 4;
  learn_at_ = count * kGrowth;
  Samples samples;
  // Half of what came last, half of everything, in turn; steps of the golden ratio spread evenly.
  std::uint64_t spread = 0;
  std::size_t entries = 0;
  {
    const MutexLock lock(mutex_);
    entries = entries_.size();
  }
  for (std::size_t back = 1; back <= kLatest && samples.bytes.size() < options_.packer.sample_bytes; ++back) {
    sample(latest_[(latest_at_ + kLatest - back) % kLatest], samples);
    spread += 0x9E3779B97F4A7C15U;
    if (entries > kLatest) sample(static_cast<EntryId>(spread % entries), samples);
  }
  packer_.learn(samples.bytes, samples.sizes);
}

void ByteStore::sample(EntryId id, Samples& samples) {
  if (id == KeyTable::kNone) return;
  PackedObject packed;
  {
    const MutexLock lock(mutex_);
    const Record& record = entries_[id].record;
    if (!record.live || (record.dictionary == kDelta && !samples.groups.insert(record.group).second)) return;
    packed = packed_of(record);
  }
  const std::string bytes = text_of(packed);
  samples.bytes += bytes;
  samples.sizes.push_back(bytes.size());
}

bool ByteStore::repack_some() {
  constexpr EntryId kLooks = 64;
  constexpr int kPacks = 8;
  const DictionaryId newest = packer_.dictionary();
  if (newest == repacked_with_) return false;
  int packs = 0;
  for (EntryId looked = 0; looked < kLooks && packs < kPacks; ++looked, ++repack_at_) {
    Record record;
    PackedObject packed;
    {
      const MutexLock lock(mutex_);
      if (repack_at_ >= entries_.size()) {
        repack_at_ = 0;
        if (!std::exchange(repack_again_, false)) repacked_with_ = newest;
        return false;
      }
      record = entries_[repack_at_].record;
      if (!record.live) continue;
      packed = packed_of(record);
    }
    const bool by_base = record.dictionary == kDelta;
    if ((by_base ? packed.base.dictionary : record.dictionary) == newest) continue;
    ++packs;
    by_base ? repack_base(record.group) : repack(repack_at_, record, packer_.repack(text_of(packed)));
  }
  return true;
}

void ByteStore::repack(EntryId id, const Record& record, const Packed& packed) {
  const MutexLock lock(mutex_);
  if (packed.dictionary == record.dictionary) return;
  const std::string name(name_of(record));
  index_.hold(record.group);
  entries_[id].record = place(name, packed, record.format, record.group);
  entries_[id].record.going = record.going;
  if (!changed(id, record)) discard(record);
}

bool ByteStore::tidy_some() {
  constexpr EntryId kLooks = 64;
  // A sixteenth of what is held may lie free; of little, more.
  constexpr std::size_t kShare = 16;
  constexpr std::size_t kSmall = std::size_t{256} * 1024;
  const MutexLock lock(mutex_);
  if (!tidying_) {
    if (slab_.bytes_free() <= std::max(tidy_above_, slab_.bytes_held() / kShare + kSmall)) return false;
    tidying_ = slab_.begin_tidying() != 0;
    tidy_at_ = 0;
  }
  for (EntryId looked = 0; tidying_ && looked < kLooks; ++looked, ++tidy_at_) {
    if (tidy_at_ < entries_.size()) {
      tidy(tidy_at_);
    } else {
      tidying_ = false;
      slab_.end_tidying();
    }
  }
  // What cannot be helped is not tried again before it is worse.
  if (!tidying_) tidy_above_ = slab_.bytes_free() + slab_.bytes_free() / kShare;
  return tidying_;
}

void ByteStore::tidy(EntryId id) {
  const Record record = entries_[id].record;
  if (!record.live) return;
  if (record.dictionary == kDelta) {
    detail::Base& base = index_.base(record.group);
    // What a reader has found it may still unpack.
    if (slab_.is_leaving(base.place) && pins_.empty()) {
      const Slab::Place before = std::exchange(base.place, slab_.put(slab_.get(base.place)));
      slab_.give_back(before);
    }
  }
  if (!slab_.is_leaving(record.place)) return;
  entries_[id].record.place = slab_.put(slab_.get(record.place));
  if (record.dictionary == kDelta) {
    ++index_.base(record.group).users;
  } else {
    packer_.retain(record.dictionary);
  }
  index_.hold(record.group);
  if (!changed(id, record)) discard(record);
}

void ByteStore::index_custom(EntryId id, const std::vector<std::vector<std::string>>& values) {
  std::size_t number = 0;
  for (auto& [name, index] : custom_) {
    if (const auto before = index.of.find(id); before != index.of.end()) {
      for (const std::string& value : before->second) {
        custom_bytes_ -= custom_bytes(value);
        const auto ids = index.by_value.find(value);
        std::erase(ids->second, id);
        if (ids->second.empty()) index.by_value.erase(ids);
      }
      index.of.erase(before);
    }
    if (number < values.size() && !values[number].empty()) {
      std::vector<std::string> unique = values[number];
      std::ranges::sort(unique);
      unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
      for (const std::string& value : unique) {
        index.by_value[value].push_back(id);
        custom_bytes_ += custom_bytes(value);
      }
      index.of[id] = std::move(unique);
    }
    ++number;
  }
}

std::string ByteStore::text_of(const PackedObject& packed) const {
  if (packed.dictionary != kDelta) return packer_.unpack(packed.packed, packed.dictionary);
  return apply_delta(packer_.unpack_again(packed.base.packed, packed.base.dictionary), packed.packed);
}

Object ByteStore::unpack(const PackedObject& packed) const { return {options_.kind, packed.format, text_of(packed)}; }

std::size_t ByteStore::count() const {
  const MutexLock lock(mutex_);
  return live_;
}

std::size_t ByteStore::pending_writes() const {
  const MutexLock lock(mutex_);
  return overlay_.count();
}

std::size_t ByteStore::bytes() const {
  const MutexLock lock(mutex_);
  return slab_.bytes_held() + entries_.size() * sizeof(Entry) + keys_.bytes_held() + index_.bytes_held() +
         packer_bytes_ + custom_bytes_ + overlay_.bytes_held() +
         undo_order_.size() * (sizeof(Undo) + sizeof(undo_order_.front()));
}

}  // namespace flyball::cache
