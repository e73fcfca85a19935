// Store: every object of the server, as bytes, in one history with one revision.
//
//   Store store(clock);
//   const Revision made = store.put({"apps/deployments", "default/web"}, kAbsent, [&](Revision next) {
//     return encode_with_resource_version(object, next);
//   });
//   const auto now = store.find({"apps/deployments", "default/web"});
//   const Page page = store.list("apps/deployments", {.prefix = "default/", .limit = 500});
//
//   Follower follower = store.follow("apps/deployments", page.revision);      // a watch: every change after that
//   while (follower.wait(stop)) for (const auto& change : follower.take()) send(*change);
//
// Every write takes the next revision, across all resources; the bytes are made when it is known, because objects carry
// it. The past stays readable until it is compacted: lists at a revision see exactly what was there, and followers get
// every change since. A follower costs nothing while nothing happens and has no queue that could grow: it reads the
// history at its own pace, and one that falls behind what is kept is told so.
//
// Errors: Compacted for a revision that is no longer held, NotYet for one that has not been; a write whose expectation
// fails throws Outdated with what is there.
//
// Thread-safety: all members may be called from any thread, a Follower by one at a time. `make` runs under the store's
// lock: it encodes, and does nothing else.
// Lifetime: the store outlives its followers; the clock and the journal outlive the store.
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
#include <vector>

#include "flyball/apiserver/stored_text.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/base/condition.hpp"
#include "flyball/base/error.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/stop.hpp"

namespace flyball::apiserver {

using Revision = std::int64_t;

// Where an object lies. Keys sort as etcd's do: by their bytes.
struct StoreKey {
  std::string resource = {};  // "apps/deployments", "pods"
  std::string name = {};      // "default/web"; "node-1" for what has no namespace
  friend auto operator<=>(const StoreKey&, const StoreKey&) = default;
};

struct Stored {
  Revision revision = 0;  // of its last write
  Bytes bytes = {};
};

// One write, as followers see it.
struct Change {
  Revision revision = 0;
  StoreKey key = {};
  Stored before = {};  // no bytes: it was not there
  Bytes after = {};    // none: it is gone
  Bytes last = {};     // of a deletion: the object as it was last, with the revision of its end
  bool is_delete() const noexcept { return after == nullptr; }
};
using ChangePointer = std::shared_ptr<const Change>;

struct Page {
  Revision revision = 0;  // the moment it shows
  std::vector<std::pair<std::string, Stored>> items = {};
  std::size_t remaining = 0;  // behind the last one
};

struct PageOptions {
  std::string prefix = {};  // of the names: "default/"
  std::string after = {};   // names greater than this: where the last page ended
  std::size_t limit = 0;    // 0: all
  Revision at = 0;          // 0: now
};

// The revision asked for is older than what is kept.
class Compacted : public Error {
 public:
  Compacted(Revision asked, Revision oldest);
  Revision oldest() const noexcept { return oldest_; }

 private:
  Revision oldest_;
};

// The revision asked for has not been yet.
class NotYet : public Error {
 public:
  NotYet(Revision asked, Revision now);
  Revision now() const noexcept { return now_; }

 private:
  Revision now_;
};

// A write expected another version, or none, or one.
class Outdated : public Error {
 public:
  explicit Outdated(const StoreKey& key, Stored found);
  const Stored& found() const noexcept { return found_; }  // no bytes: nothing is there

 private:
  Stored found_;
};

// What a write may expect instead of a revision.
inline constexpr Revision kAbsent = 0;
inline constexpr Revision kAnything = -1;

// Everything at one moment: to go back to, or to write to a file.
struct Snapshot {
  Revision revision = 0;
  std::map<StoreKey, Stored> objects = {};
};

// Where the store writes down what it does, before it is acknowledged: a file (sqlite_journal.hpp). Called in order,
// under the store's lock. What throws has not happened.
class Journal {
 public:
  Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  virtual ~Journal() = default;

  virtual void append(const Change& change) = 0;
  virtual void compact(Revision oldest) = 0;
  // Everything that was is replaced by this.
  virtual void restart(const Snapshot& snapshot) = 0;
};

class Follower;

class Store {
 public:
  // The bytes of the object, given the revision the write will have.
  using Make = std::function<std::string(Revision next)>;
  using MakeBytes = std::function<Bytes(Revision next)>;

