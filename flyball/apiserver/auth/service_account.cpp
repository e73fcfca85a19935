#include "flyball/apiserver/auth/service_account.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "flyball/apiserver/refusal.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

constexpr const char* kVolume = "kube-api-access-";
constexpr std::int64_t kSeconds = 3607;
constexpr std::int32_t kMode = 0644;

bool has_token(const core::Container& container) {
  return std::ranges::any_of(container.volumeMounts,
                             [](const core::VolumeMount& mount) { return mount.mountPath == kTokenFolder; });
}

core::Volume token_volume(const std::string& name) {
  core::ServiceAccountTokenProjection token{.path = "token"};
  token.expirationSeconds = kSeconds;
  core::ProjectedVolumeSource projected;
  projected.sources = {
      {.serviceAccountToken = token},
      {.configMap = {{.name = "kube-root-ca.crt", .items = {{.key = "ca.crt", .path = "ca.crt"}}}}},
      {.downwardAPI = {
           {.items = {{.path = "namespace", .fieldRef = {{.apiVersion = "v1", .fieldPath = "metadata.namespace"}}}}}}}};
  projected.defaultMode = kMode;
  return {.name = name, .projected = projected};
}

void mount_token(Context& context, core::PodSpec& spec) {
  const auto own =
      std::ranges::find_if(spec.volumes, [](const core::Volume& volume) { return volume.name.starts_with(kVolume); });
  const bool there = own != spec.volumes.end();
  const std::string name = there ? own->name : kVolume + context.world.random.name_suffix();
  bool needed = false;
  for (auto* containers : {&spec.initContainers, &spec.containers}) {
    for (core::Container& container : *containers) {
      if (has_token(container)) continue;
      container.volumeMounts.push_back({.name = name, .mountPath = kTokenFolder, .readOnly = true});
      needed = true;
    }
  }
  if (needed && !there) spec.volumes.push_back(token_volume(name));
}

}  // namespace

void add_service_account(Context& context, core::Pod& pod) {
  core::PodSpec& spec = pod.spec;
  if (pod.metadata.annotations.contains("kubernetes.io/config.mirror")) return;
  if (spec.serviceAccountName.empty()) spec.serviceAccountName = "default";
  spec.serviceAccount = spec.serviceAccountName;
  const std::string& space = context.call.namespace_;
  const auto stored = context.world.store.find({"serviceaccounts", space + "/" + spec.serviceAccountName});
  if (!stored) {
    throw refuse::forbidden({"", "pods"}, pod.metadata.name,
                            "error looking up service account " + space + "/" + spec.serviceAccountName +
                                ": serviceaccount \"" + spec.serviceAccountName + "\" not found");
  }
  const auto account = reflect::decode<core::ServiceAccount>(*stored->bytes);
  const bool automount =
      spec.automountServiceAccountToken.value_or(account.automountServiceAccountToken.value_or(true));
  if (automount) mount_token(context, spec);
  if (spec.imagePullSecrets.empty()) spec.imagePullSecrets = account.imagePullSecrets;
}

}  // namespace flyball::apiserver
