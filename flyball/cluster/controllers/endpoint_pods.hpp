// Which pods stand behind a Service, at which ports: what its EndpointSlices and its Endpoints are made of.
//
//   for (const Backend& backend : backends(ctx, service)) use(backend.pod, backend.ports);
//
// Thread-safety: the thread of the pass; TriggerTimes: any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "flyball/base/mutex.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/resource_key.hpp"
#include "flyball/kube/time.hpp"
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
// `changed` gets the times at which the pods it selects, all of them, became ready or unready, by their names.
using PodTimes = std::map<std::string, kube::Time>;
std::vector<Backend> backends(Context& ctx, const kube::core::v1::Service& service, PodTimes& changed);
// When that changed which endpoints come from, for those who measure how long it takes to be known.
inline constexpr const char* kLastChange = "endpoints.kubernetes.io/last-change-trigger-time";
class TriggerTimes {
 public:
  // The earliest of what is new since the last call for this service: a pod became ready or unready, or the service was
  // made. Nothing where only something else changed.
  std::optional<kube::Time> next(const kube::core::v1::Service& service, const PodTimes& pods);

 private:
  struct Known {
    kube::Time service = {};
    PodTimes pods = {};
  };
  Mutex mutex_;
  std::map<kube::ObjectKey, Known> known_ FLYBALL_GUARDED_BY(mutex_);
};
// Sets the annotation, or takes it away.
void note_change(kube::meta::v1::ObjectMeta& metadata, const std::optional<kube::Time>& when);
// The pod's name in the service's domain, if it has one.
std::string hostname_in(const kube::core::v1::Pod& pod, const kube::core::v1::Service& service);
kube::core::v1::ObjectReference reference_to_pod(const kube::core::v1::Pod& pod);

}  // namespace flyball::cluster
