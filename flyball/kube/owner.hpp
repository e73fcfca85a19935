// Owner references: which object another belongs to. When the owner is deleted, Kubernetes deletes what it owns.
//
//   set_owner(deployment, memcached);                           // memcached controls it, and is in the same namespace
//   set_owner(config_map, memcached, {.controller = false});    // one of several owners
//   if (is_owned_by(deployment, memcached)) …
//   if (const auto* controller = controller_of(pod.metadata)) use(controller->kind, controller->name);
//
// An object may have many owners, but only one of them controls it. An owner with a namespace owns objects in that
// namespace only: across namespaces Kubernetes would take the owner for missing and delete what it owns. Both are
// OwnerErrors here, and not surprises in the cluster.
//
// An owner is known by its uid, so it must have been read from the API server, or created there.
//
// Thread-safety: pure functions; what is changed belongs to the caller.
#pragma once

#include <string_view>

#include "flyball/base/error.hpp"
#include "flyball/kube/meta/v1.hpp"
#include "flyball/reflect/facts.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::kube {

// The owner cannot own the object.
class OwnerError : public Error {
 public:
  using Error::Error;
};

struct OwnerOptions {
  // The one owner that manages the object. Default: true.
  bool controller = true;
  // Deletion of the owner in the foreground waits for the object. Default: true.
  bool blockOwnerDeletion = true;
};

// Any object: its kind and its metadata, of which a typed object has both.
struct ObjectRef {
  const reflect::KindInfo& kind;
  const meta::v1::ObjectMeta& metadata;
};

// A value with metadata whose type is a top-level kind.
template <class T>
concept TypedObject = requires(const T& object) {
  { object.metadata.ownerReferences };
  reflect::type_of<T>();
};

template <TypedObject T>
ObjectRef object_ref(const T& object) {
  return {*reflect::type_of<T>().kind, object.metadata};
}

// The reference that stands in the metadata of what `owner` owns. Throws OwnerError when it has no name or no uid.
meta::v1::OwnerReference owner_reference(const ObjectRef& owner, const OwnerOptions& options = {});

// Makes `owner` an owner of the object of that kind and metadata. A reference to the same owner is replaced, also one
// to an earlier object of its name. An object without a namespace gets the owner's. Throws OwnerError when another
// object controls it already, or when the owner is in another namespace.
void set_owner(const reflect::KindInfo& kind, meta::v1::ObjectMeta& metadata, const ObjectRef& owner,
               const OwnerOptions& options = {});

// The reference to the controller, or null.
const meta::v1::OwnerReference* controller_of(const meta::v1::ObjectMeta& of);
// The reference to the owner of that uid, or null.
const meta::v1::OwnerReference* find_owner(const meta::v1::ObjectMeta& of, std::string_view uid);

bool is_owned_by(const meta::v1::ObjectMeta& of, const meta::v1::ObjectMeta& owner);
bool is_controlled_by(const meta::v1::ObjectMeta& of, const meta::v1::ObjectMeta& owner);
// False when it was none of its owners.
bool remove_owner(meta::v1::ObjectMeta& of, const meta::v1::ObjectMeta& owner);

// The same for typed objects.
template <TypedObject Owner>
meta::v1::OwnerReference owner_reference(const Owner& owner, const OwnerOptions& options = {}) {
  return owner_reference(object_ref(owner), options);
}
template <TypedObject Object, TypedObject Owner>
void set_owner(Object& object, const Owner& owner, const OwnerOptions& options = {}) {
  set_owner(*reflect::type_of<Object>().kind, object.metadata, object_ref(owner), options);
}
template <TypedObject Object, TypedObject Owner>
bool is_owned_by(const Object& object, const Owner& owner) {
  return is_owned_by(object.metadata, owner.metadata);
}
template <TypedObject Object, TypedObject Owner>
bool is_controlled_by(const Object& object, const Owner& owner) {
  return is_controlled_by(object.metadata, owner.metadata);
}
template <TypedObject Object, TypedObject Owner>
bool remove_owner(Object& object, const Owner& owner) {
  return remove_owner(object.metadata, owner.metadata);
}

}  // namespace flyball::kube

namespace flyball {
using kube::is_owned_by;
using kube::owner_reference;
using kube::set_owner;
}  // namespace flyball
