// CustomKind: one version of a CustomResourceDefinition, ready to serve: names, schema, subresources, columns.
//
//   for (const std::shared_ptr<const CustomKind>& kind : CustomKind::compile(crd)) serve(kind);       // the served
//   versions Pruned pruned = kind->prune(kind->apply_defaults(sent)); kind->validate(pruned.object, problems);
//   json::Value cells = kind->cells(object, now);         // ["my-gadget", 3, "5m"], a row of `kubectl get`
//
// The definition must have passed validate_definition (definition.hpp).
//
// Thread-safety: immutable.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/problems.hpp"
#include "flyball/apiserver/schema/coerce.hpp"
#include "flyball/apiserver/schema/defaults.hpp"
#include "flyball/apiserver/schema/json_path.hpp"
#include "flyball/apiserver/schema/prune.hpp"
#include "flyball/apiserver/schema/structural.hpp"
#include "flyball/json/value.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::apiserver {

struct KindNames {
  std::string plural = {};
  std::string singular = {};
  std::string kind = {};
  std::string list_kind = {};
  std::vector<std::string> short_names = {};
  std::vector<std::string> categories = {};
};

// Where the scale subresource finds its numbers: ".spec.replicas".
struct ScalePaths {
  std::string spec_replicas = {};
  std::string status_replicas = {};
  std::string label_selector = {};  // empty: none
};

// A column of `kubectl get`; the first one, the name, is not among a kind's columns.
struct Column {
  std::string name = {};
  std::string type = {};
  std::string format = {};
  std::string description = {};
  std::int32_t priority = 0;
  std::string json_path = {};
  std::optional<JsonPath> path = {};  // nothing when it cannot be read: its cells are empty
};

class CustomKind {
 public:
  // One for each served version, in the definition's order.
  static std::vector<std::shared_ptr<const CustomKind>> compile(json::View definition);
  CustomKind(json::View definition, json::View version);

  const std::string& group() const { return group_; }
  const std::string& version() const { return version_; }
  const std::string& storage_version() const { return storage_version_; }
  // Those the definition's status has accepted, or asks for as long as it has accepted none.
  const KindNames& names() const { return names_; }
  bool namespaced() const { return namespaced_; }
  bool has_status() const { return has_status_; }
  const std::optional<ScalePaths>& scale() const { return scale_; }
  const Schema& schema() const { return *schema_; }
  json::View schema_text() const { return schema_->source(); }
  // What clients are warned of; empty when the version is not deprecated.
  const std::string& deprecation_warning() const { return deprecation_warning_; }

  // What becomes of an object that a client sent, in upstream's order: defaults, pruning, embedded metadata. `unknown`
  // holds what was dropped: unknown field "spec.x".
  Coerced read(json::View object) const;
  // Each step by itself.
  json::Value apply_defaults(json::View object, Nulls nulls = Nulls::drop) const;
  Pruned prune(json::View object) const { return apiserver::prune(*schema_, object); }
  Coerced coerce(json::View object) const { return coerce_embedded(*schema_, object); }
  // All but metadata and CEL rules, in upstream's order. Where rules could not be checked because of what is wrong
  // already, that is said too.
  void validate(json::View object, Problems& problems) const;
  void validate_update(json::View object, json::View old, Problems& problems) const;
  // Of the status subresource.
  void validate_status(json::View object, json::View old, Problems& problems) const;

  // Without the name, which comes first; upstream's Age when the definition has none.
  const std::vector<Column>& columns() const { return columns_; }
  // A row: the name, and a value for each of the columns.
  json::Value cells(json::View object, kube::Time now) const;

  // Names that field selectors know beside metadata.name and metadata.namespace: "spec.color"; and an object's text.
  const std::vector<std::string>& selectable_fields() const { return selectable_fields_; }
  std::string selectable_field(json::View object, std::string_view name) const;

 private:
  void check_scale_spec(json::View object, Problems& problems) const;
  void check_scale_status(json::View object, Problems& problems) const;
  void say_rules_are_unchecked(Problems& problems) const;

  std::string group_;
  std::string version_;
  std::string storage_version_;
  KindNames names_;
  bool namespaced_ = true;
  bool has_status_ = false;
  std::optional<ScalePaths> scale_;
  std::shared_ptr<const Schema> schema_;
  std::string deprecation_warning_;
  std::vector<Column> columns_;
  std::vector<std::string> selectable_fields_;
};

// "v1" before "v1beta1" before "v1alpha1" before what is no such version; negative when `a` is older than `b`.
int compare_kube_versions(std::string_view a, std::string_view b);

}  // namespace flyball::apiserver
