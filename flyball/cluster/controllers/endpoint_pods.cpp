#include "flyball/cluster/controllers/endpoint_pods.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/cluster/controllers/status_conditions.hpp"

namespace flyball::cluster {

namespace core = kube::core::v1;

namespace {

std::optional<std::int32_t> port_of(const core::Pod& pod, const core::ServicePort& port) {
  if (port.targetPort.is_int()) return port.targetPort.as_int() != 0 ? port.targetPort.as_int() : port.port;
  const auto named = [&](const core::Container& container) -> std::optional<std::int32_t> {
    for (const auto& one : container.ports) {
      if (one.name == port.targetPort.as_string() && one.protocol == port.protocol) return one.containerPort;
    }
    return std::nullopt;
  };
  for (const core::Container& container : pod.spec.containers) {
    if (const auto found = named(container)) return found;
  }
  for (const core::Container& container : pod.spec.initContainers) {
    if (container.restartPolicy != "Always") continue;
    if (const auto found = named(container)) return found;
  }
  return std::nullopt;
}

}  // namespace

bool selects_pods(const core::Service& service) {
  return !service.spec.selector.empty() && service.spec.type != "ExternalName";
}

std::vector<Backend> backends(Context& ctx, const core::Service& service, PodTimes& changed) {
  std::vector<Backend> all;
  for (core::Pod& pod : ctx.list<core::Pod>({.labels = service.spec.selector})) {
    if (const auto* ready = find_condition(pod.status.conditions, "Ready")) {
      changed[pod.metadata.name] = ready->lastTransitionTime;
    }
    if (is_done(pod) || pod.status.podIP.empty()) continue;
    Backend backend;
    for (const core::ServicePort& port : service.spec.ports) {
      const auto number = port_of(pod, port);
      if (!number) continue;
      backend.ports.push_back(
          {.name = port.name, .port = *number, .protocol = port.protocol, .appProtocol = port.appProtocol});
    }
    // A pod that has none of the ports cannot be reached by them.
    if (backend.ports.empty() && !service.spec.ports.empty()) continue;
    backend.pod = std::move(pod);
    all.push_back(std::move(backend));
  }
  return all;
}

std::optional<kube::Time> TriggerTimes::next(const core::Service& service, const PodTimes& pods) {
  std::optional<kube::Time> first;
  const auto look = [&](kube::Time now, kube::Time before) {
    if (now > before) first = std::min(first.value_or(now), now);
  };
  const MutexLock lock(mutex_);
  Known& known = known_[{service.metadata.namespace_, service.metadata.name}];
  look(service.metadata.creationTimestamp, known.service);
  for (const auto& [name, time] : pods) look(time, known.pods[name]);
  known = {.service = service.metadata.creationTimestamp, .pods = pods};
  return first;
}

void note_change(kube::meta::v1::ObjectMeta& metadata, const std::optional<kube::Time>& when) {
  if (when) {
    metadata.annotations[kLastChange] = when->to_string();
  } else {
    metadata.annotations.erase(kLastChange);
  }
}

std::string hostname_in(const core::Pod& pod, const core::Service& service) {
  const bool named = !pod.spec.hostname.empty() && pod.spec.subdomain == service.metadata.name;
  return named ? pod.spec.hostname : "";
}

core::ObjectReference reference_to_pod(const core::Pod& pod) {
  return {.kind = "Pod", .name = pod.metadata.name, .namespace_ = pod.metadata.namespace_, .uid = pod.metadata.uid};
}

}  // namespace flyball::cluster
