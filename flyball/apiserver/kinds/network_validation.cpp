#include "flyball/apiserver/kinds/network_validation.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"
#include "flyball/apiserver/kinds/service_validation.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace discovery = kube::discovery::v1;
namespace names = kube::names;
namespace networking = kube::networking::v1;

constexpr std::size_t kMostAddresses = 100;
constexpr std::size_t kMostEndpoints = 1000;
constexpr std::size_t kLongestController = 250;

bool is_ip(const std::string& text) { return names::ip_in_old_field(text).empty(); }

void check_host(const std::string& host, const FieldPath& at, Problems& problems) {
  if (host.find('*') != std::string::npos) {
    check_name(host, names::wildcard_dns1123_subdomain, at, problems);
  } else {
    check_name(host, names::dns1123_subdomain, at, problems);
  }
}

void check_segment(const std::string& value, const FieldPath& at, Problems& problems) {
  if (value.empty()) {
    problems.required(at);
  } else {
    check_name(value, names::path_segment, at, problems);
  }
}

void check_service_backend(const networking::IngressServiceBackend& service, const FieldPath& at, Problems& problems) {
  const FieldPath here = at.child("service");
  if (service.name.empty()) {
    problems.required(here.child("name"));
  } else {
    check_name(service.name, names::dns1123_label, here.child("name"), problems);
  }
  const bool named = !service.port.name.empty();
  const bool numbered = service.port.number != 0;
  if (named && numbered) {
    problems.invalid(at, "", "cannot set both port name & port number");
  } else if (named) {
    check_name(service.port.name, names::port_name, here.child("port").child("name"), problems);
  } else if (numbered) {
    problems.invalid(here.child("port").child("number"), service.port.number, names::port_number(service.port.number));
  } else {
    problems.required(at, "port name or number is required");
  }
}

void check_backend(const networking::IngressBackend& backend, const FieldPath& at, Problems& problems) {
  if (backend.resource && backend.service) {
    problems.invalid(at, "", "cannot set both resource and service backends");
  } else if (backend.resource) {
    const FieldPath here = at.child("resource");
    if (backend.resource->apiGroup) {
      check_name(*backend.resource->apiGroup, names::dns1123_subdomain, here.child("apiGroup"), problems);
    }
    check_segment(backend.resource->kind, here.child("kind"), problems);
    check_segment(backend.resource->name, here.child("name"), problems);
  } else if (backend.service) {
    check_service_backend(*backend.service, at, problems);
  } else {
    problems.invalid(at, "", "resource or service backend is required");
  }
}

void check_path(const networking::HTTPIngressPath& path, const FieldPath& at, Problems& problems) {
  if (!path.pathType) {
    problems.required(at.child("pathType"), "pathType must be specified");
    return;
  }
  const FieldPath here = at.child("path");
  if (*path.pathType == "Exact" || *path.pathType == "Prefix") {
    if (!path.path.starts_with('/')) problems.invalid(here, path.path, "must be an absolute path");
    for (const char* wrong : {"//", "/./", "/../", "%2f", "%2F"}) {
      if (path.path.find(wrong) == std::string::npos) continue;
      problems.invalid(here, path.path, joined({"must not contain '", wrong, "'"}));
    }
    for (const char* wrong : {"/..", "/."}) {
      if (path.path.ends_with(wrong)) {
        problems.invalid(here, path.path, joined({"cannot end with '", wrong, "'"}));
      }
    }
  } else if (*path.pathType == "ImplementationSpecific") {
    if (!path.path.empty() && !path.path.starts_with('/')) {
      problems.invalid(here, path.path, "must be an absolute path");
    }
  } else {
    problems.not_supported(at.child("pathType"), *path.pathType, {"Exact", "ImplementationSpecific", "Prefix"});
  }
  check_backend(path.backend, at.child("backend"), problems);
}

