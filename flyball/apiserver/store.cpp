#include "flyball/apiserver/store.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace flyball::apiserver {

Compacted::Compacted(Revision asked, Revision oldest)
    : Error("revision " + std::to_string(asked) + " is no longer held: the oldest is " + std::to_string(oldest)),
      oldest_(oldest) {}

NotYet::NotYet(Revision asked, Revision now)
    : Error("revision " + std::to_string(asked) + " has not been yet: the latest is " + std::to_string(now)),
      now_(now) {}

Outdated::Outdated(const StoreKey& key, Stored found)
    : Error(
          key.resource + " \"" + key.name + "\" " +
          (found.bytes == nullptr ? std::string("is not there") : "is at revision " + std::to_string(found.revision))),
      found_(std::move(found)) {}

Store::Store(Clock& clock, Journal* journal) : clock_(clock), journal_(journal) {}
Store::~Store() = default;

Store::Shelf& Store::shelf(const std::string& resource) {
  std::unique_ptr<Shelf>& slot = shelves_[resource];
  if (slot == nullptr) slot = std::make_unique<Shelf>(clock_);
  return *slot;
}

const Store::Shelf* Store::find_shelf(const std::string& resource) const {
  const auto found = shelves_.find(resource);
  return found == shelves_.end() ? nullptr : found->second.get();
}

Stored Store::current(const Shelf& shelf, const std::string& name) {
  const auto found = shelf.objects.find(name);
  if (found == shelf.objects.end()) return {};
  const Version& last = found->second.back();
  if (last.bytes == nullptr) return {};
  return {last.revision, last.bytes};
}

void Store::commit(Shelf& shelf, Change change) {
  auto shared = std::make_shared<const Change>(std::move(change));
  if (journal_ != nullptr) journal_->append(*shared);
  take_over(shelf, std::move(shared));
}

void Store::take_over(Shelf& shelf, ChangePointer change) {
  revision_ = change->revision;
  shelf.objects[change->key.name].push_back({change->revision, change->after});
  if (change->after != nullptr) bytes_ += change->after->size();
  if (change->before.bytes == nullptr) ++shelf.living;
  if (change->is_delete()) --shelf.living;
  shelf.changes.push_back(std::move(change));
}

void Store::replay(Change change) {
  const MutexLock lock(mutex_);
  assert(change.revision > revision_);
  Shelf& shelf = this->shelf(change.key.resource);
  change.before = current(shelf, change.key.name);
  // A compacted journal may begin with the end of something whose beginning it no longer has.
  if (change.is_delete() && change.before.bytes == nullptr) {
    revision_ = change.revision;
    return;
  }
  take_over(shelf, std::make_shared<const Change>(std::move(change)));
}

Revision Store::put(const StoreKey& key, Revision expected, const Make& make) {
  return put(key, expected, MakeBytes([&](Revision next) { return std::make_shared<const StoredText>(make(next)); }));
}

Revision Store::put(const StoreKey& key, Revision expected, const MakeBytes& make) {
  MutexLock lock(mutex_);
  Shelf& shelf = this->shelf(key.resource);
  Stored before = current(shelf, key.name);
  if (expected != kAnything && before.revision != expected) throw Outdated(key, std::move(before));
  const Revision next = revision_ + 1;
  commit(shelf, {.revision = next, .key = key, .before = std::move(before), .after = make(next)});
  lock.unlock();
  shelf.changed.notify_all();  // without the lock, which all who wake up want
  return next;
}

Revision Store::erase(const StoreKey& key, Revision expected, const Make& make) {
  MutexLock lock(mutex_);
  Shelf& shelf = this->shelf(key.resource);
  Stored before = current(shelf, key.name);
  const bool there = before.bytes != nullptr;
  if (!there || (expected != kAnything && before.revision != expected)) throw Outdated(key, std::move(before));
  const Revision next = revision_ + 1;
  auto last = std::make_shared<const StoredText>(make(next));
  commit(shelf, {.revision = next, .key = key, .before = std::move(before), .last = std::move(last)});
  lock.unlock();
  shelf.changed.notify_all();
  return next;
}

std::optional<Stored> Store::find(const StoreKey& key) const {
  const MutexLock lock(mutex_);
  const Shelf* shelf = find_shelf(key.resource);
  if (shelf == nullptr) return std::nullopt;
  Stored stored = current(*shelf, key.name);
  if (stored.bytes == nullptr) return std::nullopt;
  return stored;
}

Page Store::list(const std::string& resource, const PageOptions& options) const {
  const MutexLock lock(mutex_);
  const Revision at = options.at == 0 ? revision_ : options.at;
  if (at > revision_) throw NotYet(at, revision_);
  if (at < oldest_) throw Compacted(at, oldest_);
  Page page{.revision = at};
  const Shelf* shelf = find_shelf(resource);
  if (shelf == nullptr) return page;
  auto from = options.after < options.prefix ? shelf->objects.lower_bound(options.prefix)
                                             : shelf->objects.upper_bound(options.after);
  for (; from != shelf->objects.end() && from->first.starts_with(options.prefix); ++from) {
    const Versions& versions = from->second;
    const auto later = std::ranges::upper_bound(versions, at, {}, &Version::revision);
    if (later == versions.begin()) continue;
    const Version& version = *std::prev(later);
    if (version.bytes == nullptr) continue;
    if (options.limit != 0 && page.items.size() == options.limit) {
      ++page.remaining;
    } else {
      page.items.emplace_back(from->first, Stored{version.revision, version.bytes});
    }
  }
  return page;
}

