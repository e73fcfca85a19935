#include "flyball/apiserver/kinds/metadata_rules.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver {
namespace {

namespace meta = kube::meta::v1;
namespace names = kube::names;

constexpr std::size_t kLongestManager = 128;
constexpr std::size_t kLongestSubresource = 256;

std::pair<std::string_view, std::string_view> group_and_version(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {{}, api_version};
  return {api_version.substr(0, slash), api_version.substr(slash + 1)};
}

void check_owner(const meta::OwnerReference& owner, const FieldPath& at, Problems& problems) {
  const auto [group, version] = group_and_version(owner.apiVersion);
  if (version.empty()) problems.invalid(at.child("apiVersion"), owner.apiVersion, "version must not be empty");
  if (owner.kind.empty()) problems.invalid(at.child("kind"), owner.kind, "must not be empty");
  if (owner.name.empty()) problems.invalid(at.child("name"), owner.name, "must not be empty");
  if (owner.uid.empty()) problems.invalid(at.child("uid"), owner.uid, "must not be empty");
  if (group.empty() && version == "v1" && owner.kind == "Event") {
    problems.invalid(at, shown(owner), "/v1, Kind=Event is disallowed from being an owner");
  }
}

void check_owners(const std::vector<meta::OwnerReference>& owners, const FieldPath& at, Problems& problems) {
  std::string controller;
  for (const meta::OwnerReference& owner : owners) {
    check_owner(owner, at, problems);
    if (!owner.controller.value_or(false)) continue;
    const std::string name = joined({owner.kind, "/", owner.name});
    if (!controller.empty()) {
      problems.invalid(at, shown(owners),
                       joined({"Only one reference can have Controller set to true. Found \"true\" in references for ",
                               controller, " and ", name}));
    } else {
      controller = name;
    }
  }
}

void check_finalizers(const std::vector<std::string>& finalizers, const FieldPath& at, Problems& problems) {
  for (const std::string& finalizer : finalizers) problems.invalid(at, finalizer, names::qualified_name(finalizer));
  const auto has = [&](std::string_view name) { return std::ranges::find(finalizers, name) != finalizers.end(); };
  if (has("orphan") && has("foregroundDeletion")) {
    problems.invalid(at, shown(finalizers), "finalizer orphan and foregroundDeletion cannot be both set");
  }
}

void check_managed_fields(const std::vector<meta::ManagedFieldsEntry>& entries, const FieldPath& at,
                          Problems& problems) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const meta::ManagedFieldsEntry& entry = entries[i];
    const FieldPath here = at.index(i);
    if (entry.operation != "Apply" && entry.operation != "Update") {
      problems.invalid(here.child("operation"), entry.operation, "must be `Apply` or `Update`");
    }
    if (!entry.fieldsType.empty() && entry.fieldsType != "FieldsV1") {
      problems.invalid(here.child("fieldsType"), entry.fieldsType, "must be `FieldsV1`");
    }
    if (entry.manager.size() > kLongestManager) problems.too_long(here.child("manager"), kLongestManager);
    if (entry.subresource.size() > kLongestSubresource) {
      problems.too_long(here.child("subresource"), kLongestSubresource);
    }
  }
}

void check_no_new_finalizers(const std::vector<std::string>& finalizers, const std::vector<std::string>& old,
                             const FieldPath& at, Problems& problems) {
  const std::set<std::string> before(old.begin(), old.end());
  std::set<std::string> extra;
  for (const std::string& finalizer : finalizers) {
    if (!before.contains(finalizer)) extra.insert(finalizer);
  }
  if (extra.empty()) return;
  std::string list;
  for (const std::string& finalizer : extra) {
    if (!list.empty()) list.append(", ");
    list.append(kube::go::quote(finalizer));
  }
  problems.forbidden(
      at, "no new finalizers can be added if the object is being deleted, found new finalizers []string{" + list + "}");
}

void check_namespace(const meta::ObjectMeta& metadata, bool namespaced, const FieldPath& at, Problems& problems) {
  const FieldPath here = at.child("namespace");
  if (!namespaced) {
    if (!metadata.namespace_.empty()) problems.forbidden(here, "not allowed on this type");
    return;
  }
  if (metadata.namespace_.empty()) {
    problems.required(here);
    return;
  }
  problems.invalid(here, metadata.namespace_, names::dns1123_label(metadata.namespace_));
}

