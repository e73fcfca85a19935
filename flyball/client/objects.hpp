// Objects<T>: the objects of one kind on the server, as values of T. Client's own verbs are short for these.
//
//   auto deployments = client.of<apps::Deployment>();                       // typed
//   auto widgets = client.dynamic({"example.com", "v1", "Widget"});         // Objects<json::Value>: any kind by name
//   auto names = client.metadata<core::Pod>();                              // Objects<PartialObjectMetadata>
//
//   const auto read = deployments.get({"default", "web"});
//   auto changed = read;
//   changed.spec.replicas = 3;
//   deployments.update(read, changed);                                      // sends the one field
//   deployments.edit({"default", "web"}, [](auto& d) { d.spec.replicas = 3; });   // the same, again on a conflict
//
// A key without a namespace means the client's. Every verb gives back the object as the server has it now.
//
// Errors: ApiError when the server refuses, net::NetError when it cannot be reached in time, Stopped at the client's
// stop, InputError for what cannot be sent.
//
// Thread-safety: all members may be called from any thread. Lifetime: shares the client's engine.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "flyball/base/api_error.hpp"
#include "flyball/client/list.hpp"
#include "flyball/client/object_requests.hpp"
#include "flyball/kube/meta/v1.hpp"

namespace flyball::client {

using kube::meta::v1::PartialObjectMetadata;

// Where an object lies, as it says itself.
template <class T>
ObjectKey key_of(const T& object) {
  if constexpr (std::same_as<T, json::Value>) {
    const json::View metadata = object["metadata"];
    return {std::string(metadata["namespace"].string_or("")), std::string(metadata["name"].string_or(""))};
  } else {
    return {object.metadata.namespace_, object.metadata.name};
  }
}

// The version an object was read in; empty for a new one.
template <class T>
std::string resource_version_of(const T& object) {
  if constexpr (std::same_as<T, json::Value>) {
    return std::string(object["metadata"]["resourceVersion"].string_or(""));
  } else {
    return object.metadata.resourceVersion;
  }
}

// What can be written as a whole, not only its metadata.
template <class T>
concept WholeObject = !std::same_as<T, PartialObjectMetadata>;

template <class T>
class Objects {
 public:
  explicit Objects(ObjectRequests requests) : requests_(std::move(requests)) {}

  T get(const ObjectKey& key, const GetOptions& options = {}) const {
    return made([&](MutableObject to) { requests_.get(key, {}, options, to); });
  }
  // Nothing when there is no such object. A kind the server does not know is an error.
  std::optional<T> find(const ObjectKey& key, const GetOptions& options = {}) const {
    std::optional<T> object(std::in_place);
    if (!requests_.find(key, options, to(*object))) object.reset();
    return object;
  }
  // A lazy range: see list.hpp.
  List<T> list(ListOptions options = {}) const { return List<T>(requests_.list(std::move(options))); }
  // The items as bytes, for those who store them.
  ListReader list_bytes(ListOptions options = {}) const { return requests_.list(std::move(options)); }

  // `metadata.generateName` instead of a name lets the server choose one.
  T create(const T& object, const WriteOptions& options = {}) const
    requires WholeObject<T>
  {
    return made([&](MutableObject to) { requests_.create(key_of(object), from(object), options, to); });
  }

  // Only what changed between the two, if `read` is still the stored version: else ApiError, is_conflict(). Sends
  // nothing when nothing changed. Fields that T does not have stay as they are on the server.
  T update(const T& read, const T& changed, const WriteOptions& options = {}) const
    requires WholeObject<T>
  {
    return updated(read, changed, Part::object, options);
  }
  T update_status(const T& read, const T& changed, const WriteOptions& options = {}) const
    requires WholeObject<T>
  {
    return updated(read, changed, Part::status, options);
  }
  // Reads, calls change(T&), updates; all of it again when somebody else was faster, up to five times.
  template <class Change>
  T edit(const ObjectKey& key, Change&& change, const WriteOptions& options = {}) const
    requires WholeObject<T>
  {
    return edited(key, change, Part::object, options);
  }
  template <class Change>
  T edit_status(const ObjectKey& key, Change&& change, const WriteOptions& options = {}) const
    requires WholeObject<T>
  {
    return edited(key, change, Part::status, options);
  }

