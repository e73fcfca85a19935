#include "flyball/kube/owner.hpp"

#include <algorithm>
#include <string>

namespace flyball::kube {

namespace {

using meta::v1::ObjectMeta;
using meta::v1::OwnerReference;

std::string_view group_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

// `Deployment shop/web`.
std::string described(const reflect::KindInfo& kind, const ObjectMeta& metadata) {
  std::string text(kind.kind);
  text += ' ';
  if (!metadata.namespace_.empty()) text += metadata.namespace_ + "/";
  text += metadata.name.empty() ? metadata.generateName + "…" : metadata.name;
  return text;
}

// Names stay when an object is deleted and made anew, versions change with the library: neither makes another owner.
bool is_same_owner(const OwnerReference& a, const OwnerReference& b) {
  if (a.uid == b.uid) return true;
  return group_of(a.apiVersion) == group_of(b.apiVersion) && a.kind == b.kind && a.name == b.name;
}

void check_namespace(const reflect::KindInfo& kind, const ObjectMeta& object, const ObjectRef& owner) {
  if (!owner.kind.namespaced) return;
  if (owner.metadata.namespace_.empty()) {
    throw OwnerError(described(owner.kind, owner.metadata) + " cannot own " + described(kind, object) +
                     ": the owner has no namespace, though its kind lives in one; read it from the API server first");
  }
  if (!kind.namespaced) {
    throw OwnerError(described(owner.kind, owner.metadata) + " cannot own " + described(kind, object) +
                     ": the owner lives in a namespace, the object in none; use a finalizer to clean up instead");
  }
  if (object.namespace_.empty() || object.namespace_ == owner.metadata.namespace_) return;
  throw OwnerError(described(owner.kind, owner.metadata) + " cannot own " + described(kind, object) +
                   ": an owner must be in the namespace of what it owns; use a finalizer to clean up instead");
}

}  // namespace

OwnerReference owner_reference(const ObjectRef& owner, const OwnerOptions& options) {
  if (owner.metadata.name.empty() || owner.metadata.uid.empty()) {
    throw OwnerError(described(owner.kind, owner.metadata) + " cannot own anything yet: it has no " +
                     (owner.metadata.name.empty() ? "name" : "uid") + "; read it from the API server first");
  }
  OwnerReference reference{.apiVersion = std::string(owner.kind.api_version),
                           .kind = std::string(owner.kind.kind),
                           .name = owner.metadata.name,
                           .uid = owner.metadata.uid};
  if (options.controller) reference.controller = true;
  if (options.blockOwnerDeletion) reference.blockOwnerDeletion = true;
  return reference;
}

void set_owner(const reflect::KindInfo& kind, ObjectMeta& metadata, const ObjectRef& owner,
               const OwnerOptions& options) {
  const OwnerReference reference = owner_reference(owner, options);
  check_namespace(kind, metadata, owner);
  if (const OwnerReference* controller = controller_of(metadata);
      options.controller && controller != nullptr && !is_same_owner(*controller, reference)) {
    throw OwnerError(described(owner.kind, owner.metadata) + " cannot control " + described(kind, metadata) + ": " +
                     controller->kind + " " + controller->name + " (uid " + controller->uid +
                     ") does already; set the owner with .controller = false, or choose another name");
  }
  if (kind.namespaced && metadata.namespace_.empty()) metadata.namespace_ = owner.metadata.namespace_;
  auto& owners = metadata.ownerReferences;
  const auto same = [&](const OwnerReference& one) { return is_same_owner(one, reference); };
  if (const auto found = std::ranges::find_if(owners, same); found != owners.end()) {
    *found = reference;
  } else {
    owners.push_back(reference);
  }
}

const OwnerReference* controller_of(const ObjectMeta& of) {
  const auto is_controller = [](const OwnerReference& one) { return one.controller.value_or(false); };
  const auto found = std::ranges::find_if(of.ownerReferences, is_controller);
  return found == of.ownerReferences.end() ? nullptr : &*found;
}

const OwnerReference* find_owner(const ObjectMeta& of, std::string_view uid) {
  const auto found = std::ranges::find(of.ownerReferences, uid, &OwnerReference::uid);
  return found == of.ownerReferences.end() ? nullptr : &*found;
}

bool is_owned_by(const ObjectMeta& of, const ObjectMeta& owner) {
  return !owner.uid.empty() && find_owner(of, owner.uid) != nullptr;
}

bool is_controlled_by(const ObjectMeta& of, const ObjectMeta& owner) {
  const OwnerReference* controller = controller_of(of);
  return controller != nullptr && !owner.uid.empty() && controller->uid == owner.uid;
}

bool remove_owner(ObjectMeta& of, const ObjectMeta& owner) {
  return !owner.uid.empty() &&
         std::erase_if(of.ownerReferences, [&](const OwnerReference& one) { return one.uid == owner.uid; }) > 0;
}

}  // namespace flyball::kube