void check_rule(const networking::IngressRule& rule, const FieldPath& at, Problems& problems) {
  if (!rule.host.empty()) {
    if (is_ip(rule.host)) problems.invalid(at.child("host"), rule.host, "must be a DNS name, not an IP address");
    check_host(rule.host, at.child("host"), problems);
  }
  if (!rule.http) return;
  const FieldPath paths = at.child("http").child("paths");
  if (rule.http->paths.empty()) problems.required(paths);
  for (std::size_t i = 0; i < rule.http->paths.size(); ++i) {
    check_path(rule.http->paths[i], paths.index(i), problems);
  }
}

void check_policy_port(const networking::NetworkPolicyPort& port, const FieldPath& at, Problems& problems) {
  if (port.protocol) check_one_of(*port.protocol, {"TCP", "UDP", "SCTP"}, at.child("protocol"), problems);
  const FieldPath end = at.child("endPort");
  if (!port.port) {
    if (port.endPort) problems.invalid(end, *port.endPort, "may not be specified when `port` is not specified");
    return;
  }
  if (port.port->is_string()) {
    if (port.endPort) problems.invalid(end, *port.endPort, "may not be specified when `port` is non-numeric");
    check_name(port.port->as_string(), names::port_name, at.child("port"), problems);
    return;
  }
  const std::int32_t number = port.port->as_int();
  problems.invalid(at.child("port"), number, names::port_number(number));
  if (!port.endPort) return;
  if (*port.endPort < number) problems.invalid(end, number, "must be greater than or equal to `port`");
  problems.invalid(end, *port.endPort, names::port_number(*port.endPort));
}

void check_block(const networking::IPBlock& block, const FieldPath& at, Problems& problems) {
  if (block.cidr.empty()) {
    problems.required(at.child("cidr"));
    return;
  }
  check_cidr(block.cidr, at.child("cidr"), problems);
  for (std::size_t i = 0; i < block.except.size(); ++i) {
    check_cidr(block.except[i], at.child("except").index(i), problems);
    if (!is_inside(block.except[i], block.cidr)) {
      problems.invalid(at.child("except").index(i), block.except[i], "must be a strict subset of `cidr`");
    }
  }
}

void check_peer(const networking::NetworkPolicyPeer& peer, const FieldPath& at, Problems& problems) {
  if (peer.podSelector) check_label_selector(*peer.podSelector, at.child("podSelector"), problems);
  if (peer.namespaceSelector) check_label_selector(*peer.namespaceSelector, at.child("namespaceSelector"), problems);
  if (peer.ipBlock) check_block(*peer.ipBlock, at.child("ipBlock"), problems);
  const bool selected = peer.podSelector || peer.namespaceSelector;
  if (!selected && !peer.ipBlock) problems.required(at, "must specify a peer");
  if (selected && peer.ipBlock) problems.forbidden(at, "may not specify both ipBlock and another peer");
}

void check_flow(const std::vector<networking::NetworkPolicyPort>& ports,
                const std::vector<networking::NetworkPolicyPeer>& peers, const FieldPath& at, std::string_view side,
                Problems& problems) {
  for (std::size_t i = 0; i < ports.size(); ++i) check_policy_port(ports[i], at.child("ports").index(i), problems);
  for (std::size_t i = 0; i < peers.size(); ++i) check_peer(peers[i], at.child(side).index(i), problems);
}

void check_address(const core::EndpointAddress& address, const FieldPath& at, Problems& problems) {
  check_name(address.ip, names::ip, at.child("ip"), problems);
  if (!address.hostname.empty()) check_name(address.hostname, names::dns1123_label, at.child("hostname"), problems);
  if (address.nodeName) check_name(*address.nodeName, names::dns1123_subdomain, at.child("nodeName"), problems);
  check_endpoint_ip(address.ip, at.child("ip"), problems);
}

void check_slice_address(const std::string& address, const std::string& type, const FieldPath& at, std::size_t index,
                         Problems& problems) {
  if (type != "IPv4" && type != "IPv6") return;
  const names::Messages messages = names::ip(address);
  problems.invalid(at.index(index), address, messages);
  if (!messages.empty()) return;
  const bool six = address.find(':') != std::string::npos;
  if (six != (type == "IPv6")) problems.invalid(at, address, "must be an " + type + " address");
  check_endpoint_ip(address, at.index(index), problems);
}

