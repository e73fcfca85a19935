// ByteStore: all objects of one kind, as the bytes they came in, packed, indexed and counted to the byte.
//
//   ByteStore store({.kind = {"", "v1", "Pod"}});
//   ByteStore::Source source;                                     // what fills it: a watch of all namespaces
//   store.begin_resync(source);
//   store.put(source, {.format = event.format, .bytes = event.object, .metadata = &event.metadata});
//   store.end_resync(source, "1234");                             // what was not put since begin_resync has gone
//
//   const Snapshot now = store.snapshot();
//   if (auto pod = now.find({"default", "web"})) use(pod->as<core::Pod>());
//   now.each({.labels = {{"app", "web"}}}, [](const Object& pod) { use(pod.metadata()); });
//
// A snapshot reads the store as it was when it was taken, however long that takes; what a change replaces is kept until
// no snapshot needs it. Readers hold the lock for a look-up, never while they unpack or decode, so they do not hold up
// who fills the store.
//
// Writes of the program itself are seen before the watch tells of them (observe_write, observe_delete): they lie over
// the store until the watch has come to their version.
//
// Thread-safety: all members may be called from any thread; those who fill it take turns. Lifetime: the store outlives
// its snapshots and the Objects they gave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/cache/change.hpp"
#include "flyball/cache/delta.hpp"
#include "flyball/cache/detail/index.hpp"
#include "flyball/cache/detail/key_table.hpp"
#include "flyball/cache/detail/overlay.hpp"
#include "flyball/cache/object.hpp"
#include "flyball/cache/packer.hpp"
#include "flyball/cache/query.hpp"
#include "flyball/cache/slab.hpp"

namespace flyball::cache {

// What an index of your own says about an object: any number of values.
using IndexFunction = std::function<std::vector<std::string>(const Object&)>;

// The objects of a kind take more than they may. Thrown only while they are first read: see StoreOptions::budget.
class BudgetError : public Error {
 public:
  using Error::Error;
};

struct StoreOptions {
  kube::GroupVersionKind kind = {};
  bool managed_fields = true;  // false: metadata.managedFields is left out, a third of most objects
  std::map<std::string, IndexFunction> indexes = {};
  // How many bytes it may take; 0: any number. Over it, reading the objects in fails (BudgetError), because a program
  // that says so at its start is better than one that is killed later. Once synced it goes on: what is over the budget
  // then is right, but large; over_budget() says so.
  std::size_t budget = 0;
  PackerOptions packer = {};
  std::function<void(const Change&)> on_change = {};  // in order, one at a time, on the thread that fills the store
};

// An object as it came.
struct Arrival {
  Format format = Format::json;
  std::string_view bytes = {};
  const kube::Metadata* metadata = nullptr;
};

class Snapshot;

class ByteStore {
 public:
  // A part of the store that one watch fills.
  struct Source {
    std::string namespace_ = {};  // empty: all
    std::uint32_t mark = 0;       // of the resync under way or done
    bool synced = false;          // everything has come once
    bool resyncing = false;       // what comes now is the present state, not what happened
    std::uint64_t position = 0;   // the version up to which the store knows everything, when synced
    std::string position_text = {};
  };

  explicit ByteStore(StoreOptions options);
  ~ByteStore();
  ByteStore(const ByteStore&) = delete;
  ByteStore& operator=(const ByteStore&) = delete;

  // Filling.
  void begin_resync(Source& source);
  void put(Source& source, const Arrival& arrival);
  void remove(Source& source, const Arrival& arrival);
  void end_resync(Source& source, std::string_view resource_version);
  // Nothing has changed up to this version.
  void advance(Source& source, std::string_view resource_version);
  // Everything of that source has gone: nobody watches it any more.
  void drop(Source& source);
  // Tells `each` of every object there is, as added, between two changes; then `then` runs before the next one.
  void replay(const std::function<void(const Change&)>& each, const std::function<void()>& then = {});

  // The program itself wrote this object, or deleted it: what the server answered. `writer` is the snapshot that is to
  // see it too. An object that is outside of what the store holds is for the caller to leave out.
  void observe_write(const Arrival& answer, std::uint64_t writer = 0);
  void observe_delete(const kube::ObjectKey& key, std::string_view uid, std::string_view resource_version,
                      std::uint64_t writer = 0);
  // The program's write moved the object out of what this store holds.
  void observe_leave(const kube::Metadata& metadata, std::uint64_t writer = 0);