std::size_t Store::count(const std::string& resource) const {
  const MutexLock lock(mutex_);
  const Shelf* shelf = find_shelf(resource);
  return shelf == nullptr ? 0 : shelf->living;
}

std::vector<std::string> Store::resources() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, shelf] : shelves_) {
    if (shelf->living != 0) names.push_back(name);
  }
  return names;
}

Revision Store::revision() const {
  const MutexLock lock(mutex_);
  return revision_;
}

Revision Store::oldest() const {
  const MutexLock lock(mutex_);
  return oldest_;
}

std::size_t Store::bytes_held() const {
  const MutexLock lock(mutex_);
  return bytes_;
}

void Store::compact(Shelf& shelf, Revision oldest, std::size_t& freed) {
  while (!shelf.changes.empty() && shelf.changes.front()->revision <= oldest) {
    shelf.forgotten = shelf.changes.front()->revision;
    shelf.changes.pop_front();
  }
  for (auto at = shelf.objects.begin(); at != shelf.objects.end();) {
    Versions& versions = at->second;
    // The last one at or before `oldest` is what a list at `oldest` shows: it stays, unless it says "deleted".
    auto keep = std::ranges::upper_bound(versions, oldest, {}, &Version::revision);
    if (keep != versions.begin() && std::prev(keep)->bytes != nullptr) --keep;
    for (auto gone = versions.begin(); gone != keep; ++gone) {
      if (gone->bytes != nullptr) freed += gone->bytes->size();
    }
    versions.erase(versions.begin(), keep);
    at = versions.empty() ? shelf.objects.erase(at) : std::next(at);
  }
}

void Store::compact(Revision oldest) {
  const MutexLock lock(mutex_);
  if (oldest > revision_) throw NotYet(oldest, revision_);
  if (oldest <= oldest_) return;
  if (journal_ != nullptr) journal_->compact(oldest);
  forget_before(oldest);
}

void Store::forget(Revision oldest) {
  const MutexLock lock(mutex_);
  forget_before(oldest);
}

void Store::forget_before(Revision oldest) {
  oldest_ = oldest;
  std::size_t freed = 0;
  for (auto& [name, shelf] : shelves_) {
    compact(*shelf, oldest, freed);
    shelf->changed.notify_all();  // those who fell behind are to know
  }
  bytes_ -= freed;
}

Snapshot Store::snapshot() const {
  const MutexLock lock(mutex_);
  Snapshot snapshot{.revision = revision_};
  for (const auto& [resource, shelf] : shelves_) {
    for (const auto& [name, versions] : shelf->objects) {
      const Version& last = versions.back();
      if (last.bytes != nullptr) snapshot.objects.try_emplace({resource, name}, Stored{last.revision, last.bytes});
    }
  }
  return snapshot;
}

void Store::restore(const Snapshot& snapshot) {
  const MutexLock lock(mutex_);
  // One further than both: what was read before, at whatever revision, is of another history.
  const Revision next = std::max(revision_, snapshot.revision) + 1;
  if (journal_ != nullptr) journal_->restart({.revision = next, .objects = snapshot.objects});
  for (auto& [name, shelf] : shelves_) {
    shelf->objects.clear();
    shelf->changes.clear();
    shelf->living = 0;
  }
  bytes_ = 0;
  revision_ = next;
  oldest_ = next;
  for (const auto& [key, stored] : snapshot.objects) {
    Shelf& shelf = this->shelf(key.resource);
    shelf.objects[key.name].push_back({stored.revision, stored.bytes});
    ++shelf.living;
    bytes_ += stored.bytes->size();
  }
  for (auto& [name, shelf] : shelves_) {
    shelf->forgotten = revision_;
    shelf->changed.notify_all();
  }
}

Follower Store::follow(const std::string& resource, Revision after) {
  const MutexLock lock(mutex_);
  if (after > revision_) throw NotYet(after, revision_);
  if (after < oldest_) throw Compacted(after, oldest_);
  shelf(resource);
  return {*this, resource, after};
}

Follower::Follower(Store& store, std::string resource, Revision after)
    : store_(&store), resource_(std::move(resource)), position_(after) {}

// The analysis is off where the caller, who is always a member below, holds the store's lock.
bool Follower::fell_behind() const FLYBALL_NO_THREAD_SAFETY_ANALYSIS {
  // Not by the store's oldest revision: a follower of a quiet resource has missed nothing.
  return position_ < store_->find_shelf(resource_)->forgotten;
}

bool Follower::has_news() const FLYBALL_NO_THREAD_SAFETY_ANALYSIS {
  const auto& changes = store_->find_shelf(resource_)->changes;
  return fell_behind() || (!changes.empty() && changes.back()->revision > position_);
}

bool Follower::wait(const Stop& stop) const {
  const MutexLock lock(store_->mutex_);
  Store::Shelf& shelf = store_->shelf(resource_);
  return shelf.changed.wait(store_->mutex_, stop, [this] { return has_news(); });
}

std::vector<ChangePointer> Follower::take(std::size_t limit) {
  const MutexLock lock(store_->mutex_);
  if (fell_behind()) throw Compacted(position_, store_->oldest_);
  const auto& changes = store_->find_shelf(resource_)->changes;
  auto from = std::ranges::upper_bound(changes, position_, {}, [](const ChangePointer& one) { return one->revision; });
  const auto there = static_cast<std::size_t>(changes.end() - from);
  std::vector<ChangePointer> taken(from, from + static_cast<std::ptrdiff_t>(std::min(limit, there)));
  // Others may have moved on: a bookmark says so, and a follower of a quiet resource does not fall behind.
  position_ = there <= limit ? store_->revision_ : taken.back()->revision;
  return taken;
}

}  // namespace flyball::apiserver