// Generated names get a suffix: what is given of them may end with a dash.
names::Messages check_prefix(NameRule name, std::string_view prefix) {
  if (name == names::path_segment) return names::path_segment_prefix(prefix);
  return name(names::mask_trailing_dash(prefix));
}

}  // namespace

void validate_metadata(const meta::ObjectMeta& metadata, bool namespaced, NameRule name, Problems& problems) {
  validate_metadata(metadata, namespaced, name, FieldPath("metadata"), problems);
}

void validate_metadata(const meta::ObjectMeta& metadata, bool namespaced, NameRule name, const FieldPath& at,
                       Problems& problems) {
  if (!metadata.generateName.empty()) {
    problems.invalid(at.child("generateName"), metadata.generateName, check_prefix(name, metadata.generateName));
  }
  if (metadata.name.empty()) {
    problems.required(at.child("name"), "name or generateName is required");
  } else {
    problems.invalid(at.child("name"), metadata.name, name(metadata.name));
  }
  check_namespace(metadata, namespaced, at, problems);
  check_not_negative(metadata.generation, at.child("generation"), problems);
  check_labels(metadata.labels, at.child("labels"), problems);
  check_annotations(metadata.annotations, at.child("annotations"), problems);
  check_owners(metadata.ownerReferences, at.child("ownerReferences"), problems);
  check_finalizers(metadata.finalizers, at.child("finalizers"), problems);
  check_managed_fields(metadata.managedFields, at.child("managedFields"), problems);
}

void validate_metadata_update(const meta::ObjectMeta& metadata, const meta::ObjectMeta& old, Problems& problems) {
  const FieldPath at("metadata");
  if (old.deletionTimestamp) {
    check_no_new_finalizers(metadata.finalizers, old.finalizers, at.child("finalizers"), problems);
  }
  if (metadata.resourceVersion.empty()) {
    problems.invalid(at.child("resourceVersion"), metadata.resourceVersion, "must be specified for an update");
  }
  if (metadata.generation < old.generation) {
    problems.invalid(at.child("generation"), metadata.generation, "must not be decremented");
  }
  check_immutable(metadata.name, old.name, at.child("name"), problems);
  check_immutable(metadata.namespace_, old.namespace_, at.child("namespace"), problems);
  check_immutable(metadata.uid, old.uid, at.child("uid"), problems);
  check_immutable(metadata.creationTimestamp, old.creationTimestamp, at.child("creationTimestamp"), problems);
  check_immutable(metadata.deletionTimestamp, old.deletionTimestamp, at.child("deletionTimestamp"), problems);
  check_immutable(metadata.deletionGracePeriodSeconds, old.deletionGracePeriodSeconds,
                  at.child("deletionGracePeriodSeconds"), problems);
  check_labels(metadata.labels, at.child("labels"), problems);
  check_annotations(metadata.annotations, at.child("annotations"), problems);
  check_owners(metadata.ownerReferences, at.child("ownerReferences"), problems);
  check_managed_fields(metadata.managedFields, at.child("managedFields"), problems);
}

void validate_kube_finalizers(const meta::ObjectMeta& metadata, Problems& problems) {
  static constexpr std::array<std::string_view, 3> kStandard = {"kubernetes", "orphan", "foregroundDeletion"};
  const FieldPath at = FieldPath("metadata").child("finalizers");
  for (std::size_t i = 0; i < metadata.finalizers.size(); ++i) {
    const std::string& finalizer = metadata.finalizers[i];
    if (finalizer.find('/') != std::string::npos || std::ranges::find(kStandard, finalizer) != kStandard.end()) {
      continue;
    }
    problems.invalid(at.index(i), finalizer, "name is neither a standard finalizer name nor is it fully qualified");
  }
}

void keep_metadata(meta::ObjectMeta& metadata, const meta::ObjectMeta& old) {
  metadata.deletionTimestamp = old.deletionTimestamp;
  metadata.generation = old.generation;
  metadata.selfLink = old.selfLink;
  metadata.labels = old.labels;
  metadata.annotations = old.annotations;
  metadata.finalizers = old.finalizers;
  metadata.ownerReferences = old.ownerReferences;
}

}  // namespace flyball::apiserver