  Snapshot snapshot() const;

  std::size_t count() const;
  // Everything it takes: objects, keys, indexes, dictionaries, and what is kept for snapshots.
  std::size_t bytes() const;
  bool over_budget() const { return options_.budget != 0 && bytes() > options_.budget; }
  std::size_t pending_writes() const;
  const StoreOptions& options() const noexcept { return options_; }

 private:
  friend class Snapshot;
  using EntryId = detail::EntryId;
  using GroupId = detail::GroupId;

  // Where an object lies, and what it is.
  struct Record {
    Slab::Place place = {};
    GroupId group = 0;
    DictionaryId dictionary = kRaw;
    Format format = Format::json;
    bool live : 1 = false;
    bool going : 1 = false;  // it has a deletionTimestamp
  };
  struct Entry {
    Record record = {};
    std::uint64_t version = 0;
    std::uint32_t hash = 0;      // of the key
    std::uint32_t uid = 0;       // a hash
    std::uint32_t position = 0;  // in its group
    std::uint32_t mark = 0;
  };
  // What a change replaced, for snapshots older than it.
  struct Undo {
    std::uint64_t epoch = 0;
    Record record = {};
  };
  struct Custom {
    std::unordered_map<std::string, std::vector<EntryId>> by_value = {};
    std::unordered_map<EntryId, std::vector<std::string>> of = {};
  };
  struct Incoming;
  struct PackedBase {
    std::string_view packed = {};
    DictionaryId dictionary = kRaw;
  };
  // What a reader takes from under the lock. The views hold as long as the snapshot.
  struct PackedObject {
    std::string_view packed = {};
    DictionaryId dictionary = kRaw;
    Format format = Format::json;
    PackedBase base = {};  // of a delta
  };
  struct Found {
    std::string_view name = {};
    std::string_view packed = {};
    DictionaryId dictionary = kRaw;
    Format format = Format::json;
    bool unsure = false;  // an index of the user's has to be asked
    std::uint32_t namespace_at = 0;
    std::uint32_t base_at = 0;
    std::shared_ptr<const detail::WrittenObject> written = {};
  };
  struct Finds {
    std::vector<std::string> namespaces = {};
    std::vector<PackedBase> bases = {};
    std::vector<Found> found = {};
    const std::string& namespace_of(const Found& one) const { return namespaces[one.namespace_at]; }
  };

  // What a change put something else in the place of. Kept: snapshots need it, and it goes when they do.
  struct Replaced {
    EntryId id = 0;
    Record record = {};
    bool kept = false;
    std::size_t count = 0;  // objects after the change
  };

  // Filling.
  void store(Source& source, const Arrival& arrival) FLYBALL_REQUIRES(write_mutex_);
  bool is_known(const Source& source, Incoming& incoming) FLYBALL_REQUIRES(write_mutex_);
  Replaced swap_in(const Source& source, const Incoming& incoming, const Packed& packed) FLYBALL_REQUIRES(write_mutex_);
  // By the base of its group, where that is smaller, else with the dictionary.
  Packed pack(const Incoming& incoming) FLYBALL_REQUIRES(write_mutex_);
  // False when the group has no base and none can be made for this object.
  bool use_base(const Incoming& incoming) FLYBALL_REQUIRES(write_mutex_);
  bool make_base(const Incoming& incoming, EntryId of, const Record& record) FLYBALL_REQUIRES(write_mutex_);
  std::string_view delta(std::string_view bytes) FLYBALL_REQUIRES(write_mutex_);
  void repack_base(GroupId group) FLYBALL_REQUIRES(write_mutex_);
  void drop_base(GroupId group) FLYBALL_REQUIRES(write_mutex_, mutex_);
  void take_out(const Source& source, EntryId id, std::optional<Object> last) FLYBALL_REQUIRES(write_mutex_);
  void tell(const Source& source, Change::Type type, std::optional<Object> now, const Replaced& before)
      FLYBALL_REQUIRES(write_mutex_);
  void sweep(const Source& source, bool everything) FLYBALL_REQUIRES(write_mutex_);
  void came_to(Source& source, std::string_view resource_version) FLYBALL_REQUIRES(write_mutex_);
  void check_budget() const;
  void learn(std::size_t count) FLYBALL_REQUIRES(write_mutex_);
  struct Samples;
  void sample(EntryId id, Samples& samples) FLYBALL_REQUIRES(write_mutex_);
  // True while there is more to do.
  bool repack_some() FLYBALL_REQUIRES(write_mutex_);
  void repack(EntryId id, const Record& record, const Packed& packed) FLYBALL_REQUIRES(write_mutex_);
  // Brings together what lies scattered, a few at a time. True while there is more to do.
  bool tidy_some() FLYBALL_REQUIRES(write_mutex_);
  void tidy(EntryId id) FLYBALL_REQUIRES(write_mutex_, mutex_);
  void overlay_write(const kube::ObjectKey& key, detail::Written written);

