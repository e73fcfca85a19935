#include "flyball/apiserver/pod_container.hpp"

#include <algorithm>
#include <vector>

#include "flyball/apiserver/refusal.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

std::vector<std::string> container_names(const core::Pod& pod) {
  std::vector<std::string> names;
  names.reserve(pod.spec.initContainers.size() + pod.spec.containers.size() + pod.spec.ephemeralContainers.size());
  for (const core::Container& each : pod.spec.initContainers) names.push_back(each.name);
  for (const core::Container& each : pod.spec.containers) names.push_back(each.name);
  for (const core::EphemeralContainer& each : pod.spec.ephemeralContainers) names.push_back(each.name);
  return names;
}

}  // namespace

std::string container_of(const core::Pod& pod, std::string_view asked) {
  const std::vector<std::string> names = container_names(pod);
  if (!asked.empty()) {
    if (std::ranges::find(names, asked) != names.end()) return std::string(asked);
    throw refuse::bad_request("container " + std::string(asked) + " is not valid for pod " + pod.metadata.name);
  }
  if (pod.spec.containers.size() == 1) return pod.spec.containers.front().name;
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : " ") + name;
  throw refuse::bad_request("a container name must be specified for pod " + pod.metadata.name + ", choose one of: [" +
                            all + "]");
}

}  // namespace flyball::apiserver
