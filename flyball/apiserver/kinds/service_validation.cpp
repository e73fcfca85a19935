#include "flyball/apiserver/kinds/service_validation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"
#include "flyball/apiserver/kinds/service_defaults.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace names = kube::names;

constexpr std::int32_t kMostAffinitySeconds = 86400;
constexpr std::string_view kOnlyBalanced = "may only be used when `type` is 'LoadBalancer'";
constexpr std::string_view kNotExternalName = "may not be set for ExternalName services";

bool is_headless(const core::Service& service) {
  return service.spec.clusterIPs.size() == 1 && service.spec.clusterIPs[0] == "None";
}

bool is_ipv6(std::string_view ip) { return ip.find(':') != std::string_view::npos; }

void check_type(const core::Service& service, const FieldPath& at, Problems& problems) {
  const core::ServiceSpec& spec = service.spec;
  const bool headless = is_headless(service);
  if (headless && needs_node_port(service)) {
    problems.invalid(at.child("clusterIPs").index(0), spec.clusterIPs[0],
                     "may not be set to 'None' for " + spec.type + " services");
  }
  if (spec.type != "ExternalName") return;
  if (!spec.clusterIPs.empty()) problems.forbidden(at.child("clusterIPs"), kNotExternalName);
  if (!spec.ipFamilies.empty()) problems.forbidden(at.child("ipFamilies"), kNotExternalName);
  if (spec.ipFamilyPolicy) problems.forbidden(at.child("ipFamilyPolicy"), kNotExternalName);
  std::string name = spec.externalName;
  if (name.ends_with('.')) name.pop_back();
  if (name.empty()) {
    problems.required(at.child("externalName"));
  } else {
    check_name(name, names::dns1123_subdomain, at.child("externalName"), problems);
  }
}

void check_ports(const core::ServiceSpec& spec, const FieldPath& at, Problems& problems) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < spec.ports.size(); ++i) {
    const core::ServicePort& port = spec.ports[i];
    const FieldPath here = at.index(i);
    if (!port.name.empty()) {
      check_name(port.name, names::dns1123_label, here.child("name"), problems);
      if (!seen.insert(port.name).second) problems.duplicate(here.child("name"), port.name);
    } else if (spec.ports.size() > 1) {
      problems.required(here.child("name"));
    }
    problems.invalid(here.child("port"), port.port, names::port_number(port.port));
    check_one_of(port.protocol, {"SCTP", "TCP", "UDP"}, here.child("protocol"), problems);
    check_port_or_name(port.targetPort, here.child("targetPort"), problems);
    if (port.appProtocol) {
      check_name(*port.appProtocol, names::qualified_name, here.child("appProtocol"), problems);
    }
  }
}

void check_affinity(const core::ServiceSpec& spec, const FieldPath& at, Problems& problems) {
  check_one_of(spec.sessionAffinity, {"ClientIP", "None"}, at.child("sessionAffinity"), problems);
  if (spec.sessionAffinity != "ClientIP") return;
  const auto& config = spec.sessionAffinityConfig;
  if (!config || !config->clientIP || !config->clientIP->timeoutSeconds) return;  // defaulted
  const std::int32_t seconds = *config->clientIP->timeoutSeconds;
  if (seconds > 0 && seconds <= kMostAffinitySeconds) return;
  problems.invalid(at.child("sessionAffinityConfig").child("clientIP").child("timeoutSeconds"), seconds,
                   "must be greater than 0 and less than 86400");
}