  // The entries.
  EntryId find(std::string_view in_namespace, std::string_view name) const FLYBALL_REQUIRES(mutex_);
  bool is_there(const kube::ObjectKey& key, std::uint32_t uid) const FLYBALL_REQUIRES(mutex_);
  bool is_past(const kube::ObjectKey& key, std::uint64_t version) const FLYBALL_REQUIRES(mutex_);
  EntryId new_entry(std::uint32_t hash) FLYBALL_REQUIRES(mutex_);
  void purge(EntryId id) FLYBALL_REQUIRES(mutex_);
  std::string_view name_of(const Record& record) const FLYBALL_REQUIRES(mutex_);
  PackedObject packed_of(const Record& record) const FLYBALL_REQUIRES(mutex_);
  Record place(std::string_view name, const Packed& packed, Format format, GroupId group)
      FLYBALL_REQUIRES(write_mutex_, mutex_);
  void discard(const Record& record) FLYBALL_REQUIRES(write_mutex_, mutex_);
  void leave_group(const Entry& entry, GroupId group) FLYBALL_REQUIRES(mutex_);
  // Counts a change. True when what was there before is kept for snapshots.
  bool changed(EntryId id, const Record& before) FLYBALL_REQUIRES(mutex_);
  void reclaim() FLYBALL_REQUIRES(write_mutex_, mutex_);
  void index_custom(EntryId id, const std::vector<std::vector<std::string>>& values) FLYBALL_REQUIRES(mutex_);
  std::string text_of(const PackedObject& packed) const;
  Object unpack(const PackedObject& packed) const;

  // Reading.
  std::optional<Object> read(const kube::ObjectKey& key, std::uint64_t epoch, std::uint64_t reader) const;
  Finds collect(const Query& query, std::uint64_t epoch, std::uint64_t reader) const;
  void add(Finds& finds, const Record& record, bool unsure) const FLYBALL_REQUIRES(mutex_);
  void add_written(Finds& finds, const Query& query, std::uint64_t epoch, std::uint64_t reader) const
      FLYBALL_REQUIRES(mutex_);
  const Record& record_at(EntryId id, std::uint64_t epoch) const FLYBALL_REQUIRES(mutex_);
  std::optional<Object> open(const Finds& finds, const Found& found, const Query& query) const;
  static bool is_in(const Query& query, const kube::Metadata& metadata);
  void collect_entries(const Query& query, std::uint64_t epoch, Finds& finds) const FLYBALL_REQUIRES(mutex_);
  void unpin(std::uint64_t epoch) const;

  static constexpr std::size_t kLatest = 512;  // objects to learn a dictionary from

  // Constant after construction.
  const StoreOptions options_;

