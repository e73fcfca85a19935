// Ingresses, network policies and addresses.
#include <array>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::string_view kGroup = "networking.k8s.io";

constexpr std::array kIngressColumns = {kName, column("Class"), column("Hosts"), column("Address"), column("Ports"),
                                        kAge};

// Three hosts at most; what is said to be left out counts every rule, those without a host too.
std::string hosts_text(json::View rules) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> hosts;
  bool more = false;
  for (const json::View rule : rules.items()) {
    more = more || hosts.size() == kShown;
    if (!more && !text(rule["host"]).empty()) hosts.emplace_back(text(rule["host"]));
  }
  if (hosts.empty()) return "*";
  return join(hosts, ",") + (more ? " + " + std::to_string(rules.size() - kShown) + " more..." : "");
}

json::Value ingress_cells(json::View object, WallTime now) {
  const json::View spec = object["spec"];
  return row(name_of(object), given(spec["ingressClassName"]) ? text(spec["ingressClassName"]) : "<none>",
             hosts_text(spec["rules"]), load_balancer_text(object["status"]["loadBalancer"]),
             spec["tls"].empty() ? "80" : "80, 443", age_of(object, now));
}

constexpr std::array kIngressClassColumns = {kName, column("Controller"), column("Parameters"), kAge};

std::string parameters_text(json::View parameters) {
  if (!given(parameters)) return "<none>";
  std::string kind(text(parameters["kind"]));
  if (given(parameters["apiGroup"])) kind += "." + std::string(text(parameters["apiGroup"]));
  return kind + "/" + std::string(text(parameters["name"]));
}

json::Value ingress_class_cells(json::View object, WallTime now) {
  std::string name(name_of(object));
  if (text(annotation(object, "ingressclass.kubernetes.io/is-default-class")) == "true") name += " (default)";
  return row(name, text(object["spec"]["controller"]), parameters_text(object["spec"]["parameters"]),
             age_of(object, now));
}

constexpr std::array kPolicyColumns = {kName, column("Pod-Selector"), kAge};

json::Value policy_cells(json::View object, WallTime now) {
  return row(name_of(object), selector_text(object["spec"]["podSelector"]), age_of(object, now));
}

constexpr std::array kServiceCidrColumns = {kName, column("CIDRs"), kAge};

json::Value service_cidr_cells(json::View object, WallTime now) {
  return row(name_of(object), join(texts(object["spec"]["cidrs"]), ","), age_of(object, now));
}

constexpr std::array kAddressColumns = {kName, column("ParentRef")};

std::string parent_text(json::View parent) {
  if (!given(parent)) return "<none>";
  std::string resource(text(parent["resource"]));
  if (!text(parent["group"]).empty()) resource += "." + std::string(text(parent["group"]));
  resource = lower_text(resource);
  if (!text(parent["namespace"]).empty()) resource += "/" + std::string(text(parent["namespace"]));
  return resource + "/" + std::string(text(parent["name"]));
}

// One cell more than there are columns, as in kube-apiserver.
json::Value address_cells(json::View object, WallTime now) {
  return row(name_of(object), parent_text(object["spec"]["parentRef"]), age_of(object, now));
}

constexpr std::array kRules = {
    TableRule{.group = kGroup, .kind = "Ingress", .columns = kIngressColumns, .cells = ingress_cells},
    TableRule{.group = kGroup, .kind = "IngressClass", .columns = kIngressClassColumns, .cells = ingress_class_cells},
    TableRule{.group = kGroup, .kind = "NetworkPolicy", .columns = kPolicyColumns, .cells = policy_cells},
    TableRule{.group = kGroup, .kind = "ServiceCIDR", .columns = kServiceCidrColumns, .cells = service_cidr_cells},
    TableRule{.group = kGroup, .kind = "IPAddress", .columns = kAddressColumns, .cells = address_cells},
};

}  // namespace

std::span<const TableRule> network_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
