#include "flyball/cluster/controllers/node_fit.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "flyball/kube/selector.hpp"

namespace flyball::cluster {

namespace core = kube::core::v1;

namespace {

bool matches(const core::NodeSelectorRequirement& wanted, std::optional<std::string_view> value) {
  const std::string& word = wanted.operator_;
  if (word == "Gt" || word == "Lt") {
    const auto op = word == "Gt" ? kube::Operator::greater_than : kube::Operator::less_than;
    return kube::Requirement(wanted.key, op, wanted.values).matches(value);
  }
  return kube::Requirement::from_expression(wanted.key, word, wanted.values).matches(value);
}

std::optional<std::string_view> find(const std::map<std::string, std::string>& in, const std::string& key) {
  const auto found = in.find(key);
  if (found == in.end()) return std::nullopt;
  return found->second;
}

bool matches(const core::NodeSelectorTerm& term, const core::Node& node) {
  // A term that says nothing is met by nothing.
  if (term.matchExpressions.empty() && term.matchFields.empty()) return false;
  return std::ranges::all_of(term.matchExpressions,
                             [&](const auto& one) { return matches(one, find(node.metadata.labels, one.key)); }) &&
         std::ranges::all_of(term.matchFields, [&](const auto& one) {
           // The only field there is.
           return one.key == "metadata.name" &&
                  (std::ranges::find(one.values, node.metadata.name) != one.values.end()) == (one.operator_ == "In");
         });
}

}  // namespace

bool tolerates(const core::Pod& pod, const core::Taint& taint) {
  return std::ranges::any_of(pod.spec.tolerations, [&](const core::Toleration& one) {
    if (!one.effect.empty() && one.effect != taint.effect) return false;
    if (!one.key.empty() && one.key != taint.key) return false;
    return one.operator_ == "Exists" || (one.value == taint.value && !one.key.empty());
  });
}

bool is_tainted_for(const core::Node& node, const core::Pod& pod) {
  return std::ranges::any_of(node.spec.taints, [&](const core::Taint& taint) {
    return (taint.effect == "NoSchedule" || taint.effect == "NoExecute") && !tolerates(pod, taint);
  });
}

bool matches(const core::NodeSelector& selector, const core::Node& node) {
  return std::ranges::any_of(selector.nodeSelectorTerms, [&](const auto& term) { return matches(term, node); });
}

bool wants_node(const core::Pod& pod, const core::Node& node) {
  if (!kube::Selector::from_labels(pod.spec.nodeSelector).matches(node.metadata.labels)) return false;
  if (!pod.spec.affinity || !pod.spec.affinity->nodeAffinity) return true;
  const auto& required = pod.spec.affinity->nodeAffinity->requiredDuringSchedulingIgnoredDuringExecution;
  return !required || matches(*required, node);
}

bool share_host_port(const core::Pod& a, const core::Pod& b) {
  const auto ports = [](const core::Pod& pod) {
    std::vector<core::ContainerPort> all;
    for (const auto& container : pod.spec.containers) {
      for (const auto& port : container.ports) {
        if (port.hostPort != 0) all.push_back(port);
      }
    }
    return all;
  };
  const auto is_any = [](const std::string& ip) { return ip.empty() || ip == "0.0.0.0"; };
  const auto others = ports(b);
  return std::ranges::any_of(ports(a), [&](const auto& one) {
    return std::ranges::any_of(others, [&](const auto& other) {
      return one.hostPort == other.hostPort && one.protocol == other.protocol &&
             (one.hostIP == other.hostIP || is_any(one.hostIP) || is_any(other.hostIP));
    });
  });
}

}  // namespace flyball::cluster
