// The file system of a container: the machine's own, with everything it writes kept apart in memory, and its volumes
// where it wants them.
//
//   enter_container_root("/tmp/flyball/root", mounts);       // in a child that is about to become the container
//
// A new mount namespace with overlays over the machine's folders, so that nothing a container writes there stays. What
// else is mounted on the machine is there too, as it is.
//
// Errors: Error that says which mount could not be made.
//
// For a process with one thread.
#pragma once

#include <string>
#include <vector>

#include "flyball/cluster/node/pod_runtime.hpp"

namespace flyball::cluster::node {

// `scratch` is an empty folder.
void enter_container_root(const std::string& scratch, const std::vector<Mount>& mounts);

// The same with the files of an image, in the folder `image`, instead of the machine's; /dev, /proc and /sys are.
void enter_image_root(const std::string& image, const std::string& scratch, const std::vector<Mount>& mounts);

}  // namespace flyball::cluster::node