  // Without a journal everything is gone with the store.
  explicit Store(Clock& clock, Journal* journal = nullptr);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Writes, if what is there has the revision expected. Returns the revision of the write.
  Revision put(const StoreKey& key, Revision expected, const Make& make);
  Revision put(const StoreKey& key, Revision expected, const MakeBytes& make);
  // Deletes. `make` gives the object as followers see it last. Nothing to delete is Outdated, whatever was expected.
  Revision erase(const StoreKey& key, Revision expected, const Make& make);

  std::optional<Stored> find(const StoreKey& key) const;
  Page list(const std::string& resource, const PageOptions& options = {}) const;
  std::size_t count(const std::string& resource) const;
  std::vector<std::string> resources() const;

  // Every change of a resource after a revision.
  Follower follow(const std::string& resource, Revision after);

  // For a journal that brings everything back, before anybody uses the store: its changes in their order (`before` is
  // found here), and what it had compacted.
  void replay(Change change);
  void forget(Revision oldest);

  // The revision of the last write.
  Revision revision() const;
  // The oldest revision that can be listed at, and followed from.
  Revision oldest() const;
  // Forgets what was before: lists at older revisions and followers behind it get Compacted.
  void compact(Revision oldest);
  // Bytes of all versions that are held.
  std::size_t bytes_held() const;

  Snapshot snapshot() const;
  // Everything becomes as it was then; the revision goes on from the greater of both, and followers get Compacted.
  void restore(const Snapshot& snapshot);

 private:
  friend class Follower;
  struct Version {
    Revision revision = 0;
    Bytes bytes = {};  // none: deleted
  };
  using Versions = std::vector<Version>;  // in order; one for most objects
  struct Shelf {
    explicit Shelf(Clock& clock) : changed(clock) {}
    std::map<std::string, Versions, std::less<>> objects;
    std::deque<ChangePointer> changes;  // since the compaction
    Revision forgotten = 0;             // the last change that is no longer among them
    std::size_t living = 0;
    Condition changed;
  };

  Shelf& shelf(const std::string& resource) FLYBALL_REQUIRES(mutex_);
  const Shelf* find_shelf(const std::string& resource) const FLYBALL_REQUIRES(mutex_);
  static Stored current(const Shelf& shelf, const std::string& name);
  void commit(Shelf& shelf, Change change) FLYBALL_REQUIRES(mutex_);
  void take_over(Shelf& shelf, ChangePointer change) FLYBALL_REQUIRES(mutex_);
  void forget_before(Revision oldest) FLYBALL_REQUIRES(mutex_);
  static void compact(Shelf& shelf, Revision oldest, std::size_t& freed);

  // Constant after construction.
  Clock& clock_;
  Journal* const journal_;

  mutable Mutex mutex_;
  std::map<std::string, std::unique_ptr<Shelf>, std::less<>> shelves_ FLYBALL_GUARDED_BY(mutex_);
  Revision revision_ FLYBALL_GUARDED_BY(mutex_) = 1;
  Revision oldest_ FLYBALL_GUARDED_BY(mutex_) = 1;
  std::size_t bytes_ FLYBALL_GUARDED_BY(mutex_) = 0;
};

// Reads the changes of one resource, from a revision on, at its own pace.
class Follower {
 public:
  // Waits for changes: true when there are some, false at the stop or its deadline.
  bool wait(const Stop& stop) const;
  // The changes there are, at most `limit`; empty when there are none. Throws Compacted when it fell too far behind.
  std::vector<ChangePointer> take(std::size_t limit = 1000);
  // Everything up to here has been taken: the revision of a bookmark. Goes on with writes to other resources.
  Revision position() const noexcept { return position_; }

 private:
  friend class Store;
  Follower(Store& store, std::string resource, Revision after);
  // With the store's lock held.
  bool fell_behind() const;
  bool has_news() const;

  Store* store_;
  std::string resource_;
  Revision position_;
};

}  // namespace flyball::apiserver
