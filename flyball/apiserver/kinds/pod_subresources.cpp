#include "flyball/apiserver/kinds/pod_subresources.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/internal_form.hpp"
#include "flyball/apiserver/kinds/metadata_rules.hpp"
#include "flyball/apiserver/kinds/pod_resources.hpp"
#include "flyball/apiserver/kinds/pod_validation.hpp"
#include "flyball/apiserver/kinds/text_diff.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

using Containers = std::vector<core::Container>;

constexpr const char* kMirror = "kubernetes.io/config.mirror";

// The old containers with the new resources; the new ones as they are when they are not the same containers.
Containers with_resources(Containers old, const Containers& next) {
  if (old.size() != next.size()) return next;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old[i].name != next[i].name) return next;
    old[i].resources = next[i].resources;
    old[i].resizePolicy = next[i].resizePolicy;
  }
  return old;
}

bool check_order(const Containers& next, const Containers& old, const std::string& field, Problems& problems) {
  const FieldPath at = FieldPath("spec").child(field);
  const std::size_t before = problems.size();
  if (next.size() != old.size()) {
    problems.forbidden(at, field + " may not be added or removed on resize");
    return false;
  }
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (next[i].name == old[i].name) continue;
    problems.forbidden(at.index(i).child("name"), joined({field, " may not be renamed or reordered on resize"}));
  }
  return problems.size() == before;
}

bool is_removed(const ResourceList& next, const ResourceList& old) {
  return std::ranges::any_of(old, [&](const auto& entry) { return !next.contains(entry.first); });
}

void check_removed(const Containers& next, const Containers& old, const FieldPath& at, Problems& problems) {
  for (std::size_t i = 0; i < old.size(); ++i) {
    const FieldPath here = at.index(i).child("resources");
    if (is_removed(next[i].resources.requests, old[i].resources.requests)) {
      problems.forbidden(here.child("requests"), "resource requests cannot be removed");
    }
    if (is_removed(next[i].resources.limits, old[i].resources.limits)) {
      problems.forbidden(here.child("limits"), "resource limits cannot be removed");
    }
  }
}

// Puts cpu and memory back to what they were: what differs still cannot change.
void drop_compute(ResourceList& next, const ResourceList& old) {
  for (const char* name : {"cpu", "memory"}) {
    const auto found = old.find(name);
    if (found == old.end()) {
      next.erase(name);
    } else {
      next[name] = found->second;
    }
  }
}

bool changes_only_compute(core::Container next, const core::Container& old) {
  drop_compute(next.resources.limits, old.resources.limits);
  drop_compute(next.resources.requests, old.resources.requests);
  return kube::semantic_equal(next, old);
}

bool node_can_resize(const core::Pod& pod) {
  for (const core::ContainerStatus& status : pod.status.containerStatuses) {
    if (status.state.running) return status.resources.has_value();
  }
  return true;
}

}  // namespace

void keep_all_but_ephemeral_containers(core::Pod& pod, const core::Pod& old) {
  std::vector<core::EphemeralContainer> containers = std::move(pod.spec.ephemeralContainers);
  pod.spec = old.spec;
  pod.status = old.status;
  keep_metadata(pod.metadata, old.metadata);
  pod.spec.ephemeralContainers = std::move(containers);
}

void validate_ephemeral_containers(const core::Pod& pod, const core::Pod& old, Problems& problems) {
  if (old.metadata.annotations.contains(kMirror)) {
    problems.forbidden(FieldPath(), "static pods do not support ephemeral containers");
    return;
  }
  validate_pod_itself(pod, problems);
  const FieldPath at = FieldPath("spec").child("ephemeralContainers");
  for (const core::EphemeralContainer& before : old.spec.ephemeralContainers) {
    const auto now = std::ranges::find(pod.spec.ephemeralContainers, before.name, &core::EphemeralContainer::name);
    const std::string name = kube::go::quote(before.name);
    if (now == pod.spec.ephemeralContainers.end()) {
      problems.forbidden(at, joined({"existing ephemeral containers ", name, " may not be removed\n"}));
    } else if (!kube::semantic_equal(*now, before)) {
      const std::string diff = unified_diff(internal_form("EphemeralContainer", shown(before)),
                                            internal_form("EphemeralContainer", shown(*now)));
      problems.forbidden(at, joined({"existing ephemeral containers ", name, " may not be changed\n", diff}));
    }
  }
}

void keep_all_but_resources(core::Pod& pod, const core::Pod& old) {
  if (pod.spec.containers.size() != old.spec.containers.size() ||
      pod.spec.initContainers.size() != old.spec.initContainers.size()) {
    return;
  }
  Containers containers = with_resources(old.spec.containers, pod.spec.containers);
  Containers init_containers = with_resources(old.spec.initContainers, pod.spec.initContainers);
  Box<core::ResourceRequirements> resources = std::move(pod.spec.resources);
  pod.spec = old.spec;
  pod.status = old.status;
  keep_metadata(pod.metadata, old.metadata);
  pod.spec.resources = std::move(resources);
  pod.spec.containers = std::move(containers);
  pod.spec.initContainers = std::move(init_containers);
}

void validate_resize(const core::Pod& pod, const core::Pod& old, Problems& problems) {
  if (old.metadata.annotations.contains(kMirror)) {
    problems.forbidden(FieldPath(), "static pods cannot be resized");
    return;
  }
  const FieldPath at("spec");
  validate_pod_itself(pod, problems);
  const std::string quality = old.status.qosClass.empty() ? qos_class(old.spec) : old.status.qosClass;
  if (quality != qos_class(pod.spec)) {
    problems.invalid(at, pod.status.qosClass, "Pod QOS Class may not change as a result of resizing");
  }
  if (!node_can_resize(old)) problems.forbidden(at, "Pod running on node without support for resize");
  const bool same = check_order(pod.spec.containers, old.spec.containers, "containers", problems);
  if (!check_order(pod.spec.initContainers, old.spec.initContainers, "initContainers", problems) || !same) return;
  check_removed(pod.spec.initContainers, old.spec.initContainers, at.child("initContainers"), problems);
  check_removed(pod.spec.containers, old.spec.containers, at.child("containers"), problems);
  for (std::size_t i = 0; i < old.spec.containers.size(); ++i) {
    if (changes_only_compute(pod.spec.containers[i], old.spec.containers[i])) continue;
    problems.forbidden(at, "only cpu and memory resources are mutable");
  }
  for (std::size_t i = 0; i < old.spec.initContainers.size(); ++i) {
    if (changes_only_compute(pod.spec.initContainers[i], old.spec.initContainers[i])) continue;
    problems.forbidden(at.child("initContainers").index(i),
                       "only cpu and memory resources for init or sidecar containers are mutable");
  }
}

}  // namespace flyball::apiserver
