#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"

// Where a pod may run: affinity, tolerations, spreading.
namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace meta = kube::meta::v1;
namespace names = kube::names;

constexpr std::int32_t kMostWeight = 100;

void check_weight(std::int32_t weight, const FieldPath& at, Problems& problems) {
  if (weight <= 0 || weight > kMostWeight) problems.invalid(at, weight, "must be in the range 1-100");
}

void check_node_requirement(const core::NodeSelectorRequirement& requirement, bool check_values, const FieldPath& at,
                            Problems& problems) {
  const std::string& how = requirement.operator_;
  const FieldPath values = at.child("values");
  if (how == "In" || how == "NotIn") {
    if (requirement.values.empty()) {
      problems.required(values, "must be specified when `operator` is 'In' or 'NotIn'");
    }
  } else if (how == "Exists" || how == "DoesNotExist") {
    if (!requirement.values.empty()) {
      problems.forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else if (how == "Gt" || how == "Lt") {
    if (requirement.values.size() != 1) {
      problems.required(values, "must be specified single value when `operator` is 'Lt' or 'Gt'");
    }
  } else {
    problems.invalid(at.child("operator"), how, "not a valid selector operator");
  }
  check_name(requirement.key, names::label_key, at.child("key"), problems);
  if (!check_values) return;
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    check_name(requirement.values[i], names::label_value, values.index(i), problems);
  }
}

void check_node_field(const core::NodeSelectorRequirement& requirement, const FieldPath& at, Problems& problems) {
  if (requirement.operator_ == "In" || requirement.operator_ == "NotIn") {
    if (requirement.values.size() != 1) {
      problems.required(at.child("values"),
                        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    }
  } else {
    problems.invalid(at.child("operator"), requirement.operator_, "not a valid selector operator");
  }
  if (requirement.key != "metadata.name") {
    problems.invalid(at.child("key"), requirement.key, "not a valid field selector key");
    return;
  }
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    check_name(requirement.values[i], names::dns1123_subdomain, at.child("values").index(i), problems);
  }
}

void check_term(const core::NodeSelectorTerm& term, bool check_values, const FieldPath& at, Problems& problems) {
  for (std::size_t i = 0; i < term.matchExpressions.size(); ++i) {
    check_node_requirement(term.matchExpressions[i], check_values, at.child("matchExpressions").index(i), problems);
  }
  for (std::size_t i = 0; i < term.matchFields.size(); ++i) {
    check_node_field(term.matchFields[i], at.child("matchFields").index(i), problems);
  }
}

void check_keys(const std::vector<std::string>& keys, bool has_selector, const FieldPath& at, Problems& problems) {
  if (keys.empty()) return;
  if (!has_selector) {
    problems.forbidden(at, "must not be specified when labelSelector is not set");
    return;
  }
  for (std::size_t i = 0; i < keys.size(); ++i) check_name(keys[i], names::label_key, at.index(i), problems);
}

// Keys become expressions of the selector: it cannot name them a second time.
void check_label_keys(const std::vector<std::string>& match, const std::vector<std::string>& mismatch,
                      const Box<meta::LabelSelector>& selector, const FieldPath& at, Problems& problems) {
  check_keys(match, selector.has_value(), at.child("matchLabelKeys"), problems);
  check_keys(mismatch, selector.has_value(), at.child("mismatchLabelKeys"), problems);
  if (selector) {
    std::set<std::string> seen;
    for (const auto& [key, value] : selector->matchLabels) seen.insert(key);
    for (const meta::LabelSelectorRequirement& expression : selector->matchExpressions) {
      const auto found = std::ranges::find(match, expression.key);
      if (!seen.insert(expression.key).second && found != match.end()) {
        problems.invalid(at.index(static_cast<std::size_t>(found - match.begin())), expression.key,
                         "exists in both matchLabelKeys and labelSelector");
      }
    }
  }
  for (std::size_t i = 0; i < match.size(); ++i) {
    if (std::ranges::find(mismatch, match[i]) == mismatch.end()) continue;
    problems.invalid(at.child("matchLabelKeys").index(i), match[i],
                     "exists in both matchLabelKeys and mismatchLabelKeys");
  }
}

void check_pod_term(const core::PodAffinityTerm& term, const FieldPath& at, Problems& problems) {
  if (term.labelSelector) check_label_selector(*term.labelSelector, at.child("labelSelector"), problems);
  if (term.namespaceSelector) check_label_selector(*term.namespaceSelector, at.child("namespaceSelector"), problems);
  for (const std::string& name : term.namespaces) {
    check_name(name, names::dns1123_label, at.child("namespace"), problems);
  }
  check_label_keys(term.matchLabelKeys, term.mismatchLabelKeys, term.labelSelector, at, problems);
  if (term.topologyKey.empty()) problems.required(at.child("topologyKey"), "can not be empty");
  check_name(term.topologyKey, names::label_key, at.child("topologyKey"), problems);
}

template <class PodAffinity>
void check_pod_affinity(const PodAffinity& affinity, const FieldPath& at, Problems& problems) {
  const FieldPath required = at.child("requiredDuringSchedulingIgnoredDuringExecution");
  for (std::size_t i = 0; i < affinity.requiredDuringSchedulingIgnoredDuringExecution.size(); ++i) {
    check_pod_term(affinity.requiredDuringSchedulingIgnoredDuringExecution[i], required.index(i), problems);
  }
  const FieldPath preferred = at.child("preferredDuringSchedulingIgnoredDuringExecution");
  for (std::size_t i = 0; i < affinity.preferredDuringSchedulingIgnoredDuringExecution.size(); ++i) {
    const core::WeightedPodAffinityTerm& term = affinity.preferredDuringSchedulingIgnoredDuringExecution[i];
    check_weight(term.weight, preferred.index(i).child("weight"), problems);
    check_pod_term(term.podAffinityTerm, preferred.index(i).child("podAffinityTerm"), problems);
  }
}

void check_toleration(const core::Toleration& toleration, const FieldPath& at, Problems& problems) {
  const std::string& how = toleration.operator_;
  if (!toleration.key.empty()) check_name(toleration.key, names::label_key, at.child("key"), problems);
  if (toleration.key.empty() && how != "Exists") {
    problems.invalid(at.child("operator"), how,
                     "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
  }
  if (toleration.tolerationSeconds && toleration.effect != "NoExecute") {
    problems.invalid(at.child("effect"), toleration.effect,
                     "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  if (how == "Equal" || how.empty()) {
    const names::Messages messages = names::label_value(toleration.value);
    std::string all;
    for (const std::string& message : messages) all.append(all.empty() ? "" : ";").append(message);
    if (!all.empty()) problems.invalid(at.child("operator"), toleration.value, all);
  } else if (how == "Exists") {
    if (!toleration.value.empty()) {
      problems.invalid(at.child("operator"), toleration.value, "value must be empty when `operator` is 'Exists'");
    }
  } else if (how == "Lt" || how == "Gt") {
    problems.not_supported(at.child("operator"), how, {"Equal", "Exists", "Lt", "Gt"});
  } else {
    problems.not_supported(at.child("operator"), how, {"Equal", "Exists"});
  }
  if (!toleration.effect.empty()) check_taint_effect(toleration.effect, at.child("effect"), problems);
}

void check_constraint(const core::TopologySpreadConstraint& constraint, const FieldPath& at, Problems& problems) {
  if (constraint.minDomains) {
    if (*constraint.minDomains <= 0) {
      problems.invalid(at.child("minDomains"), *constraint.minDomains, "must be greater than zero");
    }
    if (constraint.whenUnsatisfiable != "DoNotSchedule") {
      problems.invalid(
          at.child("minDomains"), *constraint.minDomains,
          "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + constraint.whenUnsatisfiable);
    }
  }
  if (constraint.nodeAffinityPolicy) {
    check_one_of(*constraint.nodeAffinityPolicy, {"Honor", "Ignore"}, at.child("nodeAffinityPolicy"), problems);
  }
  if (constraint.nodeTaintsPolicy) {
    check_one_of(*constraint.nodeTaintsPolicy, {"Honor", "Ignore"}, at.child("nodeTaintsPolicy"), problems);
  }
  check_label_keys(constraint.matchLabelKeys, {}, constraint.labelSelector, at, problems);
  if (constraint.labelSelector) check_label_selector(*constraint.labelSelector, at.child("labelSelector"), problems);
}

}  // namespace

void check_taint_effect(const std::string& effect, const FieldPath& at, Problems& problems) {
  check_one_of(effect, {"NoSchedule", "PreferNoSchedule", "NoExecute"}, at, problems);
}

void check_node_selector(const core::NodeSelector& selector, const FieldPath& at, Problems& problems) {
  const FieldPath terms = at.child("nodeSelectorTerms");
  if (selector.nodeSelectorTerms.empty()) problems.required(terms, "must have at least one node selector term");
  for (std::size_t i = 0; i < selector.nodeSelectorTerms.size(); ++i) {
    check_term(selector.nodeSelectorTerms[i], true, terms.index(i), problems);
  }
}

void check_affinity(const core::Affinity& affinity, const FieldPath& at, Problems& problems) {
  if (affinity.nodeAffinity) {
    const core::NodeAffinity& node = *affinity.nodeAffinity;
    const FieldPath here = at.child("nodeAffinity");
    if (node.requiredDuringSchedulingIgnoredDuringExecution) {
      check_node_selector(*node.requiredDuringSchedulingIgnoredDuringExecution,
                          here.child("requiredDuringSchedulingIgnoredDuringExecution"), problems);
    }
    const FieldPath preferred = here.child("preferredDuringSchedulingIgnoredDuringExecution");
    for (std::size_t i = 0; i < node.preferredDuringSchedulingIgnoredDuringExecution.size(); ++i) {
      const core::PreferredSchedulingTerm& term = node.preferredDuringSchedulingIgnoredDuringExecution[i];
      check_weight(term.weight, preferred.index(i).child("weight"), problems);
      check_term(term.preference, false, preferred.index(i).child("preference"), problems);
    }
  }
  if (affinity.podAffinity) check_pod_affinity(*affinity.podAffinity, at.child("podAffinity"), problems);
  if (affinity.podAntiAffinity) check_pod_affinity(*affinity.podAntiAffinity, at.child("podAntiAffinity"), problems);
}

void check_tolerations(const std::vector<core::Toleration>& tolerations, const FieldPath& at, Problems& problems) {
  for (std::size_t i = 0; i < tolerations.size(); ++i) check_toleration(tolerations[i], at.index(i), problems);
}

void check_spread(const std::vector<core::TopologySpreadConstraint>& constraints, const FieldPath& at,
                  Problems& problems) {
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const core::TopologySpreadConstraint& constraint = constraints[i];
    const FieldPath here = at.index(i);
    if (constraint.maxSkew <= 0) {
      problems.invalid(here.child("maxSkew"), constraint.maxSkew, "must be greater than zero");
    }
    if (constraint.topologyKey.empty()) problems.required(here.child("topologyKey"), "can not be empty");
    check_one_of(constraint.whenUnsatisfiable, {"DoNotSchedule", "ScheduleAnyway"}, here.child("whenUnsatisfiable"),
                 problems);
    for (std::size_t j = i + 1; j < constraints.size(); ++j) {
      if (constraints[j].topologyKey != constraint.topologyKey ||
          constraints[j].whenUnsatisfiable != constraint.whenUnsatisfiable) {
        continue;
      }
      problems.duplicate(here.child("{topologyKey, whenUnsatisfiable}"),
                         joined({"{", constraint.topologyKey, ", ", constraint.whenUnsatisfiable, "}"}));
      break;
    }
    check_constraint(constraint, here, problems);
  }
}

}  // namespace flyball::apiserver
