// Namespaces of Linux: a network for the cluster, and for each pod a network, processes, mounts and a name of its own.
//
// All of this is for a process with one thread: see sandbox.hpp.
//
// Errors: Error that says what the kernel refused.
#pragma once

#include <string>

namespace flyball::cluster::node {

// A new user namespace, where whoever we are is root. Not for root, who needs none.
void enter_user_namespace();
// In a user namespace inside another: where its root is, from now on, this user.
void become_inside(unsigned user, unsigned group);

// The cluster's network: a new namespace with a bridge that has this address.
void make_cluster_network(const std::string& bridge, const std::string& address, int prefix);

struct PodNetwork {
  int holder = 0;           // the process whose network the cluster's is
  bool user = false;        // and whose user namespace, too
  std::string device = {};  // its end in the cluster's network
  std::string bridge = {};
  std::string address = {};
  std::string gateway = {};
  int prefix = 24;
};

// A pod's own namespaces, with an address in the cluster's network.
void enter_pod_namespaces(const PodNetwork& network, const std::string& hostname);
// In its first process: /proc shows its own processes.
void mount_proc() noexcept;

void write_text(const std::string& path, const std::string& text);

}  // namespace flyball::cluster::node