void check_endpoint(const discovery::Endpoint& endpoint, const std::string& type, const FieldPath& at,
                    Problems& problems) {
  const FieldPath addresses = at.child("addresses");
  if (endpoint.addresses.empty()) {
    problems.required(addresses, "must contain at least 1 address");
  } else if (endpoint.addresses.size() > kMostAddresses) {
    problems.too_many(addresses, endpoint.addresses.size(), kMostAddresses);
  }
  for (std::size_t i = 0; i < endpoint.addresses.size(); ++i) {
    check_slice_address(endpoint.addresses[i], type, addresses, i, problems);
  }
  if (endpoint.nodeName) check_name(*endpoint.nodeName, names::dns1123_subdomain, at.child("nodeName"), problems);
  if (endpoint.hostname) check_name(*endpoint.hostname, names::dns1123_label, at.child("hostname"), problems);
  if (!endpoint.hints) return;
  const FieldPath zones = at.child("hints").child("forZones");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < endpoint.hints->forZones.size(); ++i) {
    const std::string& zone = endpoint.hints->forZones[i].name;
    if (!seen.insert(zone).second) problems.duplicate(zones.index(i).child("name"), zone);
    check_name(zone, names::label_value, zones.index(i).child("name"), problems);
  }
}

}  // namespace

void validate_ingress(const networking::Ingress& ingress, Problems& problems) {
  const FieldPath at("spec");
  const networking::IngressSpec& spec = ingress.spec;
  if (spec.rules.empty() && !spec.defaultBackend) {
    problems.invalid(at, json::Value(), "either `defaultBackend` or `rules` must be specified");
  }
  if (spec.defaultBackend) check_backend(*spec.defaultBackend, at.child("defaultBackend"), problems);
  for (std::size_t i = 0; i < spec.rules.size(); ++i) check_rule(spec.rules[i], at.child("rules").index(i), problems);
  for (std::size_t i = 0; i < spec.tls.size(); ++i) {
    const FieldPath here = at.child("tls").index(i);
    for (std::size_t j = 0; j < spec.tls[i].hosts.size(); ++j) {
      check_host(spec.tls[i].hosts[j], here.child("hosts").index(j), problems);
    }
    if (!spec.tls[i].secretName.empty()) {
      check_name(spec.tls[i].secretName, names::dns1123_subdomain, here.child("secretName"), problems);
    }
  }
  if (spec.ingressClassName) {
    check_name(*spec.ingressClassName, names::dns1123_subdomain, at.child("ingressClassName"), problems);
  }
}

void validate_ingress_class(const networking::IngressClass& object, Problems& problems) {
  const FieldPath at("spec");
  if (object.spec.controller.size() > kLongestController) {
    problems.too_long(at.child("controller"), kLongestController);
  }
  check_domain_prefixed_path(object.spec.controller, at.child("controller"), problems);
  if (!object.spec.parameters) return;
  const networking::IngressClassParametersReference& parameters = *object.spec.parameters;
  const FieldPath here = at.child("parameters");
  if (parameters.apiGroup) {
    check_name(*parameters.apiGroup, names::dns1123_subdomain, here.child("apiGroup"), problems);
  }
  check_segment(parameters.kind, here.child("kind"), problems);
  check_segment(parameters.name, here.child("name"), problems);
  const std::string scope = parameters.scope.value_or("");
  check_one_of(scope, {"Cluster", "Namespace"}, here.child("scope"), problems);
  if (scope == "Namespace" && parameters.namespace_.value_or("").empty()) {
    problems.required(here.child("namespace"), "`parameters.scope` is set to 'Namespace'");
  }
  if (scope == "Cluster" && parameters.namespace_) {
    problems.forbidden(here.child("namespace"), "`parameters.scope` is set to 'Cluster'");
  }
}

