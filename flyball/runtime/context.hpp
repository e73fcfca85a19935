// Context: what a reconcile works with. One for each pass over one object.
//
//   void reconcile(Context& ctx, Memcached& m) {
//     ctx.apply(deployment_for(m));                                    // owned by m, in m's namespace
//     const auto pods = ctx.list<core::Pod>({.labels = {{"app", m.metadata.name}}});
//     if (pods.empty()) ctx.warn("NoPods", "no pod has come up yet");
//     m.status.size = pods.size();
//   }                                                                  // the status is written here, if it changed
//
// Reads come from the cache, cost microseconds and are yours to change. Within a pass they are of one moment, plus what
// the pass itself wrote. They are remembered: when something that was read changes, was created or has gone, the object
// is reconciled again (remembered_reads.hpp). Kinds that are read are declared: `.reads<core::Pod>()`.
//
// Writes go to the server at once, and are seen by the reads after them. They do not wake this object again.
//
// Names without a namespace mean the namespace of the object; kAllNamespaces means all.
//
// Errors: ApiError, net::NetError and Stopped, as of Client. There is no need to catch them: a pass that throws is
// tried again, later each time. get() of what is not there is an ApiError, is_not_found().
//
// Thread-safety: the thread of the pass. Lifetime: the pass.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/cache/query.hpp"
#include "flyball/client/client.hpp"
#include "flyball/kube/owner.hpp"
#include "flyball/runtime/cause.hpp"
#include "flyball/runtime/controller_spec.hpp"
#include "flyball/runtime/detail/pass.hpp"
#include "flyball/runtime/event_note.hpp"
#include "flyball/runtime/key.hpp"
#include "flyball/runtime/object_name.hpp"

namespace flyball::runtime {

namespace detail {
template <class>
class TypedPass;
}

using cache::Query;

inline constexpr std::string_view kAllNamespaces = "*";

class Context {
 public:
  explicit Context(detail::Pass& pass) : pass_(pass) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // What is reconciled.
  const Key& key() const { return pass_.key(); }
  // Why: everything that came since the last pass began.
  const Causes& causes() const { return pass_.causes(); }
  // How many passes before this one failed in a row.
  std::uint32_t failures() const { return pass_.failures(); }

  // --- Reads

  template <class T>
  T get(const ObjectName& name) {
    auto found = find<T>(name);
    if (!found) detail::Pass::not_found(client::resource_of<T>(), pass_.complete(client::resource_of<T>(), name));
    return std::move(*found);
  }
  // Nothing when there is no such object; when one comes, this object is reconciled again.
  template <class T>
  std::optional<T> find(const ObjectName& name) {
    const client::Resource& resource = client::resource_of<T>();
    const auto object = pass_.find(resource, pass_.complete(resource, name));
    if (!object) return std::nullopt;
    return object->template as<T>();
  }
  // In the order of namespaces and names.
  template <class T>
  std::vector<T> list(Query query = {}) {
    std::vector<T> all;
    pass_.each(client::resource_of<T>(), std::move(query),
               [&](const cache::Object& object) { all.push_back(object.template as<T>()); });
    return all;
  }
  // What the object owns, whoever made it.
  template <class T>
  std::vector<T> children() {
    return list<T>({.owner = pass_.owner_uid()});
  }
  // Decoded as far as `use` asks for: the metadata alone is cheap.
  template <class T>
  void each(Query query, const std::function<void(const cache::Object&)>& use) {
    pass_.each(client::resource_of<T>(), std::move(query), use);
  }

  // --- Writes

