// Which pods stand behind a Service, at which ports: what its EndpointSlices and its Endpoints are made of.
//
//   for (const Backend& backend : backends(ctx, service)) use(backend.pod, backend.ports);
//
// Thread-safety: the thread of the pass.
#pragma once

#include <string>
#include <vector>

#include "flyball/kube/core/v1.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {

struct Backend {
  kube::core::v1::Pod pod = {};
  std::vector<kube::core::v1::EndpointPort> ports = {};  // of the service, as numbers of this pod
};

inline bool is_headless(const kube::core::v1::Service& service) { return service.spec.clusterIP == "None"; }
// Whether its endpoints are made from pods: it selects some, and is not only a name.
bool selects_pods(const kube::core::v1::Service& service);
// Those that it selects and that have an address, also when they are going; not those that have ended.
std::vector<Backend> backends(Context& ctx, const kube::core::v1::Service& service);
// When what they say last changed, for those who measure how long it takes to be known: the latest time that a pod
// became ready, or the service was made.
inline constexpr const char* kLastChange = "endpoints.kubernetes.io/last-change-trigger-time";
std::string last_change(const std::vector<Backend>& backends, const kube::core::v1::Service& service);
// The pod's name in the service's domain, if it has one.
std::string hostname_in(const kube::core::v1::Pod& pod, const kube::core::v1::Service& service);
kube::core::v1::ObjectReference reference_to_pod(const kube::core::v1::Pod& pod);

}  // namespace flyball::cluster
