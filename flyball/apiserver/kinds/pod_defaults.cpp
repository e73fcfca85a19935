#include "flyball/apiserver/kinds/pod_defaults.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "flyball/apiserver/kinds/pod_resources.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

constexpr std::int32_t kFileMode = 0644;
constexpr std::int64_t kTokenSeconds = 3600;
constexpr std::int64_t kGraceSeconds = 30;

std::string pull_policy(const std::string& image) { return image_tag(image) == "latest" ? "Always" : "IfNotPresent"; }

void default_field(Box<core::ObjectFieldSelector>& field) {
  if (field && field->apiVersion.empty()) field->apiVersion = "v1";
}

void default_http(Box<core::HTTPGetAction>& get) {
  if (!get) return;
  if (get->path.empty()) get->path = "/";
  if (get->scheme.empty()) get->scheme = "HTTP";
}

void default_probe(Box<core::Probe>& probe) {
  if (!probe) return;
  if (probe->timeoutSeconds == 0) probe->timeoutSeconds = 1;
  if (probe->periodSeconds == 0) probe->periodSeconds = 10;
  if (probe->successThreshold == 0) probe->successThreshold = 1;
  if (probe->failureThreshold == 0) probe->failureThreshold = 3;
  default_http(probe->httpGet);
  if (probe->grpc && !probe->grpc->service) probe->grpc->service = "";
}

void default_hook(Box<core::LifecycleHandler>& hook) {
  if (hook) default_http(hook->httpGet);
}

void default_env(core::EnvVar& variable) {
  if (!variable.valueFrom) return;
  default_field(variable.valueFrom->fieldRef);
  if (variable.valueFrom->fileKeyRef && !variable.valueFrom->fileKeyRef->optional) {
    variable.valueFrom->fileKeyRef->optional = false;
  }
}

// Ephemeral containers have the same fields in a type of their own.
template <class AnyContainer>
void default_container(AnyContainer& container) {
  if (container.imagePullPolicy.empty()) container.imagePullPolicy = pull_policy(container.image);
  if (container.terminationMessagePath.empty()) container.terminationMessagePath = "/dev/termination-log";
  if (container.terminationMessagePolicy.empty()) container.terminationMessagePolicy = "File";
  for (core::ContainerPort& port : container.ports) {
    if (port.protocol.empty()) port.protocol = "TCP";
  }
  for (core::EnvVar& variable : container.env) default_env(variable);
  default_resources(container.resources.limits);
  default_resources(container.resources.requests);
  default_probe(container.livenessProbe);
  default_probe(container.readinessProbe);
  default_probe(container.startupProbe);
  if (container.lifecycle) {
    default_hook(container.lifecycle->postStart);
    default_hook(container.lifecycle->preStop);
  }
}

// The first member of a Volume is its name; every other one is a source.
bool has_source(const core::Volume& volume) {
  core::Volume named;
  named.name = volume.name;
  return volume != named;
}

void default_projection(core::VolumeProjection& source) {
  if (source.downwardAPI) {
    for (core::DownwardAPIVolumeFile& file : source.downwardAPI->items) default_field(file.fieldRef);
  }
  if (source.serviceAccountToken && !source.serviceAccountToken->expirationSeconds) {
    source.serviceAccountToken->expirationSeconds = kTokenSeconds;
  }
}

void default_mode(std::optional<std::int32_t>& mode) {
  if (!mode) mode = kFileMode;
}

void default_volume(core::Volume& volume) {
  if (!has_source(volume)) volume.emptyDir.emplace();
  if (volume.image && volume.image->pullPolicy.empty()) volume.image->pullPolicy = pull_policy(volume.image->reference);
  default_volume_source(volume);
  if (volume.secret) default_mode(volume.secret->defaultMode);
  if (volume.configMap) default_mode(volume.configMap->defaultMode);
  if (volume.downwardAPI) {
    default_mode(volume.downwardAPI->defaultMode);
    for (core::DownwardAPIVolumeFile& file : volume.downwardAPI->items) default_field(file.fieldRef);
  }
  if (volume.projected) {
    default_mode(volume.projected->defaultMode);
    for (core::VolumeProjection& source : volume.projected->sources) default_projection(source);
  }
  if (volume.ephemeral && volume.ephemeral->volumeClaimTemplate) {
    default_claim_spec(volume.ephemeral->volumeClaimTemplate->spec);
  }
}