  // Who fills the store holds it, also while on_change runs. Taken before mutex_.
  mutable Mutex write_mutex_;
  Packer packer_;
  std::string record_ FLYBALL_GUARDED_BY(write_mutex_);
  std::string pruned_ FLYBALL_GUARDED_BY(write_mutex_);
  DeltaEncoder deltas_ FLYBALL_GUARDED_BY(write_mutex_);
  std::uint64_t last_base_ FLYBALL_GUARDED_BY(write_mutex_) = 0;
  std::uint32_t last_mark_ FLYBALL_GUARDED_BY(write_mutex_) = 0;
  std::vector<EntryId> latest_ FLYBALL_GUARDED_BY(write_mutex_);  // put in last: a ring, to learn from
  std::size_t latest_at_ FLYBALL_GUARDED_BY(write_mutex_) = 0;
  std::size_t learn_at_ FLYBALL_GUARDED_BY(write_mutex_) = SIZE_MAX;  // objects at which there is more to learn
  EntryId repack_at_ FLYBALL_GUARDED_BY(write_mutex_) = 0;
  DictionaryId repacked_with_ FLYBALL_GUARDED_BY(write_mutex_) = kAlone;
  bool repack_again_ FLYBALL_GUARDED_BY(write_mutex_) = false;  // bases were left out: readers had them

  bool tidying_ FLYBALL_GUARDED_BY(write_mutex_) = false;
  EntryId tidy_at_ FLYBALL_GUARDED_BY(write_mutex_) = 0;
  std::size_t tidy_above_ FLYBALL_GUARDED_BY(write_mutex_) = 0;  // so many bytes free

  mutable Mutex mutex_;
  Slab slab_ FLYBALL_GUARDED_BY(mutex_);
  std::deque<Entry> entries_ FLYBALL_GUARDED_BY(mutex_);
  std::vector<EntryId> free_entries_ FLYBALL_GUARDED_BY(mutex_);
  detail::KeyTable keys_ FLYBALL_GUARDED_BY(mutex_);
  detail::Index index_ FLYBALL_GUARDED_BY(mutex_);
  std::map<std::string, Custom> custom_ FLYBALL_GUARDED_BY(mutex_);
  std::size_t custom_bytes_ FLYBALL_GUARDED_BY(mutex_) = 0;
  std::size_t live_ FLYBALL_GUARDED_BY(mutex_) = 0;
  std::size_t packer_bytes_ FLYBALL_GUARDED_BY(mutex_) = 0;  // and of the deltas
  detail::Overlay overlay_ FLYBALL_GUARDED_BY(mutex_);
  std::map<std::string, std::uint64_t> positions_ FLYBALL_GUARDED_BY(mutex_);  // of the sources, by namespace

  std::uint64_t epoch_ FLYBALL_GUARDED_BY(mutex_) = 0;  // counts changes
  mutable std::uint64_t last_snapshot_ FLYBALL_GUARDED_BY(mutex_) = 0;
  mutable std::map<std::uint64_t, std::size_t> pins_ FLYBALL_GUARDED_BY(mutex_);  // snapshots by epoch
  std::unordered_map<EntryId, std::vector<Undo>> undo_ FLYBALL_GUARDED_BY(mutex_);
  std::deque<std::pair<std::uint64_t, EntryId>> undo_order_ FLYBALL_GUARDED_BY(mutex_);
};

// The store as it was at one moment, and what this reader itself wrote since. One thread at a time.
class Snapshot {
 public:
  Snapshot(Snapshot&& other) noexcept
      : store_(std::exchange(other.store_, nullptr)), epoch_(other.epoch_), id_(other.id_) {}
  Snapshot& operator=(Snapshot&& other) noexcept {
    std::swap(store_, other.store_);
    std::swap(epoch_, other.epoch_);
    std::swap(id_, other.id_);
    return *this;
  }
  ~Snapshot();

  std::optional<Object> find(const kube::ObjectKey& key) const;
  // In the order of namespaces and names. `at_most` is told first how many there are, or more.
  void each(const Query& query, const std::function<void(const Object&)>& each,
            const std::function<void(std::size_t)>& at_most = {}) const;
  // The same without unpacking anything.
  std::vector<kube::ObjectKey> keys(const Query& query) const;

  // For ByteStore::observe_write: what is written by it, this snapshot sees.
  std::uint64_t id() const noexcept { return id_; }

 private:
  friend class ByteStore;
  Snapshot(const ByteStore& store, std::uint64_t epoch, std::uint64_t id) : store_(&store), epoch_(epoch), id_(id) {}

  const ByteStore* store_;
  std::uint64_t epoch_;
  std::uint64_t id_;
};

}  // namespace flyball::cache
