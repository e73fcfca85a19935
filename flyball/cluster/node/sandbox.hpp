// The sandbox of a pod: a process of its own that holds the pod's namespaces and starts its containers. It is this very
// program once more, called as `flyball sandbox`: a process with one thread may do what one with many may not.
//
//   int main(int argc, char** argv) { if (is_sandbox(argc, argv)) return run_sandbox(); … }
//
// It speaks over its input and output (sandbox_protocol.hpp), and ends, with everything in the pod, when its input ends
// or when the program that started it is gone, however that went.
//
// `flyball sandbox network` is the holder of the cluster's network (cluster_network.hpp).
#pragma once

namespace flyball::cluster::node {

// What the process ends with.
int run_sandbox();
int run_network_holder();

}  // namespace flyball::cluster::node
