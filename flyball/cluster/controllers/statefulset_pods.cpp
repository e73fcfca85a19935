#include "flyball/cluster/controllers/statefulset_pods.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "flyball/cluster/controllers/pods.hpp"

namespace flyball::cluster {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;

namespace {

std::string name_of(const apps::StatefulSet& set, std::int32_t ordinal) {
  return set.metadata.name + "-" + std::to_string(ordinal);
}

std::string claim_name(const core::PersistentVolumeClaim& claim, const apps::StatefulSet& set, std::int32_t ordinal) {
  return claim.metadata.name + "-" + name_of(set, ordinal);
}

}  // namespace

std::int32_t ordinal_of(const apps::StatefulSet& set, const core::Pod& pod) {
  const std::string& name = pod.metadata.name;
  const std::string prefix = set.metadata.name + "-";
  if (!name.starts_with(prefix)) return -1;
  std::int32_t ordinal = -1;
  const char* end = name.data() + name.size();
  const auto [read, error] = std::from_chars(name.data() + prefix.size(), end, ordinal);
  return error == std::errc() && read == end ? ordinal : -1;
}

std::string revision_of(const core::Pod& pod) {
  const auto found = pod.metadata.labels.find(kRevisionHash);
  return found == pod.metadata.labels.end() ? "" : found->second;
}

core::Pod pod_of(const apps::StatefulSet& set, const core::PodTemplateSpec& pattern, std::int32_t ordinal,
                 const std::string& revision) {
  core::Pod pod = pod_from(pattern, set.metadata.name);
  pod.metadata.name = name_of(set, ordinal);
  pod.metadata.labels["statefulset.kubernetes.io/pod-name"] = pod.metadata.name;
  pod.metadata.labels["apps.kubernetes.io/pod-index"] = std::to_string(ordinal);
  pod.metadata.labels[kRevisionHash] = revision;
  pod.spec.hostname = pod.metadata.name;
  pod.spec.subdomain = set.spec.serviceName;
  std::vector<core::Volume> volumes;
  volumes.reserve(set.spec.volumeClaimTemplates.size() + pod.spec.volumes.size());
  for (const auto& claim : set.spec.volumeClaimTemplates) {
    volumes.push_back(
        {.name = claim.metadata.name, .persistentVolumeClaim = {{.claimName = claim_name(claim, set, ordinal)}}});
  }
  for (core::Volume& volume : pod.spec.volumes) {
    // A claim of the same name takes its place.
    if (std::ranges::find(volumes, volume.name, &core::Volume::name) == volumes.end()) {
      volumes.push_back(std::move(volume));
    }
  }
  pod.spec.volumes = std::move(volumes);
  return pod;
}

std::vector<core::PersistentVolumeClaim> claims_for(const apps::StatefulSet& set, std::int32_t ordinal) {
  std::vector<core::PersistentVolumeClaim> claims;
  for (const auto& claim : set.spec.volumeClaimTemplates) {
    Labels labels = claim.metadata.labels;
    for (const auto& [key, value] : set.spec.selector.matchLabels) labels[key] = value;
    claims.push_back({.metadata = {.name = claim_name(claim, set, ordinal),
                                   .namespace_ = set.metadata.namespace_,
                                   .labels = std::move(labels),
                                   .annotations = claim.metadata.annotations},
                      .spec = claim.spec});
  }
  return claims;
}

}  // namespace flyball::cluster