void check_node_ports(const core::ServiceSpec& spec, const FieldPath& at, Problems& problems) {
  std::set<std::pair<std::string, std::int32_t>> seen;
  for (std::size_t i = 0; i < spec.ports.size(); ++i) {
    if (spec.type == "ClusterIP" && spec.ports[i].nodePort != 0) {
      problems.forbidden(at.index(i).child("nodePort"), "may not be used when `type` is 'ClusterIP'");
    }
  }
  for (std::size_t i = 0; i < spec.ports.size(); ++i) {
    const core::ServicePort& port = spec.ports[i];
    if (port.nodePort != 0 && !seen.emplace(port.protocol, port.nodePort).second) {
      problems.duplicate(at.index(i).child("nodePort"), port.nodePort);
    }
  }
  seen.clear();
  for (std::size_t i = 0; i < spec.ports.size(); ++i) {
    const core::ServicePort& port = spec.ports[i];
    if (seen.emplace(port.protocol, port.port).second) continue;
    problems.duplicate(at.index(i), json::object({{"Name", ""},
                                                  {"Protocol", port.protocol},
                                                  {"AppProtocol", nullptr},
                                                  {"Port", port.port},
                                                  {"TargetPort", 0},
                                                  {"NodePort", 0}}));
  }
}

void check_balancer(const core::Service& service, const FieldPath& at, Problems& problems) {
  const core::ServiceSpec& spec = service.spec;
  const bool balanced = spec.type == "LoadBalancer";
  if (!spec.loadBalancerSourceRanges.empty()) {
    const FieldPath here = at.child("LoadBalancerSourceRanges");
    if (!balanced) problems.forbidden(here, kOnlyBalanced);
    for (std::size_t i = 0; i < spec.loadBalancerSourceRanges.size(); ++i) {
      check_cidr(spec.loadBalancerSourceRanges[i], here.index(i), problems);
    }
  }
  if (spec.allocateLoadBalancerNodePorts && !balanced) {
    problems.forbidden(at.child("allocateLoadBalancerNodePorts"), kOnlyBalanced);
  }
  if (!spec.loadBalancerClass) return;
  if (balanced) {
    check_name(*spec.loadBalancerClass, names::qualified_name, at.child("loadBalancerClass"), problems);
  } else {
    problems.forbidden(at.child("loadBalancerClass"), kOnlyBalanced);
  }
}

