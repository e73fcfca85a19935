// Client: talk to a Kubernetes API server.
//
//   RealClock clock;
//   Random random = Random::from_os();
//   Client client = Client::connect(config, clock, random, {.field_manager = "shop-operator"});
//
//   const auto web = client.get<apps::Deployment>({"shop", "web"});
//   for (const core::Pod& pod : client.list<core::Pod>({.namespace_ = "shop", .labels = {{"app", "web"}}})) use(pod);
//   if (auto config = client.find<core::ConfigMap>({"shop", "settings"})) use(*config);
//   client.apply(deployment_for(web), {.force = true});
//   client.edit<apps::Deployment>({"shop", "web"}, [](auto& d) { d.spec.replicas = 3; });
//   client.delete_<core::Pod>({"shop", "web-1"});
//   auto pods = client.watch<core::Pod>({.namespace_ = "shop"});
//
// The verbs here are short for those of `of<T>()`, where each is explained (objects.hpp). The same verbs work on kinds
// that are known only by name, as JSON (`dynamic`), and on the metadata alone (`metadata`).
//
// A Client is a handle: copies share one engine with its connections, metrics and what it learned of the server.
// `with(stop)` gives one whose requests end at that stop or its deadline, `guarded(guard)` one that asks before it
// writes.
//
// Errors: ApiError when the server refuses (docs/errors.md), net::NetError when it cannot be reached in time, Stopped
// at the stop, InputError for what cannot be sent.
//
// Thread-safety: all members may be called from any thread.
// Lifetime: clock, random and a transport given by reference outlive the client and everything it gives out.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "flyball/client/client_options.hpp"
#include "flyball/client/engine.hpp"
#include "flyball/client/mapper.hpp"
#include "flyball/client/objects.hpp"
#include "flyball/client/options.hpp"
#include "flyball/client/resource.hpp"
#include "flyball/client/transport.hpp"
#include "flyball/client/watch.hpp"
#include "flyball/client/write_guard.hpp"

namespace flyball::client {

struct Config;

class Client {
 public:
  Client(Transport& transport, Clock& clock, Random& random, ClientOptions options = {});
  Client(std::shared_ptr<Transport> transport, Clock& clock, Random& random, ClientOptions options = {});

  // Over HTTP, to the server of a Config; sends nothing yet. Throws InputError when the Config cannot be used.
  static Client connect(const Config& config, Clock& clock, Random& random, ClientOptions options = {});

  // The same client, whose requests end at `stop`. A deadline of that stop takes the place of the client's timeout.
  Client with(Stop stop) const;
  // The same server, as the same caller, but the guard is asked before each write. Connections and what is known of the
  // server are shared; a rate limit is not.
  Client guarded(WriteGuard guard) const;

  // The objects of a kind: typed; by name, as JSON; and their metadata alone.
  template <class T>
  Objects<T> of() const {
    return Objects<T>(requests(shared(resource_of<T>()), Extent::whole));
  }
  // By kind, found by discovery: client.dynamic({"example.com", "v1", "Widget"}). Throws ApiError, is_not_found(), when
  // the server has no such kind.
  Objects<json::Value> dynamic(const GroupVersionKind& kind) const;
  // By the resource itself, without a question: client.dynamic_at(client.mapper().resolve("deploy", stop)).
  Objects<json::Value> dynamic_at(const Resource& resource) const;
  template <class T>
  Objects<PartialObjectMetadata> metadata() const {
    return Objects<PartialObjectMetadata>(requests(shared(resource_of<T>()), Extent::metadata));
  }
  Objects<PartialObjectMetadata> metadata(const GroupVersionKind& kind) const;
  Objects<PartialObjectMetadata> metadata_at(const Resource& resource) const;

