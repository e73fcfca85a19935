#include "flyball/cache/cache.hpp"

#include <algorithm>

#include "flyball/cache/detail/kind_store.hpp"

namespace flyball::cache {

using detail::KindStore;

Watching::Watching(Watching&& other) noexcept
    : cache_(std::exchange(other.cache_, nullptr)),
      store_(std::move(other.store_)),
      listener_(std::exchange(other.listener_, 0)) {}

Watching& Watching::operator=(Watching&& other) noexcept {
  std::swap(cache_, other.cache_);
  std::swap(store_, other.store_);
  std::swap(listener_, other.listener_);
  return *this;
}

Watching::~Watching() {
  if (cache_ == nullptr) return;
  if (listener_ != 0) store_->unsubscribe(listener_);
  const auto store = std::move(store_);
  cache_->leave(store);
}

bool Watching::wait_for_sync(const Stop& stop) const { return store_->wait_for_sync(stop); }
bool Watching::is_synced() const { return store_->is_synced(); }
const ByteStore& Watching::store() const { return store_->store(); }

Cache::Cache(const client::Client& client, CacheOptions options)
    : client_(client), options_(std::move(options)), namespaces_(options_.namespaces) {}

Cache::~Cache() = default;

std::shared_ptr<KindStore> Cache::use(const client::Resource& resource, Scope scope) {
  const MutexLock changing(changing_);
  detail::KindStoreOptions options{.park = options_.park,
                                   .threads = options_.threads,
                                   .saved = options_.saved,
                                   .log = options_.log,
                                   .metrics = options_.metrics};
  const std::pair key(resource.resource().to_string(), scope.to_string());
  {
    const MutexLock lock(mutex_);
    if (const auto found = stores_.find(key); found != stores_.end()) {
      ++found->second.users;
      return found->second.store;
    }
    options.namespaces = namespaces_;
  }
  auto store = std::make_shared<KindStore>(client_, resource, std::move(scope), std::move(options));
  store->start();
  const MutexLock lock(mutex_);
  stores_[key] = {.store = store, .users = 1};
  return store;
}

void Cache::leave(const std::shared_ptr<KindStore>& store) {
  const MutexLock changing(changing_);
  {
    const MutexLock lock(mutex_);
    const auto found = std::ranges::find_if(stores_, [&](const auto& entry) { return entry.second.store == store; });
    if (found == stores_.end() || --found->second.users != 0) return;
    stores_.erase(found);
  }
  store->stop();
}

Watching Cache::watch(const client::Resource& resource, Scope scope) {
  return {*this, use(resource, std::move(scope)), 0};
}

Watching Cache::subscribe(const client::Resource& resource, Scope scope,
                          const std::function<void(const Change&)>& listener) {
  Watching watching = watch(resource, std::move(scope));
  watching.listener_ = watching.store_->subscribe(listener);
  return watching;
}

Cache::Stores Cache::stores() const {
  const MutexLock lock(mutex_);
  Stores all;
  for (const auto& [key, shared] : stores_) all.push_back(shared.store);
  return all;
}

Cache::Stores Cache::stores_of(const client::Resource& resource) const {
  const std::string kind = resource.resource().to_string();
  Stores found;
  const MutexLock lock(mutex_);
  // The text of the widest scope is empty, and comes first.
  for (auto at = stores_.lower_bound({kind, ""}); at != stores_.end() && at->first.first == kind; ++at) {
    found.push_back(at->second.store);
  }
  // Metadata alone is no object.
  std::ranges::stable_partition(found,
                                [](const auto& store) { return store->scope().extent == client::Extent::whole; });
  return found;
}

bool Cache::wait_for_sync(const Stop& stop) const {
  const auto all = stores();
  return std::ranges::all_of(all, [&](const auto& store) { return store->wait_for_sync(stop); });
}

ReadView Cache::view() const {
  ReadView view(*this);
  for (auto& store : stores()) view.pin(std::move(store));
  return view;
}

ReadView Cache::view(std::span<const Watching* const> own) const {
  ReadView view(*this);
  view.only_own_ = true;
  for (const Watching* watching : own) view.pin(watching->store_).read = true;
  return view;
}

void Cache::set_namespaces(std::vector<std::string> namespaces) {
  const MutexLock changing(changing_);
  for (const auto& store : stores()) store->set_namespaces(namespaces);
  const MutexLock lock(mutex_);
  namespaces_ = std::move(namespaces);
}

void Cache::save() {
  for (const auto& store : stores()) store->save();
}

bool Cache::is_synced() const {
  const auto all = stores();
  return std::ranges::all_of(all, [](const auto& store) { return store->is_synced(); });
}

std::vector<std::shared_ptr<Reflector>> Cache::reflectors() const {
  std::vector<std::shared_ptr<Reflector>> all;
  for (const auto& store : stores()) {
    for (auto& reflector : store->reflectors()) all.push_back(std::move(reflector));
  }
  return all;
}

std::vector<StoreStatus> Cache::status() const {
  std::vector<StoreStatus> all;
  for (const auto& store : stores()) {
    all.push_back({.resource = store->name(),
                   .scope = store->scope().to_string(),
                   .objects = store->store().count(),
                   .bytes = store->store().bytes(),
                   .over_budget = store->store().over_budget(),
                   .watches = store->status()});
  }
  return all;
}

}  // namespace flyball::cache
