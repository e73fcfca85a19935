#include "flyball/cache/detail/kind_store.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace flyball::cache::detail {
namespace {

kube::GroupVersionKind stored_kind(const client::Resource& resource, const Scope& scope) {
  if (scope.extent == client::Extent::whole) return resource.kind;
  return {"meta.k8s.io", "v1", "PartialObjectMetadata"};
}

std::string name_of(const client::Resource& resource) {
  return resource.kind.group.empty() ? resource.plural : resource.plural + "." + resource.kind.group;
}

// A file's name, of whatever characters a scope has.
std::string file_name(const std::string& resource, const std::string& scope) {
  if (scope.empty()) return resource + ".cache";
  return resource + "-" + std::to_string(std::hash<std::string>()(scope)) + ".cache";
}

}  // namespace

struct KindStore::Runner {
  std::shared_ptr<Reflector> reflector = {};
  StopSource stop = {};
  std::unique_ptr<Thread> thread = {};
};

KindStore::KindStore(const client::Client& client, client::Resource resource, Scope scope, KindStoreOptions options)
    : client_(client),
      resource_(std::move(resource)),
      scope_(std::move(scope)),
      options_(std::move(options)),
      name_(name_of(resource_)),
      store_(store_options()),
      changed_(client.engine()->clock()) {
  if (options_.metrics != nullptr) sample(*options_.metrics);
}

KindStore::~KindStore() { stop(); }

void KindStore::stop() {
  save();
  const MutexLock changing(changing_);
  std::map<std::string, std::unique_ptr<Runner>> runners;
  {
    const MutexLock lock(mutex_);
    runners.swap(runners_);
  }
  for (auto& [name, runner] : runners) runner->stop.request_stop("nobody uses the cache of this kind any more");
  for (auto& [name, runner] : runners) runner->thread.reset();
}

StoreOptions KindStore::store_options() {
  StoreOptions options{.kind = stored_kind(resource_, scope_),
                       .managed_fields = scope_.managed_fields,
                       .budget = scope_.budget,
                       .on_change = [this](const Change& change) { tell(change); }};
  for (const auto& [name, function] : scope_.indexes) options.indexes[name] = guarded(name, function);
  return options;
}

IndexFunction KindStore::guarded(const std::string& name, IndexFunction function) const {
  return [this, name, function = std::move(function)](const Object& object) -> std::vector<std::string> {
    try {
      return function(object);
    } catch (const std::exception& error) {
      options_.log.error("an index failed; the object is not in it", "index", name, "kind", name_, "object",
                         object.key().to_string(), "error", error);
      return {};
    }
  };
}

void KindStore::sample(Metrics& metrics) {
  const Metrics::Labels labels{{"resource", name_}, {"scope", scope_.to_string()}};
  const auto add = [&](const char* metric, const char* help, std::function<double()> value) {
    samples_.push_back(metrics.sampled_gauge(metric, help, labels, std::move(value)));
  };
  add("flyball_cache_bytes", "What the cache of a kind takes, with its indexes and dictionaries.",
      [this] { return static_cast<double>(store_.bytes()); });
  add("flyball_cache_objects", "Objects in the cache of a kind.",
      [this] { return static_cast<double>(store_.count()); });
  add("flyball_cache_pending_writes", "Own writes that the watch has not told of yet.",
      [this] { return static_cast<double>(store_.pending_writes()); });
  add("flyball_cache_synced", "1 when all objects of a kind have been read.",
      [this] { return is_synced() ? 1.0 : 0.0; });
}

std::vector<std::string> KindStore::wanted(const std::vector<std::string>& of_cache) const {
  const auto& named = scope_.namespaces.empty() ? of_cache : scope_.namespaces;
  if (!resource_.namespaced || scope_.all_namespaces || named.empty()) return {""};
  const std::set<std::string> once(named.begin(), named.end());
  return {once.begin(), once.end()};
}

void KindStore::start() {
  const MutexLock changing(changing_);
  const std::vector<std::string> namespaces = wanted(options_.namespaces);
  const auto positions = load(namespaces);
  for (const std::string& name : namespaces) {
    const auto position = positions.find(name);
    run(name, position == positions.end() ? "" : position->second);
  }
}

void KindStore::run(const std::string& in_namespace, std::string resume_at) {
  auto runner = std::make_unique<Runner>();
  runner->reflector = std::make_shared<Reflector>(client_, store_,
                                                  client::WatchOptions{.resource = resource_,
                                                                       .namespace_ = in_namespace,
                                                                       .labels = scope_.labels,
                                                                       .selector = scope_.selector,
                                                                       .fields = scope_.fields,
                                                                       .extent = scope_.extent},
                                                  ReflectorOptions{.park = options_.park,
                                                                   .resume_at = std::move(resume_at),
                                                                   .log = options_.log,
                                                                   .on_status = [this] { changed_.notify_all(); }});
  Runner& started = *runner;
  {
    const MutexLock lock(mutex_);
    runners_[in_namespace] = std::move(runner);
  }
  if (!options_.threads) return;
  started.thread =
      std::make_unique<Thread>(client_.engine()->clock(), "cache " + resource_.plural,
                               [reflector = started.reflector, stop = started.stop.stop()] { reflector->run(stop); });
}

