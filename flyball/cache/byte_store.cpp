#include "flyball/cache/byte_store.hpp"

#include <algorithm>
#include <utility>

#include "flyball/cache/detail/incoming.hpp"
#include "flyball/cache/prune.hpp"
#include "flyball/cache/version.hpp"

namespace flyball::cache {
namespace {

using detail::EntryId;
using detail::GroupId;
using detail::KeyTable;

std::uint32_t hash_of_uid(std::string_view uid) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(uid));
}

kube::ObjectKey key_of(const kube::Metadata& metadata) {
  return {std::string(metadata.namespace_), std::string(metadata.name)};
}

// Names of objects have at most 253 bytes, but nobody promises it.
constexpr std::size_t kLongestName = UINT16_MAX;

}  // namespace

ByteStore::ByteStore(StoreOptions options) : options_(std::move(options)), packer_(options_.packer) {
  for (const auto& [name, function] : options_.indexes) custom_[name];
}
ByteStore::~ByteStore() = default;

void ByteStore::begin_resync(Source& source) {
  const MutexLock writing(write_mutex_);
  source.mark = ++last_mark_;
  source.resyncing = true;
}

void ByteStore::put(Source& source, const Arrival& arrival) {
  const MutexLock writing(write_mutex_);
  store(source, arrival);
  if (source.synced) came_to(source, arrival.metadata->resource_version);
  repack_some();
  tidy_some();
}

void ByteStore::store(Source& source, const Arrival& arrival) {
  const kube::Metadata& metadata = *arrival.metadata;
  if (metadata.name.size() > kLongestName) throw InputError({}, "metadata.name", "is longer than any name may be");
  Incoming incoming{.format = arrival.format,
                    .bytes = arrival.bytes,
                    .metadata = metadata,
                    .hash = detail::hash_of_key(metadata.namespace_, metadata.name),
                    .uid = hash_of_uid(metadata.uid),
                    .version = version_number(metadata.resource_version)};
  if (is_known(source, incoming)) return;
  if (!options_.managed_fields) incoming.bytes = without_managed_fields(arrival.bytes, arrival.format, pruned_);
  const bool whole = !options_.indexes.empty() || options_.on_change != nullptr;
  std::optional<Object> now;
  if (whole) now.emplace(options_.kind, incoming.format, std::string(incoming.bytes));
  for (const auto& [name, function] : options_.indexes) incoming.values.push_back(function(*now));

  {
    const MutexLock lock(mutex_);
    incoming.group = index_.group_of(metadata);
    index_.hold(incoming.group);
  }
  const Packed packed = pack(incoming);
  const Replaced before = swap_in(source, incoming, packed);
  // The dictionary is for those that no other object says.
  if (latest_.size() < kLatest) latest_.resize(kLatest, KeyTable::kNone);
  if (packed.dictionary != kDelta) latest_[latest_at_++ % kLatest] = before.id;
  if (packer_.wants_samples() || before.count >= learn_at_) learn(before.count);
  tell(source, before.record.live ? Change::Type::modified : Change::Type::added, std::move(now), before);
  if (!source.synced) check_budget();
}

bool ByteStore::is_known(const Source& source, Incoming& incoming) {
  const MutexLock lock(mutex_);
  const EntryId id = find(incoming.metadata.namespace_, incoming.metadata.name);
  if (id == KeyTable::kNone) return false;
  incoming.id = id;
  Entry& entry = entries_[id];
  if (!entry.record.live || entry.version != incoming.version || entry.uid != incoming.uid) return false;
  entry.mark = source.mark;
  return true;
}

ByteStore::Replaced ByteStore::swap_in(const Source& source, const Incoming& incoming, const Packed& packed) {
  const kube::Metadata& metadata = incoming.metadata;
  const MutexLock lock(mutex_);
  reclaim();
  EntryId id = find(metadata.namespace_, metadata.name);
  if (id == KeyTable::kNone) id = new_entry(incoming.hash);
  Entry& entry = entries_[id];
  const Record before = entry.record;
  if (before.live) index_.hold(before.group);  // until it is discarded

  const GroupId group = incoming.group;
  entry.record = place(metadata.name, packed, incoming.format, group);
  entry.record.going = metadata.deletion_timestamp.has_value();
  if (packed.dictionary == kDelta) --index_.base(group).users;
  entry.version = incoming.version;
  entry.uid = incoming.uid;
  entry.mark = source.mark;
  if (!before.live) {
    entry.position = index_.join(group, id);
    ++live_;
  } else if (before.group != group) {
    leave_group(entry, before.group);
    entry.position = index_.join(group, id);
  }
  index_.release(group);
  index_custom(id, incoming.values);
  packer_bytes_ = packer_.bytes_held() + deltas_.bytes_held();
  const bool kept = changed(id, before);
  if (!overlay_.empty()) {
    overlay_.told(key_of(metadata), {.version = incoming.version, .uid = incoming.uid, .going = entry.record.going},
                  epoch_);
  }
  return {.id = id, .record = before, .kept = kept, .count = live_};
}

