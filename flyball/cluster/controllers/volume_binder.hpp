// The volume controllers: claims get volumes, by finding one that fits or by making a directory on the node.
//
//   cluster::declare_volume_binder(op, {.directory = "/var/lib/flyball/volumes"});
//   client.create(cluster::local_storage_class());               // the class that makes directories, as the default
//
// A claim of a class that waits for its first consumer is bound when the scheduler has written the node on it. A volume
// whose claim has gone is deleted with its directory where its policy says so, and is Released where it does not.
// Claims that pods use, and volumes that claims have, do not go while they do.
//
// Thread-safety: as Operator.
#pragma once

#include <string>

#include "flyball/kube/storage/v1.hpp"
#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

inline constexpr const char* kLocalProvisioner = "flyball.dev/local";

struct VolumeOptions {
  std::string directory = "/var/lib/flyball/volumes";  // where the directories of volumes are made, on every node
};

void declare_volume_binder(runtime::Operator& op, VolumeOptions options = {});

// "standard": the default class; waits for the first consumer, and deletes what nobody claims any more.
kube::storage::v1::StorageClass local_storage_class();

}  // namespace flyball::cluster