void KindStore::set_namespaces(const std::vector<std::string>& namespaces) {
  const MutexLock changing(changing_);
  const std::vector<std::string> now = wanted(namespaces);
  std::map<std::string, std::unique_ptr<Runner>> gone;
  std::vector<std::string> fresh;
  {
    const MutexLock lock(mutex_);
    for (auto at = runners_.begin(); at != runners_.end();) {
      const auto next = std::next(at);
      if (std::ranges::find(now, at->first) == now.end()) gone.insert(runners_.extract(at));
      at = next;
    }
    for (const std::string& name : now) {
      if (!runners_.contains(name)) fresh.push_back(name);
    }
  }
  for (auto& [name, runner] : gone) runner->stop.request_stop("the namespace is no longer watched");
  for (auto& [name, runner] : gone) {
    runner->thread.reset();
    runner->reflector->drop();
  }
  for (const std::string& name : fresh) run(name, "");
  changed_.notify_all();
}

std::vector<std::shared_ptr<Reflector>> KindStore::reflectors() const {
  const MutexLock lock(mutex_);
  std::vector<std::shared_ptr<Reflector>> all;
  all.reserve(runners_.size());
  for (const auto& [name, runner] : runners_) all.push_back(runner->reflector);
  return all;
}

std::vector<ReflectorStatus> KindStore::status() const {
  std::vector<ReflectorStatus> all;
  for (const auto& reflector : reflectors()) all.push_back(reflector->status());
  return all;
}

bool KindStore::is_synced() const {
  const auto all = status();
  return std::ranges::all_of(all, [](const auto& status) { return status.synced || status.parked; });
}

bool KindStore::wait_for_sync(const Stop& stop) const {
  const MutexLock lock(waiting_);
  return changed_.wait(waiting_, stop, [&] {
    for (const ReflectorStatus& of : status()) {
      if (!of.failure.empty()) throw BudgetError(of.failure);
    }
    return is_synced();
  });
}

void KindStore::tell(const Change& change) {
  const MutexLock lock(listening_);
  for (const auto& [id, listener] : listeners_) {
    try {
      listener(change);
    } catch (const std::exception& error) {
      options_.log.error("a listener of the cache failed; the others go on", "kind", name_, "object",
                         change.key().to_string(), "error", error);
    }
  }
}

std::uint64_t KindStore::subscribe(const Listener& listener) {
  std::uint64_t id = 0;
  store_.replay(listener, [&] {
    const MutexLock lock(listening_);
    id = ++last_listener_;
    listeners_[id] = listener;
  });
  return id;
}

void KindStore::unsubscribe(std::uint64_t id) {
  const MutexLock lock(listening_);
  listeners_.erase(id);
}

bool KindStore::watches(std::string_view in_namespace) const {
  const MutexLock lock(mutex_);
  return runners_.contains("") || runners_.contains(std::string(in_namespace));
}

void KindStore::observe_write(const Arrival& answer, std::uint64_t writer) {
  const kube::Metadata& metadata = *answer.metadata;
  if (!watches(metadata.namespace_)) return;
  if (!scope_.matches(metadata)) return store_.observe_leave(metadata, writer);
  // Whether an object belongs to a field selector only the server knows; one that is here most likely stays.
  if (!scope_.fields.is_everything() &&
      !store_.snapshot().find({std::string(metadata.namespace_), std::string(metadata.name)})) {
    return;
  }
  store_.observe_write(answer, writer);
}

void KindStore::observe_delete(const kube::ObjectKey& key, std::string_view uid, std::string_view resource_version,
                               std::uint64_t writer) {
  if (watches(key.namespace_)) store_.observe_delete(key, uid, resource_version, writer);
}

SavedHead KindStore::saved_head(const std::vector<std::string>& namespaces) const {
  SavedHead head{.cluster = options_.saved.cluster,
                 .kind = store_.options().kind.to_string(),
                 .scope = scope_.to_string() + " in"};
  for (const std::string& name : namespaces) head.scope += " \"" + name + "\"";
  return head;
}

std::string KindStore::saved_file() const { return options_.saved.folder + "/" + file_name(name_, scope_.to_string()); }

void KindStore::save() {
  if (options_.saved.folder.empty()) return;
  std::vector<std::string> namespaces;
  std::string positions;
  {
    const MutexLock lock(mutex_);
    for (const auto& [name, runner] : runners_) {
      const std::string position = runner->reflector->position();
      if (position.empty()) return;
      namespaces.push_back(name);
      positions.append(name).append("=").append(position).append("\n");
    }
  }
  if (namespaces.empty()) return;
  SavedHead head = saved_head(namespaces);
  head.position = positions;
  try {
    // Taken after the positions: what it holds beyond them comes once more, and is known by its version.
    save_store(saved_file(), head, store_.snapshot());
  } catch (const Error& error) {
    options_.log.warn("the cache was not saved; the next start reads everything from the server", "error", error);
  }
}

std::map<std::string, std::string> KindStore::load(const std::vector<std::string>& namespaces) {
  if (options_.saved.folder.empty()) return {};
  ByteStore::Source source;
  std::map<std::string, std::string> positions;
  try {
    const auto text =
        load_store(saved_file(), saved_head(namespaces), [&](const Arrival& arrival) { store_.put(source, arrival); });
    if (!text) return {};
    for (std::string_view rest = *text; !rest.empty();) {
      const std::size_t equals = rest.find('=');
      const std::size_t end = rest.find('\n');
      if (equals >= end || end == std::string_view::npos) throw InputError({}, "position", "makes no sense");
      positions[std::string(rest.substr(0, equals))] = rest.substr(equals + 1, end - equals - 1);
      rest.remove_prefix(end + 1);
    }
    options_.log.info("took up the saved cache", "kind", name_, "objects", store_.count());
    return positions;
  } catch (const Error& error) {
    options_.log.warn("the saved cache cannot be used; everything is read from the server", "file", saved_file(),
                      "error", error);
    store_.drop(source);
    return {};
  }
}

}  // namespace flyball::cache::detail
