#include "flyball/apiserver/kinds/service_defaults.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

constexpr std::int32_t kAffinitySeconds = 10800;

void default_affinity(core::ServiceSpec& spec) {
  if (spec.sessionAffinity.empty()) spec.sessionAffinity = "None";
  if (spec.sessionAffinity == "None") spec.sessionAffinityConfig.reset();
  if (spec.sessionAffinity != "ClientIP") return;
  const auto& config = spec.sessionAffinityConfig;
  if (config && config->clientIP && config->clientIP->timeoutSeconds) return;
  core::SessionAffinityConfig made;
  made.clientIP.emplace().timeoutSeconds = kAffinitySeconds;
  spec.sessionAffinityConfig = made;
}

void default_port(core::ServicePort& port) {
  if (port.protocol.empty()) port.protocol = "TCP";
  if (port.targetPort == kube::IntOrString(0) || port.targetPort == kube::IntOrString("")) {
    port.targetPort = kube::IntOrString(port.port);
  }
}

std::set<std::int32_t> node_ports(const core::Service& service) {
  std::set<std::int32_t> ports;
  for (const core::ServicePort& port : service.spec.ports) {
    if (port.nodePort != 0) ports.insert(port.nodePort);
  }
  return ports;
}

bool adds_node_ports(const core::Service& service, const core::Service& old) {
  const std::set<std::int32_t> before = node_ports(old);
  for (const std::int32_t port : node_ports(service)) {
    if (!before.contains(port)) return true;
  }
  return false;
}

void keep_node_ports(core::Service& service, const core::Service& old) {
  std::map<std::string, std::int32_t> by_name;
  for (const core::ServicePort& port : old.spec.ports) by_name[port.name] = port.nodePort;
  const std::set<std::int32_t> before = node_ports(old);
  std::set<std::int32_t> used;
  for (const std::int32_t port : node_ports(service)) {
    if (before.contains(port)) used.insert(port);
  }
  for (core::ServicePort& port : service.spec.ports) {
    if (port.nodePort != 0) continue;
    const auto found = by_name.find(port.name);
    if (found != by_name.end() && !used.contains(found->second)) port.nodePort = found->second;
  }
}

}  // namespace

bool needs_cluster_ip(const core::Service& service) { return service.spec.type != "ExternalName"; }

bool needs_node_port(const core::Service& service) {
  return service.spec.type == "NodePort" || service.spec.type == "LoadBalancer";
}

bool needs_health_check_port(const core::Service& service) {
  return service.spec.type == "LoadBalancer" && service.spec.externalTrafficPolicy == "Local";
}

bool is_externally_accessible(const core::Service& service) {
  return needs_node_port(service) || (service.spec.type == "ClusterIP" && !service.spec.externalIPs.empty());
}

void default_service(core::Service& service) {
  core::ServiceSpec& spec = service.spec;
  default_affinity(spec);
  if (spec.type.empty()) spec.type = "ClusterIP";
  for (core::ServicePort& port : spec.ports) default_port(port);
  if (is_externally_accessible(service) && spec.externalTrafficPolicy.empty()) spec.externalTrafficPolicy = "Cluster";
  if (!spec.internalTrafficPolicy && (needs_node_port(service) || spec.type == "ClusterIP")) {
    spec.internalTrafficPolicy = "Cluster";
  }
  if (spec.type != "LoadBalancer") return;
  if (!spec.allocateLoadBalancerNodePorts) spec.allocateLoadBalancerNodePorts = true;
  for (core::LoadBalancerIngress& ingress : service.status.loadBalancer.ingress) {
    if (!ingress.ip.empty() && !ingress.ipMode) ingress.ipMode = "VIP";
  }
}

void drop_fields_of_old_type(core::Service& service, const core::Service& old) {
  core::ServiceSpec& spec = service.spec;
  const core::ServiceSpec& before = old.spec;
  if (needs_cluster_ip(old) && !needs_cluster_ip(service)) {
    if (spec.clusterIP == before.clusterIP && spec.clusterIPs == before.clusterIPs) {
      spec.clusterIP.clear();
      spec.clusterIPs.clear();
    }
    if (spec.ipFamilies == before.ipFamilies) spec.ipFamilies.clear();
    if (spec.ipFamilyPolicy.value_or("") == before.ipFamilyPolicy.value_or("")) spec.ipFamilyPolicy.reset();
  }
  if (needs_node_port(old) && !needs_node_port(service) && !adds_node_ports(service, old)) {
    for (core::ServicePort& port : spec.ports) port.nodePort = 0;
  }
  if (needs_health_check_port(old) && !needs_health_check_port(service) &&
      spec.healthCheckNodePort == before.healthCheckNodePort) {
    spec.healthCheckNodePort = 0;
  }
  const bool balanced = spec.type == "LoadBalancer";
  const bool was_balanced = before.type == "LoadBalancer";
  if (was_balanced && !balanced) {
    if (spec.allocateLoadBalancerNodePorts == before.allocateLoadBalancerNodePorts) {
      spec.allocateLoadBalancerNodePorts.reset();
    }
    if (spec.loadBalancerClass == before.loadBalancerClass) spec.loadBalancerClass.reset();
  }
  if (is_externally_accessible(old) && !is_externally_accessible(service) &&
      spec.externalTrafficPolicy == before.externalTrafficPolicy) {
    spec.externalTrafficPolicy.clear();
  }
  if (!balanced) service.status.loadBalancer = {};
}

void keep_allocated(core::Service& service, const core::Service& old) {
  if (needs_cluster_ip(old) && needs_cluster_ip(service)) {
    if (service.spec.clusterIP.empty()) service.spec.clusterIP = old.spec.clusterIP;
    if (service.spec.clusterIPs.empty()) service.spec.clusterIPs = old.spec.clusterIPs;
  }
  if (needs_node_port(old) && needs_node_port(service)) keep_node_ports(service, old);
  if (needs_health_check_port(old) && needs_health_check_port(service) && service.spec.healthCheckNodePort == 0) {
    service.spec.healthCheckNodePort = old.spec.healthCheckNodePort;
  }
}

}  // namespace flyball::apiserver