void check_traffic(const core::Service& service, const FieldPath& at, Problems& problems) {
  const core::ServiceSpec& spec = service.spec;
  const FieldPath external = at.child("externalTrafficPolicy");
  if (is_externally_accessible(service)) {
    check_one_of(spec.externalTrafficPolicy, {"Cluster", "Local"}, external, problems);
  } else if (!spec.externalTrafficPolicy.empty()) {
    problems.invalid(external, spec.externalTrafficPolicy, "may only be set for externally-accessible services");
  }
  const FieldPath health = at.child("healthCheckNodePort");
  if (!needs_health_check_port(service)) {
    if (spec.healthCheckNodePort != 0) {
      problems.invalid(health, spec.healthCheckNodePort,
                       "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
    }
  } else if (spec.healthCheckNodePort == 0) {
    problems.required(health);
  } else {
    problems.invalid(health, spec.healthCheckNodePort, names::port_number(spec.healthCheckNodePort));
  }
  if (spec.internalTrafficPolicy) {
    check_one_of(*spec.internalTrafficPolicy, {"Cluster", "Local"}, at.child("internalTrafficPolicy"), problems);
  }
  if (spec.trafficDistribution) {
    check_one_of(*spec.trafficDistribution, {"PreferClose", "PreferSameZone", "PreferSameNode"},
                 at.child("trafficDistribution"), problems);
  }
}

void check_ip_update(const core::Service& service, const core::Service& old, Problems& problems) {
  if (service.spec.type == "ExternalName" || old.spec.type == "ExternalName") return;
  if (is_headless(service) && is_headless(old)) return;
  const FieldPath at = FieldPath("spec").child("clusterIPs");
  const std::vector<std::string>& ips = service.spec.clusterIPs;
  const std::vector<std::string>& before = old.spec.clusterIPs;
  if (ips.size() == before.size()) {
    for (std::size_t i = 0; i < ips.size(); ++i) {
      if (ips[i] != before[i]) problems.invalid(at.index(i), shown(ips), "may not change once set");
    }
    return;
  }
  if (ips.empty()) {
    problems.invalid(at.index(0), shown(ips), "primary clusterIP can not be unset");
  } else if (!before.empty() && ips[0] != before[0]) {
    problems.invalid(at.index(0), shown(ips), "may not change once set");
  }
}

void check_family_update(const core::Service& service, const core::Service& old, Problems& problems) {
  if (service.spec.type == "ExternalName" || old.spec.type == "ExternalName") return;
  if (is_headless(service) || is_headless(old)) return;
  const std::vector<std::string>& families = service.spec.ipFamilies;
  const std::vector<std::string>& before = old.spec.ipFamilies;
  if (families.empty() || before.empty() || families[0] == before[0]) return;
  const FieldPath at = FieldPath("spec").child("ipFamilies").index(0);
  problems.invalid(at, shown(families.size() == before.size() ? families : service.spec.clusterIPs),
                   "may not change once set");
}

struct Address {
  std::array<unsigned char, 16> bytes = {};
  std::size_t size = 0;  // 4 or 16
};

std::optional<Address> parse_ip(const std::string& text) {
  Address address;
  if (inet_pton(AF_INET, text.c_str(), address.bytes.data()) == 1) {
    address.size = sizeof(in_addr);
    return address;
  }
  if (inet_pton(AF_INET6, text.c_str(), address.bytes.data()) == 1) {
    address.size = sizeof(in6_addr);
    return address;
  }
  return std::nullopt;
}

bool bit_of(const Address& address, std::size_t bit) { return (address.bytes.at(bit / 8) >> (7U - bit % 8) & 1U) != 0; }

bool has_bits_beyond(const Address& address, std::size_t prefix) {
  for (std::size_t bit = prefix; bit < address.size * 8; ++bit) {
    if (bit_of(address, bit)) return true;
  }
  return false;
}

struct Range {
  Address address = {};
  std::size_t prefix = 0;
};

std::optional<Range> parse_cidr(const std::string& cidr) {
  const std::size_t slash = cidr.find('/');
  const auto address = parse_ip(cidr.substr(0, slash));
  if (!address || slash == std::string::npos) return std::nullopt;
  Range range{.address = *address};
  const char* end = cidr.data() + cidr.size();
  const auto [stop, error] = std::from_chars(cidr.data() + slash + 1, end, range.prefix);
  if (error != std::errc() || stop != end || range.prefix > address->size * 8) return std::nullopt;
  return range;
}

}  // namespace

