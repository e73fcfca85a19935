#include "flyball/cluster/controllers/endpoint_slices.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "flyball/cluster/controllers/endpoint_pods.hpp"
#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/kube/discovery/v1.hpp"
#include "flyball/kube/owner.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

namespace core = kube::core::v1;
namespace discovery = kube::discovery::v1;
using Slices = std::vector<discovery::EndpointSlice>;

constexpr std::size_t kMostInSlice = 100;
constexpr const char* kServiceName = "kubernetes.io/service-name";
constexpr const char* kManagedBy = "endpointslice.kubernetes.io/managed-by";
constexpr const char* kController = "endpointslice-controller.k8s.io";
constexpr const char* kHeadless = "service.kubernetes.io/headless";

Labels labels_for(const core::Service& service) {
  Labels labels = service.metadata.labels;
  labels.erase(kHeadless);
  labels[kServiceName] = service.metadata.name;
  labels[kManagedBy] = kController;
  if (is_headless(service)) labels[kHeadless] = "";
  return labels;
}

bool is_of_family(const std::string& ip, const std::string& family) {
  return (ip.find(':') != std::string::npos) == (family == "IPv6");
}

std::vector<std::string> families_of(const core::Service& service) {
  return service.spec.ipFamilies.empty() ? std::vector<std::string>{"IPv4"} : service.spec.ipFamilies;
}

std::string address_of(const core::Pod& pod, const std::string& family) {
  for (const auto& ip : pod.status.podIPs) {
    if (is_of_family(ip.ip, family)) return ip.ip;
  }
  return is_of_family(pod.status.podIP, family) ? pod.status.podIP : "";
}

discovery::Endpoint endpoint_for(Context& ctx, const core::Service& service, const core::Pod& pod,
                                 const std::string& address) {
  const bool going = pod.metadata.deletionTimestamp.has_value();
  const bool serving = answers(pod);
  discovery::Endpoint endpoint{.addresses = {address},
                               .conditions = {.ready = service.spec.publishNotReadyAddresses || (serving && !going),
                                              .serving = serving,
                                              .terminating = going},
                               .targetRef = reference_to_pod(pod)};
  if (const std::string name = hostname_in(pod, service); !name.empty()) endpoint.hostname = name;
  if (pod.spec.nodeName.empty()) return endpoint;
  endpoint.nodeName = pod.spec.nodeName;
  const auto node = ctx.find<core::Node>(pod.spec.nodeName);
  if (!node) return endpoint;
  const auto zone = node->metadata.labels.find("topology.kubernetes.io/zone");
  if (zone != node->metadata.labels.end()) endpoint.zone = zone->second;
  return endpoint;
}

std::vector<discovery::EndpointPort> ports_of(const Backend& backend) {
  std::vector<discovery::EndpointPort> ports;
  ports.reserve(backend.ports.size());
  for (const auto& port : backend.ports) {
    ports.push_back({.name = port.name, .protocol = port.protocol, .port = port.port, .appProtocol = port.appProtocol});
  }
  return ports;
}

// What there should be, without names; slices of one family and the same ports stand together.
Slices wanted(Context& ctx, const core::Service& service, const std::vector<Backend>& backends,
              const std::string& family) {
  Slices slices;
  for (const Backend& backend : backends) {
    const std::string address = address_of(backend.pod, family);
    if (address.empty()) continue;
    const auto ports = ports_of(backend);
    auto slice = std::ranges::find_if(
        slices, [&](const auto& one) { return one.ports == ports && one.endpoints.size() < kMostInSlice; });
    if (slice == slices.end()) {
      slices.push_back({.addressType = family, .ports = ports});
      slice = slices.end() - 1;
    }
    slice->endpoints.push_back(endpoint_for(ctx, service, backend.pod, address));
  }
  if (slices.empty()) slices.push_back({.addressType = family});
  return slices;
}

// The slice there is that comes nearest: of the same family and ports, or at least of the same family.
Slices::iterator nearest(Slices& there, const discovery::EndpointSlice& slice) {
  const auto same = std::ranges::find_if(
      there, [&](const auto& one) { return one.addressType == slice.addressType && one.ports == slice.ports; });
  if (same != there.end()) return same;
  return std::ranges::find_if(there, [&](const auto& one) { return one.addressType == slice.addressType; });
}

void reconcile(Context& ctx, TriggerTimes& times, core::Service& service) {
  if (!selects_pods(service)) return;
  Slices there = ctx.children<discovery::EndpointSlice>();
  std::erase_if(there, [](const auto& slice) {
    const auto by = slice.metadata.labels.find(kManagedBy);
    return slice.metadata.deletionTimestamp || by == slice.metadata.labels.end() || by->second != kController;
  });
  PodTimes pod_times;
  const std::vector<Backend> pods = backends(ctx, service, pod_times);
  const auto when = times.next(service, pod_times);
  for (const std::string& family : families_of(service)) {
    for (discovery::EndpointSlice& slice : wanted(ctx, service, pods, family)) {
      const auto found = nearest(there, slice);
      if (found == there.end()) {
        slice.metadata = {.generateName = service.metadata.name + "-", .labels = labels_for(service)};
        note_change(slice.metadata, when);
        ctx.create(std::move(slice));
        continue;
      }
      auto changed = *found;
      changed.endpoints = std::move(slice.endpoints);
      changed.ports = std::move(slice.ports);
      changed.metadata.labels = labels_for(service);
      if (changed != *found) note_change(changed.metadata, when);
      ctx.update(*found, changed);
      there.erase(found);
    }
  }
  for (const auto& surplus : there) ctx.delete_(surplus);
}

}  // namespace

void declare_endpoint_slices(runtime::Operator& op) {
  const auto times = std::make_shared<TriggerTimes>();
  op.reconcile<core::Service>([times](Context& ctx, core::Service& service) { reconcile(ctx, *times, service); })
      .owns<discovery::EndpointSlice>()
      .reads<core::Pod>()
      .reads<core::Node>()
      .name("endpointslice-controller");
}

}  // namespace flyball::cluster
