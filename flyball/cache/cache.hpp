// Cache: the objects an operator reads, kept the way the server has them. Reads cost microseconds and no request, and
// what they give is the caller's own.
//
//   Cache cache(client);
//   const auto pods = cache.watch<core::Pod>();                   // as long as somebody holds one, Pods are watched
//   cache.wait_for_sync(stop);
//
//   const auto web = cache.get<core::Pod>({"default", "web"});    // throws when it is not there; find() does not
//   for (const auto& pod : cache.list<core::Pod>({.namespace_ = "default", .labels = {{"app", "web"}}})) use(pod);
//
// There is one store for each kind and scope (scope.hpp), shared by all who use it; it holds the bytes the server sent.
// A read decodes them: as a struct, as dynamic JSON, or the metadata alone (object.hpp).
//
// Within one reconcile, read through a ReadView: two reads never disagree, and its own writes, once observed, are seen
// by get and list before the watch tells of them.
//
//   ReadView view = cache.view();
//   view.observe_write(client.apply(deployment));
//   view.get<apps::Deployment>(key);                              // has just been applied
//
// A kind that nobody watches is not read: that is an Error which says so, and never a watch by accident.
//
// Thread-safety: a Cache may be used from any thread, a ReadView by one at a time. Lifetime: the client outlives the
// cache, the cache outlives its watches and views.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/base/api_error.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/cache/byte_store.hpp"
#include "flyball/cache/change.hpp"
#include "flyball/cache/query.hpp"
#include "flyball/cache/read_view.hpp"
#include "flyball/cache/reflector.hpp"
#include "flyball/cache/saved.hpp"
#include "flyball/cache/scope.hpp"
#include "flyball/client/client.hpp"

namespace flyball::cache {

struct CacheOptions {
  std::vector<std::string> namespaces = {};  // of scopes that name none; empty: all. Cache::set_namespaces changes it
  SaveOptions saved = {};                    // opt-in
  Duration park = std::chrono::seconds(5);   // between two looks for a kind that the server does not have
  bool threads = true;                       // one for each watch; false: whoever polls the reflectors() does it all
  Logger log = {};
  Metrics* metrics = nullptr;  // flyball_cache_*; those of the watches are the client's
};

// One store, for probes and people.
struct StoreStatus {
  std::string resource = {};  // "deployments.apps"
  std::string scope = {};
  std::size_t objects = 0;
  std::size_t bytes = 0;
  bool over_budget = false;
  std::vector<ReflectorStatus> watches = {};  // one for each namespace that is watched
};

// A kind is watched as long as somebody holds one of these. With a listener: it is not called any more once this is
// gone, so do not let go of it inside the listener.
class [[nodiscard]] Watching {
 public:
  Watching() = default;
  Watching(Watching&& other) noexcept;
  Watching& operator=(Watching&& other) noexcept;
  ~Watching();

  // True when all there is has been read, or the server does not have the kind; false at the stop. Throws BudgetError.
  bool wait_for_sync(const Stop& stop) const;
  bool is_synced() const;
  // The store of this very scope.
  const ByteStore& store() const;

 private:
  friend class Cache;
  Watching(Cache& cache, std::shared_ptr<detail::KindStore> store, std::uint64_t listener)
      : cache_(&cache), store_(std::move(store)), listener_(listener) {}

  Cache* cache_ = nullptr;
  std::shared_ptr<detail::KindStore> store_ = {};
  std::uint64_t listener_ = 0;
};

class Cache {
 public:
  explicit Cache(const client::Client& client, CacheOptions options = {});
  ~Cache();
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  // Starts with the first user of a kind and scope, and ends with the last.
  template <class T>
  Watching watch(Scope scope = {}) {
    return watch(client::resource_of<T>(), std::move(scope));
  }
  Watching watch(const client::Resource& resource, Scope scope = {});

  // The same, and `listener` hears of everything there is, as added, before this returns, and then of every change: in
  // order, one at a time, on the thread of the watch. It must not block, and may read the cache.
  template <class T>
  Watching subscribe(Scope scope, const std::function<void(const Change&)>& listener) {
    return subscribe(client::resource_of<T>(), std::move(scope), listener);
  }
  Watching subscribe(const client::Resource& resource, Scope scope, const std::function<void(const Change&)>& listener);

  // Of everything that is watched now.
  bool wait_for_sync(const Stop& stop) const;

  // Reads, each of the present moment.
  template <class T>
  T get(const kube::ObjectKey& key) const {
    return ReadView(*this).get<T>(key);
  }
  template <class T>
  std::optional<T> find(const kube::ObjectKey& key) const {
    return ReadView(*this).find<T>(key);
  }
  template <class T>
  std::vector<T> list(const Query& query = {}) const {
    return ReadView(*this).list<T>(query);
  }
  std::optional<Object> find(const client::Resource& resource, const kube::ObjectKey& key) const {
    return ReadView(*this).find(resource, key);
  }

  // Reads of one moment, this one.
  ReadView view() const;
  // Of what these hold, and of nothing else. A kind may be watched in several scopes, each at its own pace: whoever
  // listens to one reads from that one, or may find an object as it was before the change that was heard.
  ReadView view(std::span<const Watching* const> own) const;

  // The program's own writes, where there is no view to tell of them.
  template <class T>
  void observe_write(const T& answer) const {
    ReadView(*this).observe_write(answer);
  }

  // Of the scopes that name none. Objects of namespaces that are not among them go, and listeners hear of it.
  void set_namespaces(std::vector<std::string> namespaces);

  // Writes down what is to be saved. Also done for a store when its last user goes; errors are logged.
  void save();
  std::vector<StoreStatus> status() const;
  bool is_synced() const;
  // One for each kind, scope and namespace that is watched: for those who poll them on a thread of their own.
  std::vector<std::shared_ptr<Reflector>> reflectors() const;

 private:
  friend class Watching;
  friend class ReadView;
  using Stores = std::vector<std::shared_ptr<detail::KindStore>>;
  struct Shared {
    std::shared_ptr<detail::KindStore> store = {};
    std::size_t users = 0;
  };

  std::shared_ptr<detail::KindStore> use(const client::Resource& resource, Scope scope);
  void leave(const std::shared_ptr<detail::KindStore>& store);
  Stores stores() const;
  // All of that kind, the widest scope first.
  Stores stores_of(const client::Resource& resource) const;

  // Constant after construction.
  const client::Client client_;
  const CacheOptions options_;

  Mutex changing_;  // held while stores come and go; before mutex_
  mutable Mutex mutex_;
  // By kind and scope.
  std::map<std::pair<std::string, std::string>, Shared> stores_ FLYBALL_GUARDED_BY(mutex_);
  std::vector<std::string> namespaces_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace flyball::cache

namespace flyball {
using cache::Cache;
}
