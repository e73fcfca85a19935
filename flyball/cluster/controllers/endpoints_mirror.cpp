#include "flyball/cluster/controllers/endpoints_mirror.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/discovery/v1.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

namespace core = kube::core::v1;
namespace discovery = kube::discovery::v1;
using Slices = std::vector<discovery::EndpointSlice>;

constexpr const char* kManagedBy = "endpointslice.kubernetes.io/managed-by";
constexpr const char* kController = "endpointslicemirroring-controller.k8s.io";
constexpr const char* kServiceName = "kubernetes.io/service-name";
constexpr const char* kSkip = "endpointslice.kubernetes.io/skip-mirror";
constexpr const char* kLeader = "control-plane.alpha.kubernetes.io/leader";

bool is_mirrored(Context& ctx, const core::Endpoints& endpoints) {
  const auto skip = endpoints.metadata.labels.find(kSkip);
  if (skip != endpoints.metadata.labels.end() && skip->second == "true") return false;
  if (endpoints.metadata.annotations.contains(kLeader)) return false;
  const auto service = ctx.find<core::Service>(endpoints.metadata.name);
  return service && service->spec.selector.empty();
}

std::string family_of(const core::EndpointAddress& address) {
  return address.ip.find(':') == std::string::npos ? "IPv4" : "IPv6";
}

discovery::Endpoint endpoint_of(const core::EndpointAddress& address, bool ready) {
  discovery::Endpoint endpoint{.addresses = {address.ip}, .conditions = {.ready = ready}};
  if (!address.hostname.empty()) endpoint.hostname = address.hostname;
  if (address.nodeName) endpoint.nodeName = address.nodeName;
  if (address.targetRef) endpoint.targetRef = *address.targetRef;
  return endpoint;
}

std::vector<discovery::EndpointPort> ports_of(const core::EndpointSubset& subset) {
  std::vector<discovery::EndpointPort> ports;
  ports.reserve(subset.ports.size());
  for (const auto& port : subset.ports) {
    ports.push_back({.name = port.name, .protocol = port.protocol, .port = port.port, .appProtocol = port.appProtocol});
  }
  return ports;
}

// A slice for each subset and family.
Slices wanted(const core::Endpoints& endpoints) {
  Slices slices;
  for (const core::EndpointSubset& subset : endpoints.subsets) {
    for (const char* family : {"IPv4", "IPv6"}) {
      discovery::EndpointSlice slice{.addressType = family, .ports = ports_of(subset)};
      for (const auto& [addresses, ready] :
           {std::pair(&subset.addresses, true), std::pair(&subset.notReadyAddresses, false)}) {
        for (const core::EndpointAddress& address : *addresses) {
          if (family_of(address) == family) slice.endpoints.push_back(endpoint_of(address, ready));
        }
      }
      if (!slice.endpoints.empty()) slices.push_back(std::move(slice));
    }
  }
  return slices;
}

Labels labels_for(const core::Endpoints& endpoints) {
  Labels labels = endpoints.metadata.labels;
  labels[kManagedBy] = kController;
  labels[kServiceName] = endpoints.metadata.name;
  return labels;
}

void reconcile(Context& ctx, core::Endpoints& endpoints) {
  Slices there = ctx.children<discovery::EndpointSlice>();
  if (is_mirrored(ctx, endpoints)) {
    for (discovery::EndpointSlice& slice : wanted(endpoints)) {
      const auto found = std::ranges::find_if(
          there, [&](const auto& one) { return one.addressType == slice.addressType && one.ports == slice.ports; });
      if (found == there.end()) {
        slice.metadata = {.generateName = endpoints.metadata.name + "-",
                          .labels = labels_for(endpoints),
                          .annotations = endpoints.metadata.annotations};
        ctx.create(std::move(slice));
        continue;
      }
      discovery::EndpointSlice changed = *found;
      changed.endpoints = std::move(slice.endpoints);
      changed.metadata.labels = labels_for(endpoints);
      ctx.update(*found, changed);
      there.erase(found);
    }
  }
  for (const auto& surplus : there) ctx.delete_(surplus);
}

}  // namespace

void declare_endpoints_mirror(runtime::Operator& op) {
  op.reconcile<core::Endpoints>(reconcile).owns<discovery::EndpointSlice>().reads<core::Service>().name(
      "endpointslice-mirroring-controller");
}

}  // namespace flyball::cluster
