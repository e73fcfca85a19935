// The reading side of the store.
#include <algorithm>
#include <tuple>
#include <utility>

#include "flyball/cache/byte_store.hpp"

namespace flyball::cache {

using detail::EntryId;
using detail::GroupId;
using detail::KeyTable;
using detail::Written;

Snapshot ByteStore::snapshot() const {
  const MutexLock lock(mutex_);
  ++pins_[epoch_];
  return {*this, epoch_, ++last_snapshot_};
}

void ByteStore::unpin(std::uint64_t epoch) const {
  const MutexLock lock(mutex_);
  const auto pin = pins_.find(epoch);
  if (--pin->second == 0) pins_.erase(pin);
}

const ByteStore::Record& ByteStore::record_at(EntryId id, std::uint64_t epoch) const {
  if (const auto of = undo_.find(id); of != undo_.end()) {
    for (const Undo& undo : of->second) {
      if (undo.epoch > epoch) return undo.record;
    }
  }
  return entries_[id].record;
}

std::optional<Object> ByteStore::read(const kube::ObjectKey& key, std::uint64_t epoch, std::uint64_t reader) const {
  Finds finds;
  {
    const MutexLock lock(mutex_);
    if (!overlay_.empty()) {
      if (const Written* written = overlay_.find(key, epoch, reader)) {
        if (!written->object) return std::nullopt;
        return Object(options_.kind, written->object->format, written->object->bytes);
      }
    }
    const EntryId id = find(key.namespace_, key.name);
    if (id == KeyTable::kNone) return std::nullopt;
    const Record& record = record_at(id, epoch);
    if (!record.live) return std::nullopt;
    add(finds, record, false);
  }
  return open(finds, finds.found.front(), {});
}

void ByteStore::add(Finds& finds, const Record& record, bool unsure) const {
  const std::string_view in = index_.namespace_of(record.group);
  if (finds.namespaces.empty() || finds.namespaces.back() != in) finds.namespaces.emplace_back(in);
  const PackedObject packed = packed_of(record);
  // Siblings come one after the other.
  if (packed.dictionary == kDelta &&
      (finds.bases.empty() || finds.bases.back().packed.data() != packed.base.packed.data())) {
    finds.bases.push_back(packed.base);
  }
  finds.found.push_back({.name = name_of(record),
                         .packed = packed.packed,
                         .dictionary = packed.dictionary,
                         .format = packed.format,
                         .unsure = unsure,
                         .namespace_at = static_cast<std::uint32_t>(finds.namespaces.size() - 1),
                         .base_at = static_cast<std::uint32_t>(finds.bases.size() - 1)});
}

ByteStore::Finds ByteStore::collect(const Query& query, std::uint64_t epoch, std::uint64_t reader) const {
  if (!query.index.empty() && !options_.indexes.contains(query.index)) {
    throw Error("the cache of " + options_.kind.to_string() + " has no index \"" + query.index +
                "\": name it in the scope's indexes");
  }
  Finds finds;
  {
    const MutexLock lock(mutex_);
    collect_entries(query, epoch, finds);
    if (!overlay_.empty()) add_written(finds, query, epoch, reader);
  }
  std::ranges::sort(finds.found, [&](const Found& a, const Found& b) {
    return std::tie(finds.namespace_of(a), a.name) < std::tie(finds.namespace_of(b), b.name);
  });
  return finds;
}

void ByteStore::collect_entries(const Query& query, std::uint64_t epoch, Finds& finds) const {
  const auto look = [&](EntryId id) FLYBALL_NO_THREAD_SAFETY_ANALYSIS {
    // What has changed since is looked at below.
    if (undo_.empty() || &record_at(id, epoch) == &entries_[id].record) add(finds, entries_[id].record, false);
  };
  if (query.index.empty()) {
    index_.each_group(query, [&](GroupId group) FLYBALL_NO_THREAD_SAFETY_ANALYSIS {
      for (const EntryId id : index_.group(group).members) look(id);
    });
  } else {
    const auto& by_value = custom_.at(query.index).by_value;
    if (const auto ids = by_value.find(query.value); ids != by_value.end()) {
      for (const EntryId id : ids->second) {
        if (index_.matches(entries_[id].record.group, query)) look(id);
      }
    }
  }
  for (const auto& [id, undos] : undo_) {
    const Record& record = record_at(id, epoch);
    if (&record == &entries_[id].record || !record.live || !index_.matches(record.group, query)) continue;
    add(finds, record, !query.index.empty());
  }
}

void ByteStore::add_written(Finds& finds, const Query& query, std::uint64_t epoch, std::uint64_t reader) const {
  const auto written_of = [&](const Found& found) FLYBALL_NO_THREAD_SAFETY_ANALYSIS {
    return overlay_.find({finds.namespace_of(found), std::string(found.name)}, epoch, reader) != nullptr;
  };
  std::erase_if(finds.found, written_of);
  for (const auto& [key, writes] : overlay_.writes()) {
    const Written* written = detail::Overlay::newest(writes, epoch, reader);
    if (written == nullptr || !written->object || !is_in(query, written->object->metadata)) continue;
    finds.namespaces.push_back(key.namespace_);
    finds.found.push_back({.name = written->object->metadata.name,
                           .unsure = !query.index.empty(),
                           .namespace_at = static_cast<std::uint32_t>(finds.namespaces.size() - 1),
                           .written = written->object});
  }
}

bool ByteStore::is_in(const Query& query, const kube::Metadata& metadata) {
  if (!query.namespace_.empty() && query.namespace_ != metadata.namespace_) return false;
  for (const auto& [key, value] : query.labels) {
    if (metadata.label(key) != std::optional<std::string_view>(value)) return false;
  }
  if (!query.selector.matches_with([&](const std::string& key) { return metadata.label(key); })) return false;
  return query.owner.empty() ||
         std::ranges::any_of(metadata.owners, [&](const auto& owner) { return owner.uid == query.owner; });
}

std::optional<Object> ByteStore::open(const Finds& finds, const Found& found, const Query& query) const {
  const PackedBase base = found.dictionary == kDelta ? finds.bases[found.base_at] : PackedBase{};
  Object object = found.written ? Object(options_.kind, found.written->format, found.written->bytes)
                                : unpack({found.packed, found.dictionary, found.format, base});
  if (!found.unsure) return object;
  const std::vector<std::string> values = options_.indexes.at(query.index)(object);
  if (std::ranges::find(values, query.value) == values.end()) return std::nullopt;
  return object;
}

Snapshot::~Snapshot() {
  if (store_ != nullptr) store_->unpin(epoch_);
}

std::optional<Object> Snapshot::find(const kube::ObjectKey& key) const { return store_->read(key, epoch_, id_); }

void Snapshot::each(const Query& query, const std::function<void(const Object&)>& each,
                    const std::function<void(std::size_t)>& at_most) const {
  const auto finds = store_->collect(query, epoch_, id_);
  if (at_most) at_most(finds.found.size());
  for (const auto& found : finds.found) {
    if (const auto object = store_->open(finds, found, query)) each(*object);
  }
}

std::vector<kube::ObjectKey> Snapshot::keys(const Query& query) const {
  const auto finds = store_->collect(query, epoch_, id_);
  std::vector<kube::ObjectKey> keys;
  keys.reserve(finds.found.size());
  for (const auto& found : finds.found) {
    if (found.unsure && !store_->open(finds, found, query)) continue;
    keys.push_back({finds.namespace_of(found), std::string(found.name)});
  }
  return keys;
}

}  // namespace flyball::cache