void check_endpoint_ip(const std::string& ip, const FieldPath& at, Problems& problems) {
  const auto address = parse_ip(ip);
  if (!address) {
    problems.invalid(at, ip, "must be a valid IP address");
    return;
  }
  const auto& bytes = address->bytes;
  const bool four = address->size == sizeof(in_addr);
  const bool rest_zero = std::all_of(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(address->size) - 1,
                                     [](unsigned char byte) { return byte == 0; });
  const unsigned char last = bytes.at(address->size - 1);
  if (rest_zero && last == 0) problems.invalid(at, ip, "may not be unspecified (" + ip + ")");
  if (four ? bytes[0] == 127 : rest_zero && last == 1) {
    problems.invalid(at, ip, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
  }
  if (four ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xfe && (bytes[1] & 0xc0U) == 0x80) {
    problems.invalid(at, ip, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  }
  if (four ? bytes[0] == 224 && bytes[1] == 0 && bytes[2] == 0 : bytes[0] == 0xff && (bytes[1] & 0x0fU) == 0x02) {
    problems.invalid(at, ip, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
  }
}

void check_cidr(const std::string& cidr, const FieldPath& at, Problems& problems) {
  const auto range = parse_cidr(cidr);
  if (!range) {
    problems.invalid(at, cidr, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
  } else if (has_bits_beyond(range->address, range->prefix)) {
    problems.invalid(at, cidr, "must not have bits set beyond the prefix length");
  }
}

bool is_inside(const std::string& cidr, const std::string& around) {
  const auto inner = parse_cidr(cidr);
  const auto outer = parse_cidr(around);
  if (!inner || !outer) return true;
  if (inner->address.size != outer->address.size || inner->prefix <= outer->prefix) return false;
  for (std::size_t bit = 0; bit < outer->prefix; ++bit) {
    if (bit_of(inner->address, bit) != bit_of(outer->address, bit)) return false;
  }
  return true;
}

void check_cluster_ips(const core::Service& service, Problems& problems) {
  const core::ServiceSpec& spec = service.spec;
  if (spec.type == "ExternalName") return;
  const FieldPath at("spec");
  const FieldPath ips = at.child("clusterIPs");
  if (spec.clusterIP.empty()) {
    if (!spec.clusterIPs.empty()) {
      problems.invalid(ips, shown(spec.clusterIPs), "must be empty when `clusterIP` is not specified");
    }
  } else if (spec.clusterIPs.empty()) {
    problems.required(ips);
  } else if (spec.clusterIPs[0] != spec.clusterIP) {
    problems.invalid(ips, shown(spec.clusterIPs), "first value must match `clusterIP`");
  }
  std::set<std::string> seen;
  for (std::size_t i = 0; i < spec.ipFamilies.size(); ++i) {
    check_one_of(spec.ipFamilies[i], {"IPv4", "IPv6"}, at.child("ipFamilies").index(i), problems);
    if (!seen.insert(spec.ipFamilies[i]).second) {
      problems.duplicate(at.child("ipFamilies").index(i), spec.ipFamilies[i]);
    }
  }
  if (spec.ipFamilyPolicy) {
    check_one_of(*spec.ipFamilyPolicy, {"PreferDualStack", "RequireDualStack", "SingleStack"},
                 at.child("ipFamilyPolicy"), problems);
  }
  const std::size_t before = problems.size();
  for (std::size_t i = 0; i < spec.clusterIPs.size(); ++i) {
    if (i == 0 && spec.clusterIPs[i] == "None") {
      if (spec.clusterIPs.size() > 1) {
        problems.invalid(ips, shown(spec.clusterIPs), "'None' must be the first and only value");
      }
      continue;
    }
    check_name(spec.clusterIPs[i], names::ip, ips.index(i), problems);
  }
  const bool wrong = problems.size() != before;
  if (spec.clusterIPs.size() > 2) problems.invalid(ips, shown(spec.clusterIPs), "may only hold up to 2 values");
  if (wrong) return;
  const auto sixes = std::ranges::count_if(spec.clusterIPs, is_ipv6);
  const bool both = sixes > 0 && std::cmp_less(sixes, spec.clusterIPs.size());
  if (spec.clusterIPs.size() > 1 && !both) {
    problems.invalid(ips, shown(spec.clusterIPs), "may specify no more than one IP for each IP family");
  }
  if (is_headless(service)) return;
  for (std::size_t i = 0; i < std::min(spec.clusterIPs.size(), spec.ipFamilies.size()); ++i) {
    const std::string& family = spec.ipFamilies[i];
    if ((family == "IPv6") == is_ipv6(spec.clusterIPs[i]) || (family != "IPv4" && family != "IPv6")) continue;
    problems.invalid(ips.index(i), spec.clusterIPs[i],
                     joined({"expected an ", family, " value as indicated by `ipFamilies[", std::to_string(i), "]`"}));
  }
}

void validate_service(const core::Service& service, Problems& problems) {
  const FieldPath at("spec");
  const core::ServiceSpec& spec = service.spec;
  if (spec.ports.empty() && !is_headless(service) && spec.type != "ExternalName") problems.required(at.child("ports"));
  check_type(service, at, problems);
  check_ports(spec, at.child("ports"), problems);
  check_labels(spec.selector, at.child("selector"), problems);
  check_affinity(spec, at, problems);
  check_cluster_ips(service, problems);
  for (std::size_t i = 0; i < spec.externalIPs.size(); ++i) {
    const FieldPath here = at.child("externalIPs").index(i);
    const names::Messages messages = names::ip(spec.externalIPs[i]);
    problems.invalid(here, spec.externalIPs[i], messages);
    if (messages.empty()) check_endpoint_ip(spec.externalIPs[i], here, problems);
  }
  check_one_of(spec.type, {"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"}, at.child("type"), problems);
  check_node_ports(spec, at.child("ports"), problems);
  check_balancer(service, at, problems);
  check_traffic(service, at, problems);
}

void validate_service_update(const core::Service& service, const core::Service& old, Problems& problems) {
  const FieldPath at("spec");
  check_ip_update(service, old, problems);
  check_family_update(service, old, problems);
  if (service.spec.type == "LoadBalancer" && old.spec.type == "LoadBalancer" &&
      service.spec.loadBalancerClass != old.spec.loadBalancerClass) {
    problems.invalid(at.child("loadBalancerClass"),
                     service.spec.loadBalancerClass ? json::Value(*service.spec.loadBalancerClass) : json::Value(),
                     "may not change once set");
  }
  if (needs_health_check_port(service) && needs_health_check_port(old) &&
      service.spec.healthCheckNodePort != old.spec.healthCheckNodePort) {
    problems.forbidden(at.child("healthCheckNodePort"), kImmutable);
  }
  validate_service(service, problems);
}

void validate_service_status(const core::Service& service, Problems& problems) {
  const FieldPath at = FieldPath("status").child("loadBalancer").child("ingress");
  const std::vector<core::LoadBalancerIngress>& ingress = service.status.loadBalancer.ingress;
  if (service.spec.type != "LoadBalancer") {
    if (!ingress.empty()) problems.forbidden(at, "may only be used when `spec.type` is 'LoadBalancer'");
    return;
  }
  for (std::size_t i = 0; i < ingress.size(); ++i) {
    const FieldPath here = at.index(i);
    if (!ingress[i].ip.empty()) check_name(ingress[i].ip, names::ip, here.child("ip"), problems);
    const FieldPath mode = here.child("ipMode");
    if (!ingress[i].ipMode) {
      if (!ingress[i].ip.empty()) problems.required(mode, "must be specified when `ip` is set");
    } else if (ingress[i].ip.empty()) {
      problems.forbidden(mode, "may not be specified when `ip` is not set");
    } else {
      check_one_of(*ingress[i].ipMode, {"Proxy", "VIP"}, mode, problems);
    }
    if (ingress[i].hostname.empty()) continue;
    check_name(ingress[i].hostname, names::dns1123_subdomain, here.child("hostname"), problems);
    if (parse_ip(ingress[i].hostname)) {
      problems.invalid(here.child("hostname"), ingress[i].hostname, "must be a DNS name, not an IP address");
    }
  }
}

std::vector<std::string> service_warnings(const core::Service& service) {
  std::vector<std::string> warnings;
  const core::ServiceSpec& spec = service.spec;
  if (service.metadata.annotations.contains("service.kubernetes.io/topology-aware-hints")) {
    warnings.emplace_back(
        "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use "
        "service.kubernetes.io/topology-mode instead");
  }
  const bool headless = is_headless(service);
  if (headless) {
    if (!spec.loadBalancerIP.empty()) warnings.emplace_back("spec.loadBalancerIP is ignored for headless services");
    if (!spec.externalIPs.empty()) warnings.emplace_back("spec.externalIPs is ignored for headless services");
    if (spec.sessionAffinity != "None") warnings.emplace_back("spec.SessionAffinity is ignored for headless services");
  }
  const bool external = spec.type == "ExternalName";
  if (!spec.externalIPs.empty() && !headless && !external) {
    warnings.emplace_back("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  }
  if (external && !spec.externalIPs.empty()) {
    warnings.emplace_back("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
  }
  if (!external && !spec.externalName.empty()) {
    warnings.emplace_back("spec.externalName is ignored when spec.type is not \"ExternalName\"");
  }
  return warnings;
}

}  // namespace flyball::apiserver