  // The whole object: fields that T does not have are lost. With a resourceVersion only that version is replaced.
  T replace(const T& object, const WriteOptions& options = {}) const
    requires WholeObject<T>
  {
    return made([&](MutableObject to) { requests_.replace(key_of(object), {}, from(object), options, to); });
  }
  T replace_status(const T& object, const WriteOptions& options = {}) const
    requires WholeObject<T>
  {
    return made([&](MutableObject to) { requests_.replace(key_of(object), "status", from(object), options, to); });
  }

  T patch(const ObjectKey& key, const Patch& patch, const WriteOptions& options = {}) const {
    return made([&](MutableObject to) { requests_.patch(key, {}, patch, options, to); });
  }
  T patch_status(const ObjectKey& key, const Patch& patch, const WriteOptions& options = {}) const {
    return made([&](MutableObject to) { requests_.patch(key, "status", patch, options, to); });
  }

  // Server-side apply: makes the object if there is none, owns the fields that are set, gives up those that were.
  T apply(const T& object, const ApplyOptions& options = {}) const
    requires WholeObject<T>
  {
    return made([&](MutableObject to) { requests_.apply(key_of(object), from(object), Part::object, options, to); });
  }
  T apply_status(const T& object, const ApplyOptions& options = {}) const
    requires WholeObject<T>
  {
    return made([&](MutableObject to) { requests_.apply(key_of(object), from(object), Part::status, options, to); });
  }

  // True when it is gone, or going (finalizers, a grace period); false when it was not there and that is fine.
  // NOLINTNEXTLINE(readability-identifier-naming): Kubernetes' word is a keyword
  bool delete_(const ObjectKey& key, const DeleteOptions& options = {}) const {
    return requests_.delete_object(key, options);
  }
  // All that the selectors choose, in one namespace. The paging options have no meaning here.
  void delete_collection(const ListOptions& which, const DeleteOptions& options = {}) const {
    requests_.delete_collection(which, options);
  }

  // Subresources whose object is of another kind: subresources.hpp has the usual ones.
  template <class Sub>
  Sub get_subresource(const ObjectKey& key, std::string_view name, const GetOptions& options = {}) const {
    return made<Sub>([&](MutableObject to) { requests_.get(key, name, options, to); });
  }
  template <class Sub>
  Sub replace_subresource(const ObjectKey& key, std::string_view name, const Sub& object,
                          const WriteOptions& options = {}) const {
    return made<Sub>([&](MutableObject to) { requests_.replace(key, name, from(object), options, to); });
  }
  template <class Sub>
  Sub patch_subresource(const ObjectKey& key, std::string_view name, const Patch& patch,
                        const WriteOptions& options = {}) const {
    return made<Sub>([&](MutableObject to) { requests_.patch(key, name, patch, options, to); });
  }
  template <class Out, class In>
  Out post(const ObjectKey& key, std::string_view name, const In& object, const WriteOptions& options = {}) const {
    return made<Out>([&](MutableObject to) { requests_.post(key, name, from(object), options, to); });
  }

  const Resource& resource() const { return requests_.resource(); }
  const ObjectRequests& requests() const { return requests_; }

 private:
  template <class Any>
  static MutableObject to(Any& object) {
    return {reflect::type_of<Any>(), &object};
  }
  template <class Any>
  static ConstObject from(const Any& object) {
    return {reflect::type_of<Any>(), &object};
  }
  template <class Any = T, class Send>
  static Any made(Send&& send) {
    Any object{};
    send(to(object));
    return object;
  }

  T updated(const T& read, const T& changed, Part part, const WriteOptions& options) const {
    T object{};
    const bool sent = requests_.update(key_of(read), from(read), from(changed), part, options, to(object));
    return sent ? object : changed;
  }

  template <class Change>
  T edited(const ObjectKey& key, Change& change, Part part, const WriteOptions& options) const {
    constexpr int kTries = 5;
    for (int tries = 1;; ++tries) {
      const T read = get(key);
      T changed = read;
      change(changed);
      try {
        return updated(read, changed, part, options);
      } catch (const ApiError& error) {
        if (!error.is_conflict() || tries == kTries) throw;
      }
      requests_.rest_after_conflict(tries);
    }
  }

  ObjectRequests requests_;
};

}  // namespace flyball::client