void ByteStore::leave_group(const Entry& entry, GroupId group) {
  const std::uint32_t position = entry.position;
  entries_[index_.leave(group, position)].position = position;
}

bool ByteStore::changed(EntryId id, const Record& before) {
  ++epoch_;
  if (pins_.empty()) return false;
  undo_[id].push_back({epoch_, before});
  undo_order_.emplace_back(epoch_, id);
  return true;
}

void ByteStore::remove(Source& source, const Arrival& arrival) {
  const kube::Metadata& metadata = *arrival.metadata;
  const MutexLock writing(write_mutex_);
  EntryId id = KeyTable::kNone;
  {
    const MutexLock lock(mutex_);
    id = find(metadata.namespace_, metadata.name);
    if (id != KeyTable::kNone && !entries_[id].record.live) id = KeyTable::kNone;
  }
  if (id != KeyTable::kNone) {
    std::optional<Object> last;
    if (options_.on_change) {
      const auto bytes =
          options_.managed_fields ? arrival.bytes : without_managed_fields(arrival.bytes, arrival.format, pruned_);
      last.emplace(options_.kind, arrival.format, std::string(bytes));
    }
    take_out(source, id, std::move(last));
  }
  if (source.synced) came_to(source, metadata.resource_version);
}

void ByteStore::take_out(const Source& source, EntryId id, std::optional<Object> last) {
  Replaced before{.id = id};
  {
    const MutexLock lock(mutex_);
    reclaim();
    Entry& entry = entries_[id];
    before.record = entry.record;
    index_.hold(entry.record.group);
    leave_group(entry, entry.record.group);
    entry.record.live = false;
    --live_;
    index_custom(id, {});
    before.kept = changed(id, before.record);
    if (!overlay_.empty()) {
      const kube::ObjectKey key{std::string(index_.namespace_of(entry.record.group)),
                                std::string(name_of(entry.record))};
      overlay_.told(key, {.version = entry.version, .uid = entry.uid, .gone = true}, epoch_);
    }
  }
  tell(source, Change::Type::deleted, std::move(last), before);
}

void ByteStore::tell(const Source& source, Change::Type type, std::optional<Object> now, const Replaced& before) {
  const Record& record = before.record;
  if (options_.on_change) {
    Change::Unpack unpack_before;
    if (record.live) {
      const MutexLock lock(mutex_);
      unpack_before = [this, packed = packed_of(record)] { return unpack(packed); };
    }
    options_.on_change(Change(type, std::move(now), std::move(unpack_before), source.resyncing));
  }
  if (before.kept || !record.live) return;
  const MutexLock lock(mutex_);
  if (type == Change::Type::deleted) purge(before.id);
  discard(record);
}

void ByteStore::end_resync(Source& source, std::string_view resource_version) {
  const MutexLock writing(write_mutex_);
  sweep(source, false);
  source.synced = true;
  source.resyncing = false;
  came_to(source, resource_version);
  while (repack_some() || tidy_some()) {
  }
}

void ByteStore::drop(Source& source) {
  const MutexLock writing(write_mutex_);
  sweep(source, true);
  source.synced = false;
  const MutexLock lock(mutex_);
  positions_.erase(source.namespace_);
}

void ByteStore::sweep(const Source& source, bool everything) {
  // A few at a time, so that readers get their turn.
  constexpr EntryId kBatch = 512;
  std::vector<EntryId> gone;
  for (EntryId from = 0;; from += kBatch) {
    gone.clear();
    {
      const MutexLock lock(mutex_);
      if (from >= entries_.size()) return;
      const auto end = static_cast<EntryId>(std::min<std::size_t>(entries_.size(), std::size_t{from} + kBatch));
      for (EntryId id = from; id < end; ++id) {
        const Entry& entry = entries_[id];
        if (!entry.record.live || (!everything && entry.mark == source.mark)) continue;
        if (!source.namespace_.empty() && index_.namespace_of(entry.record.group) != source.namespace_) continue;
        gone.push_back(id);
      }
    }
    for (const EntryId id : gone) take_out(source, id, std::nullopt);
  }
}