void default_pod_spec(core::PodSpec& spec) {
  if (spec.dnsPolicy.empty()) spec.dnsPolicy = "ClusterFirst";
  if (spec.restartPolicy.empty()) spec.restartPolicy = "Always";
  spec.securityContext.get_or_make();
  if (!spec.terminationGracePeriodSeconds) spec.terminationGracePeriodSeconds = kGraceSeconds;
  if (spec.schedulerName.empty()) spec.schedulerName = "default-scheduler";
  // Two names of one field; the new one wins.
  if (spec.serviceAccountName.empty()) spec.serviceAccountName = spec.serviceAccount;
  spec.serviceAccount = spec.serviceAccountName;
  for (core::Volume& volume : spec.volumes) default_volume(volume);
  for (core::Container& container : spec.initContainers) default_container(container);
  for (core::Container& container : spec.containers) default_container(container);
  for (core::EphemeralContainer& container : spec.ephemeralContainers) default_container(container);
  default_resources(spec.overhead);
  if (spec.resources) {
    default_resources(spec.resources->limits);
    default_resources(spec.resources->requests);
  }
}

void default_container_of_pod(core::Container& container, bool host_network) {
  for (const auto& [name, limit] : container.resources.limits) container.resources.requests.try_emplace(name, limit);
  if (!host_network) return;
  for (core::ContainerPort& port : container.ports) {
    if (port.hostPort == 0) port.hostPort = port.containerPort;
  }
}

void default_status(std::vector<core::ContainerStatus>& statuses) {
  for (core::ContainerStatus& status : statuses) {
    default_resources(status.allocatedResources);
    if (!status.resources) continue;
    default_resources(status.resources->limits);
    default_resources(status.resources->requests);
  }
}

// The first address stands in two fields; the older one wins when they differ.
void pair_addresses(core::PodStatus& status) {
  if (!status.podIP.empty() && (status.podIPs.empty() || status.podIPs[0].ip != status.podIP)) {
    status.podIPs = {{.ip = status.podIP}};
  }
  if (!status.podIPs.empty()) status.podIP = status.podIPs[0].ip;
}

}  // namespace

void default_resources(ResourceList& resources) {
  for (auto& [name, amount] : resources) {
    const std::int64_t milli = amount.milli_value();
    const bool held =
        milli == std::numeric_limits<std::int64_t>::max() || milli == std::numeric_limits<std::int64_t>::min();
    const kube::Quantity rounded = kube::Quantity::of_milli(milli, amount.format());
    if (!held && rounded != amount) amount = rounded;
  }
}

void default_claim_spec(core::PersistentVolumeClaimSpec& spec) {
  if (!spec.volumeMode) spec.volumeMode = "Filesystem";
  default_resources(spec.resources.limits);
  default_resources(spec.resources.requests);
}

void default_claim(core::PersistentVolumeClaim& claim) {
  if (claim.status.phase.empty()) claim.status.phase = "Pending";
  default_claim_spec(claim.spec);
  default_resources(claim.status.capacity);
  default_resources(claim.status.allocatedResources);
}

void default_template(core::PodTemplateSpec& pod_template) { default_pod_spec(pod_template.spec); }

void default_pod(core::Pod& pod) {
  for (core::Container& container : pod.spec.containers) default_container_of_pod(container, pod.spec.hostNetwork);
  for (core::Container& container : pod.spec.initContainers) default_container_of_pod(container, pod.spec.hostNetwork);
  default_pod_level_resources(pod.spec);
  if (!pod.spec.enableServiceLinks) pod.spec.enableServiceLinks = true;
  default_pod_spec(pod.spec);
  if (*pod.spec.terminationGracePeriodSeconds < 0) pod.spec.terminationGracePeriodSeconds = 1;
  pair_addresses(pod.status);
  default_status(pod.status.initContainerStatuses);
  default_status(pod.status.containerStatuses);
  default_status(pod.status.ephemeralContainerStatuses);
  default_resources(pod.status.allocatedResources);
  if (pod.status.resources) {
    default_resources(pod.status.resources->limits);
    default_resources(pod.status.resources->requests);
  }
}

}  // namespace flyball::apiserver
