// What becomes of a CustomResourceDefinition once it is stored: which names it gets, and its conditions.
//
//   json::Value status = prepare_definition_status(crd, {});              // on create: what it stores
//   status = settled_definition_status(crd, others_of_the_group, now);    // then: its names, Established, …
//   if (is_condition_true(status, "Established")) serve(CustomKind::compile(crd));
//
// Upstream does the second part in controllers, some time after the write; here it is a function of the definition and
// the others of its group. Reasons and messages are upstream's.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "flyball/json/value.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::apiserver {

struct DefinitionCondition {
  std::string type = {};
  std::string status = {};  // "True", "False", "Unknown"
  std::string reason = {};
  std::string message = {};
};

// The status a write leaves behind: that of the old definition, or none, with the storage version among the stored
// ones. `old` is absent on create.
json::Value prepare_definition_status(json::View definition, json::View old);

// The names a definition may have beside `others` of its group, and whether those are all it asks for: NamesAccepted.
struct AcceptedNames {
  json::Value names = {};
  DefinitionCondition condition = {};
};
AcceptedNames accept_names(json::View definition, const std::vector<json::View>& others);

// The status as upstream's controllers leave it: accepted names and the conditions NamesAccepted, Established,
// NonStructuralSchema and KubernetesAPIApprovalPolicyConformant.
json::Value settled_definition_status(json::View definition, const std::vector<json::View>& others, kube::Time now);

// A condition added or replaced; its time changes only with its status.
json::Value with_condition(json::View status, const DefinitionCondition& condition, kube::Time now);
bool is_condition_true(json::View status, std::string_view type);

// While a definition goes: first its objects, then itself.
DefinitionCondition terminating_started();
DefinitionCondition terminating_done();
DefinitionCondition terminating_without_objects();  // it was never Established

}  // namespace flyball::apiserver