void ByteStore::advance(Source& source, std::string_view resource_version) {
  const MutexLock writing(write_mutex_);
  came_to(source, resource_version);
  repack_some();
  tidy_some();
  const MutexLock lock(mutex_);
  reclaim();
}

void ByteStore::came_to(Source& source, std::string_view resource_version) {
  source.position_text = resource_version;
  source.position = version_number(resource_version);
  std::vector<std::shared_ptr<const detail::WrittenObject>> unseen;
  {
    const MutexLock lock(mutex_);
    positions_[source.namespace_] = source.position;
    if (overlay_.empty()) return;
    unseen = overlay_.caught_up(source.namespace_, source.position, ++epoch_,
                                [this](const kube::ObjectKey& key, std::uint32_t uid)
                                    FLYBALL_REQUIRES(mutex_) { return is_there(key, uid); });
  }
  if (!options_.on_change) return;
  // Readers have seen it, so they must hear of its end.
  for (const auto& written : unseen) {
    options_.on_change(Change(Change::Type::deleted, std::nullopt,
                              [&] { return Object(options_.kind, written->format, written->bytes); }));
  }
}

bool ByteStore::is_there(const kube::ObjectKey& key, std::uint32_t uid) const {
  const EntryId id = find(key.namespace_, key.name);
  return id != KeyTable::kNone && entries_[id].record.live && entries_[id].uid == uid;
}

void ByteStore::check_budget() const {
  if (options_.budget == 0) return;
  const std::size_t taken = bytes();
  if (taken <= options_.budget) return;
  throw BudgetError("the cache of " + options_.kind.to_string() + " takes " + std::to_string(taken) + " bytes after " +
                    std::to_string(count()) + " objects, more than its budget of " + std::to_string(options_.budget) +
                    ": watch fewer of them (namespaces, labels), leave managedFields out, or raise the budget");
}

void ByteStore::replay(const std::function<void(const Change&)>& each, const std::function<void()>& then) {
  const MutexLock writing(write_mutex_);
  std::size_t entries = 0;
  {
    const MutexLock lock(mutex_);
    entries = entries_.size();
  }
  // Nothing changes meanwhile: changing takes the lock we hold.
  for (EntryId id = 0; id < entries; ++id) {
    PackedObject packed;
    {
      const MutexLock lock(mutex_);
      const Record& record = entries_[id].record;
      if (!record.live) continue;
      packed = packed_of(record);
    }
    each(Change(Change::Type::added, unpack(packed), {}));
  }
  if (then) then();
}

void ByteStore::observe_write(const Arrival& answer, std::uint64_t writer) {
  const auto object = std::make_shared<const detail::WrittenObject>(answer.format, answer.bytes);
  overlay_write(key_of(object->metadata), {.object = object,
                                           .version = version_number(object->metadata.resource_version),
                                           .uid = hash_of_uid(object->metadata.uid),
                                           .writer = writer});
}

void ByteStore::observe_leave(const kube::Metadata& metadata, std::uint64_t writer) {
  overlay_write(
      key_of(metadata),
      {.version = version_number(metadata.resource_version), .uid = hash_of_uid(metadata.uid), .writer = writer});
}

void ByteStore::observe_delete(const kube::ObjectKey& key, std::string_view uid, std::string_view resource_version,
                               std::uint64_t writer) {
  overlay_write(
      key, {.version = version_number(resource_version), .uid = hash_of_uid(uid), .deleted = true, .writer = writer});
}

void ByteStore::overlay_write(const kube::ObjectKey& key, detail::Written written) {
  const MutexLock lock(mutex_);
  written.begin = ++epoch_;
  // The watch was quicker than the answer. Then only the writer's own snapshot, which is older, has to be told.
  const bool awaited =
      written.deleted && is_there(key, written.uid) && !entries_[find(key.namespace_, key.name)].record.going;
  const bool late = is_past(key, written.version) && !awaited;
  if (late && written.writer == 0) return;
  if (late) written.end = written.begin;
  overlay_.add(key, std::move(written));
}

bool ByteStore::is_past(const kube::ObjectKey& key, std::uint64_t version) const {
  const EntryId id = find(key.namespace_, key.name);
  if (id != KeyTable::kNone && entries_[id].record.live && at_least(entries_[id].version, version)) return true;
  for (const std::string& source : {std::string(), key.namespace_}) {
    const auto position = positions_.find(source);
    if (position != positions_.end() && at_least(position->second, version)) return true;
  }
  return false;
}

}  // namespace flyball::cache
