// Resource: what a request must know of a kind. Where its objects live on the server, and what the server can do with
// them.
//
//   const Resource& pods = resource_of<core::Pod>();
//   pods.path({"default", "web"}, "status");        // "/api/v1/namespaces/default/pods/web/status"
//
// Typed code takes it from the type, without a question to the server; for a kind that is known only by name it comes
// from discovery (mapper.hpp).
//
// Thread-safety: a value.
#pragma once

#include <string>
#include <string_view>

#include "flyball/kube/resource_key.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::client {

using kube::GroupVersionKind;
using kube::GroupVersionResource;
using kube::ObjectKey;

struct Resource {
  GroupVersionKind kind = {};
  std::string plural = {};
  bool namespaced = true;
  bool status = false;    // known to have a status subresource, so that writes of the object leave the status alone
  bool protobuf = false;  // has a protobuf form

  GroupVersionResource resource() const { return {kind.group, kind.version, plural}; }
  // The collection, of one namespace or (empty) of all.
  std::string path(std::string_view in_namespace) const;
  // One object, or a subresource of it. Throws InputError when the key cannot be one: without a name, without the
  // namespace it needs, or with one it cannot have.
  std::string path(const ObjectKey& key, std::string_view subresource = {}) const;
  // "apps/v1 Deployment \"default/web\"", for messages.
  std::string describe(const ObjectKey& key) const;
};

// Throws Error when the type is no top-level kind that is served as a resource.
Resource resource_of(const reflect::Type& type);

template <class T>
const Resource& resource_of() {
  static const Resource resource = resource_of(reflect::type_of<T>());
  return resource;
}

}  // namespace flyball::client