void validate_network_policy(const networking::NetworkPolicy& policy, Problems& problems) {
  const FieldPath at("spec");
  const networking::NetworkPolicySpec& spec = policy.spec;
  check_label_selector(spec.podSelector, at.child("podSelector"), problems);
  for (std::size_t i = 0; i < spec.ingress.size(); ++i) {
    check_flow(spec.ingress[i].ports, spec.ingress[i].from, at.child("ingress").index(i), "from", problems);
  }
  for (std::size_t i = 0; i < spec.egress.size(); ++i) {
    check_flow(spec.egress[i].ports, spec.egress[i].to, at.child("egress").index(i), "to", problems);
  }
  const FieldPath types = at.child("policyTypes");
  if (spec.policyTypes.size() > 2) {
    problems.invalid(types, shown(spec.policyTypes), "may not specify more than two policyTypes");
    return;
  }
  for (std::size_t i = 0; i < spec.policyTypes.size(); ++i) {
    check_one_of(spec.policyTypes[i], {"Ingress", "Egress"}, types.index(i), problems);
  }
}

void validate_endpoints(const core::Endpoints& endpoints, Problems& problems) {
  for (std::size_t i = 0; i < endpoints.subsets.size(); ++i) {
    const core::EndpointSubset& subset = endpoints.subsets[i];
    const FieldPath at = FieldPath("subsets").index(i);
    if (subset.addresses.empty() && subset.notReadyAddresses.empty()) {
      problems.required(at, "must specify `addresses` or `notReadyAddresses`");
    }
    for (std::size_t j = 0; j < subset.addresses.size(); ++j) {
      check_address(subset.addresses[j], at.child("addresses").index(j), problems);
    }
    for (std::size_t j = 0; j < subset.notReadyAddresses.size(); ++j) {
      check_address(subset.notReadyAddresses[j], at.child("notReadyAddresses").index(j), problems);
    }
    for (std::size_t j = 0; j < subset.ports.size(); ++j) {
      const core::EndpointPort& port = subset.ports[j];
      const FieldPath here = at.child("ports").index(j);
      if (!port.name.empty()) {
        check_name(port.name, names::dns1123_label, here.child("name"), problems);
      } else if (subset.ports.size() > 1) {
        problems.required(here.child("name"));
      }
      problems.invalid(here.child("port"), port.port, names::port_number(port.port));
      check_one_of(port.protocol, {"SCTP", "TCP", "UDP"}, here.child("protocol"), problems);
      if (port.appProtocol) {
        check_name(*port.appProtocol, names::qualified_name, here.child("appProtocol"), problems);
      }
    }
  }
}

void validate_endpoint_slice(const discovery::EndpointSlice& slice, Problems& problems) {
  if (slice.addressType.empty()) {
    problems.required(FieldPath("addressType"));
  } else {
    check_one_of(slice.addressType, {"FQDN", "IPv4", "IPv6"}, FieldPath("addressType"), problems);
  }
  std::set<std::string> seen;
  for (std::size_t i = 0; i < slice.ports.size(); ++i) {
    const discovery::EndpointPort& port = slice.ports[i];
    const FieldPath here = FieldPath("ports").index(i);
    const std::string name = port.name.value_or("");
    if (!name.empty()) check_name(name, names::dns1123_label, here.child("name"), problems);
    if (!seen.insert(name).second) problems.duplicate(here.child("name"), name);
    check_one_of(port.protocol.value_or(""), {"SCTP", "TCP", "UDP"}, here.child("protocol"), problems);
    if (port.appProtocol) check_name(*port.appProtocol, names::qualified_name, here.child("appProtocol"), problems);
  }
  const FieldPath endpoints("endpoints");
  if (slice.endpoints.size() > kMostEndpoints) {
    problems.too_many(endpoints, slice.endpoints.size(), kMostEndpoints);
    return;
  }
  for (std::size_t i = 0; i < slice.endpoints.size(); ++i) {
    check_endpoint(slice.endpoints[i], slice.addressType, endpoints.index(i), problems);
  }
}

}  // namespace flyball::apiserver
