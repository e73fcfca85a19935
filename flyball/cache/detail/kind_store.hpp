// KindStore: one kind in one scope. A byte store, the reflectors that fill it (one for each namespace that is watched),
// those who listen, and those who use it. Private to the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/condition.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/cache/byte_store.hpp"
#include "flyball/cache/reflector.hpp"
#include "flyball/cache/saved.hpp"
#include "flyball/cache/scope.hpp"
#include "flyball/client/client.hpp"
#include "flyball/client/resource.hpp"

namespace flyball::cache::detail {

using Listener = std::function<void(const Change&)>;

struct KindStoreOptions {
  std::vector<std::string> namespaces = {};  // of the cache
  Duration park = std::chrono::seconds(5);
  bool threads = true;
  SaveOptions saved = {};
  Logger log = {};
  Metrics* metrics = nullptr;
};

class KindStore {
 public:
  KindStore(const client::Client& client, client::Resource resource, Scope scope, KindStoreOptions options);
  ~KindStore();
  KindStore(const KindStore&) = delete;
  KindStore& operator=(const KindStore&) = delete;

  void start();
  // Nobody uses it any more: what is to be saved is, and the watches end. Those who still read it may.
  void stop();
  // Those of the cache have changed.
  void set_namespaces(const std::vector<std::string>& namespaces);

  // True when synced or parked; false at the stop. Throws BudgetError.
  bool wait_for_sync(const Stop& stop) const;
  bool is_synced() const;
  std::vector<ReflectorStatus> status() const;
  std::vector<std::shared_ptr<Reflector>> reflectors() const;

  // Hears of everything there is as added first, on this thread, and then of every change.
  std::uint64_t subscribe(const Listener& listener);
  void unsubscribe(std::uint64_t id);

  // The program's own writes, when they belong here.
  void observe_write(const Arrival& answer, std::uint64_t writer);
  void observe_delete(const kube::ObjectKey& key, std::string_view uid, std::string_view resource_version,
                      std::uint64_t writer);

  // Writes the store down, where it is to be saved. Errors are logged.
  void save();

  const ByteStore& store() const noexcept { return store_; }
  const client::Resource& resource() const noexcept { return resource_; }
  const std::string& name() const noexcept { return name_; }
  const Scope& scope() const noexcept { return scope_; }

 private:
  struct Runner;

  StoreOptions store_options();
  IndexFunction guarded(const std::string& name, IndexFunction function) const;
  void tell(const Change& change);
  void run(const std::string& in_namespace, std::string resume_at) FLYBALL_REQUIRES(changing_);
  std::vector<std::string> wanted(const std::vector<std::string>& of_cache) const;
  // Where the watches of the namespaces go on.
  std::map<std::string, std::string> load(const std::vector<std::string>& namespaces);
  SavedHead saved_head(const std::vector<std::string>& namespaces) const;
  std::string saved_file() const;
  bool watches(std::string_view in_namespace) const;
  void sample(Metrics& metrics);

  // Constant after construction.
  const client::Client client_;
  const client::Resource resource_;
  const Scope scope_;
  const KindStoreOptions options_;
  const std::string name_;  // "deployments.apps"

  Mutex listening_;  // held while listeners run
  std::map<std::uint64_t, Listener> listeners_ FLYBALL_GUARDED_BY(listening_);
  std::uint64_t last_listener_ FLYBALL_GUARDED_BY(listening_) = 0;

  ByteStore store_;

  Mutex changing_;  // held while runners come and go; before mutex_
  mutable Mutex waiting_;
  mutable Condition changed_;
  mutable Mutex mutex_;
  std::map<std::string, std::unique_ptr<Runner>> runners_ FLYBALL_GUARDED_BY(mutex_);

  std::vector<MetricSample> samples_;
};

}  // namespace flyball::cache::detail
