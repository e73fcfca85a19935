// What the API server fills into pods and pod templates that leave it out.
//
//   default_pod(pod);                         // a Pod: its requests follow its limits, host ports its ports
//   default_template(deployment.spec.template_);   // a template: only what every PodSpec gets
//
// Also the parts of it that other kinds share: volume sources, claims, resource lists.
//
// Thread-safety: pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {

using ResourceList = std::map<std::string, kube::Quantity>;

void default_pod(kube::core::v1::Pod& pod);
void default_template(kube::core::v1::PodTemplateSpec& pod_template);
void default_claim(kube::core::v1::PersistentVolumeClaim& claim);
void default_claim_spec(kube::core::v1::PersistentVolumeClaimSpec& spec);
// Anything finer than a thousandth is rounded up to one.
void default_resources(ResourceList& resources);

// "latest" for an image without tag and digest, empty for one that cannot be read.
std::string image_tag(std::string_view image);

// The sources that volumes of pods and persistent volumes have in common.
template <class Volume>
void default_volume_source(Volume& volume) {
  if (volume.hostPath && !volume.hostPath->type) volume.hostPath->type = "";
  if (volume.iscsi && volume.iscsi->iscsiInterface.empty()) volume.iscsi->iscsiInterface = "default";
  if (volume.rbd) {
    if (volume.rbd->pool.empty()) volume.rbd->pool = "rbd";
    if (volume.rbd->user.empty()) volume.rbd->user = "admin";
    if (volume.rbd->keyring.empty()) volume.rbd->keyring = "/etc/ceph/keyring";
  }
  if (volume.azureDisk) {
    if (!volume.azureDisk->cachingMode) volume.azureDisk->cachingMode = "ReadWrite";
    if (!volume.azureDisk->fsType) volume.azureDisk->fsType = "ext4";
    if (!volume.azureDisk->readOnly) volume.azureDisk->readOnly = false;
    if (!volume.azureDisk->kind) volume.azureDisk->kind = "Shared";
  }
  if (volume.scaleIO) {
    if (volume.scaleIO->storageMode.empty()) volume.scaleIO->storageMode = "ThinProvisioned";
    if (volume.scaleIO->fsType.empty()) volume.scaleIO->fsType = "xfs";
  }
}

}  // namespace flyball::apiserver