  template <class T>
  T get(const ObjectKey& key, const GetOptions& options = {}) const {
    return of<T>().get(key, options);
  }
  template <class T>
  std::optional<T> find(const ObjectKey& key, const GetOptions& options = {}) const {
    return of<T>().find(key, options);
  }
  template <class T>
  List<T> list(ListOptions options = {}) const {
    return of<T>().list(std::move(options));
  }
  template <class T>
  T create(const T& object, const WriteOptions& options = {}) const {
    return of<T>().create(object, options);
  }
  template <class T>
  T update(const T& read, const T& changed, const WriteOptions& options = {}) const {
    return of<T>().update(read, changed, options);
  }
  template <class T>
  T update_status(const T& read, const T& changed, const WriteOptions& options = {}) const {
    return of<T>().update_status(read, changed, options);
  }
  template <class T, class Change>
  T edit(const ObjectKey& key, Change&& change, const WriteOptions& options = {}) const {
    return of<T>().edit(key, std::forward<Change>(change), options);
  }
  template <class T, class Change>
  T edit_status(const ObjectKey& key, Change&& change, const WriteOptions& options = {}) const {
    return of<T>().edit_status(key, std::forward<Change>(change), options);
  }
  template <class T>
  T replace(const T& object, const WriteOptions& options = {}) const {
    return of<T>().replace(object, options);
  }
  template <class T>
  T replace_status(const T& object, const WriteOptions& options = {}) const {
    return of<T>().replace_status(object, options);
  }
  template <class T>
  T patch(const ObjectKey& key, const Patch& patch, const WriteOptions& options = {}) const {
    return of<T>().patch(key, patch, options);
  }
  template <class T>
  T patch_status(const ObjectKey& key, const Patch& patch, const WriteOptions& options = {}) const {
    return of<T>().patch_status(key, patch, options);
  }
  template <class T>
  T apply(const T& object, const ApplyOptions& options = {}) const {
    return of<T>().apply(object, options);
  }
  template <class T>
  T apply_status(const T& object, const ApplyOptions& options = {}) const {
    return of<T>().apply_status(object, options);
  }
  template <class T>
  // NOLINTNEXTLINE(readability-identifier-naming): Kubernetes' word is a keyword
  bool delete_(const ObjectKey& key, const DeleteOptions& options = {}) const {
    return of<T>().delete_(key, options);
  }
  template <class T>
  void delete_collection(const ListOptions& which, const DeleteOptions& options = {}) const {
    of<T>().delete_collection(which, options);
  }

  // Everything there is, and every change from then on: watch.hpp. Log and metrics are the client's unless the options
  // have their own. The client outlives the watch; a watch has its own stop and its own retries.
  template <class T>
  TypedWatch<T> watch(WatchOptions options = {}) const {
    return TypedWatch<T>(engine_->transport(), engine_->clock(), engine_->random(), complete(std::move(options)));
  }
  // The same of any kind: `options.resource` says which.
  Watch watch(WatchOptions options) const;

  // Any request, with this client's deadline, retries, log and metrics. Throws ApiError for an answer of 400 and above.
  // It is sent again after a lost connection only when its method may be repeated (GET, HEAD, PUT, DELETE).
  net::Response raw(net::Request request) const;

  // What the server serves; shared by all copies of this client.
  RestMapper& mapper() const { return *mapper_; }

  const ClientOptions& options() const { return engine_->options(); }
  const Stop& stop() const { return stop_; }
  const std::shared_ptr<Engine>& engine() const { return engine_; }

 private:
  // The resources of types live as long as the program.
  static std::shared_ptr<const Resource> shared(const Resource& resource) {
    return {std::shared_ptr<const Resource>(), &resource};
  }
  WatchOptions complete(WatchOptions options) const;
  ObjectRequests requests(std::shared_ptr<const Resource> resource, Extent extent) const;

  std::shared_ptr<Engine> engine_;
  std::shared_ptr<RestMapper> mapper_;
  Stop stop_;
};

}  // namespace flyball::client

namespace flyball {
using client::Client;
}