  // Makes the object so, by server-side apply: creates it, or changes what differs. Sends nothing when it is so
  // already. The answer is the object as the server has it.
  template <kube::TypedObject T>
  T apply(T desired, const ChildOptions& options = {}) {
    T stored{};
    T answer{};
    const auto done = pass_.apply(
        child(desired), &stored, {reflect::type_of<T>(), &answer},
        [](const void* of) { return &static_cast<const T*>(of)->metadata; }, options);
    return done == detail::Pass::Applied::nothing ? std::move(stored) : std::move(answer);
  }
  // Creates it; ApiError, is_already_exists(), when there is one. Prefer apply(), which can be repeated.
  template <kube::TypedObject T>
  T create(T object, const ChildOptions& options = {}) {
    pass_.adopt(child(object), options);
    T answer = pass_.client().create(object);
    pass_.wrote("create", client::resource_of<T>(), answer);
    return answer;
  }
  // Only what changed between the two; a Conflict when `read` is no longer the latest version.
  template <kube::TypedObject T>
  T update(const T& read, const T& changed) {
    T answer = pass_.client().update(read, changed);
    if (answer.metadata.resourceVersion != read.metadata.resourceVersion) {
      pass_.wrote("update", client::resource_of<T>(), answer);
    }
    return answer;
  }
  template <kube::TypedObject T>
  T patch(const ObjectName& name, const client::Patch& patch) {
    const client::Resource& resource = client::resource_of<T>();
    T answer = pass_.client().template patch<T>(pass_.complete(resource, name), patch);
    pass_.wrote("patch", resource, answer);
    return answer;
  }
  // True when it is gone or going, false when there was none. What it owns goes with it.
  template <kube::TypedObject T>
  // NOLINTNEXTLINE(readability-identifier-naming): Kubernetes' word is a keyword
  bool delete_(const ObjectName& name, client::DeleteOptions options = {}) {
    return pass_.delete_object(client::resource_of<T>(), pass_.complete(client::resource_of<T>(), name),
                               std::move(options));
  }
  // This very object, not a later one of its name.
  template <kube::TypedObject T>
  // NOLINTNEXTLINE(readability-identifier-naming): Kubernetes' word is a keyword
  bool delete_(const T& object, client::DeleteOptions options = {}) {
    options.uid = object.metadata.uid;
    return pass_.delete_object(client::resource_of<T>(), {object.metadata.namespace_, object.metadata.name},
                               std::move(options));
  }

  // --- The rest

  // Past the cache: what the server has now. Reads by it are not remembered, writes by it wake this object.
  const client::Client& live() const { return pass_.client(); }

  // Tells people, by an Event on the object: kubectl describe shows it. The same again within minutes counts up one
  // event. `reason` is one word in UpperCamel.
  void event(std::string_view reason, std::string_view note) { pass_.tell(EventType::normal, reason, note); }
  void warn(std::string_view reason, std::string_view note) { pass_.tell(EventType::warning, reason, note); }

  // From now on the controller hears of this kind too, which was not known when it was declared (a resource that
  // discovery found): its changes wake the keys that `map` gives, and what is there comes as added. Kinds it has are
  // not followed twice. Permissions for them: may().
  void follow(const client::Resource& resource, cache::Scope scope, Map map) {
    pass_.follow(resource, std::move(scope), std::move(map));
  }
  // And no more. Not of what was declared.
  void unfollow(const client::Resource& resource) { pass_.unfollow(resource); }
  // What follow() was called for.
  std::vector<client::Resource> followed() const { return pass_.followed(); }

  // Runs again after this time, whether or not something changes. The earliest counts.
  void requeue_after(Duration after) { pass_.requeue_after(after); }

  // With the object's name in every line.
  const Logger& log() const { return pass_.log(); }
  // Ends when the pass shall: give it to what blocks.
  const Stop& stop() const { return pass_.stop(); }
  Clock& clock() const { return pass_.clock(); }

 private:
  template <class>
  friend class detail::TypedPass;

  template <class T>
  static detail::Child child(T& object) {
    return {client::resource_of<T>(), {reflect::type_of<T>(), &object}, object.metadata};
  }

  detail::Pass& pass_;
};

}  // namespace flyball::runtime

namespace flyball {
using runtime::Context;
using runtime::kAllNamespaces;
}  // namespace flyball
