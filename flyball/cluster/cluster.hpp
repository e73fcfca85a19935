// Cluster: what makes a Kubernetes out of an API server: the controllers, and a node that runs pods.
//
//   apiserver::Server server(clock);
//   Cluster cluster(clock, server.engine(), {.folder = "/tmp/flyball-1"});
//   std::cout << cluster.node_text();           // "pods are processes, each with a network of its own"
//   cluster.stop();                             // or let it go: pods end with it
//
// The node is the best one this machine allows, in this order: processes in namespaces; processes that share the
// machine's network and files; a node that only says that pods run. node_text() says which, and why not the one before.
//
// Thread-safety: const members may be called from any thread. Lifetime: clock and engine outlive it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "flyball/apiserver/engine.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/cluster/node/images.hpp"

namespace flyball::cluster {

enum class NodeKind : std::uint8_t {
  best,       // of these, what the machine allows
  processes,  // in namespaces; an Error where they are not allowed
  loopback,   // processes with an address of 127.0.0.0/8
  status,     // nothing runs
  none,       // there is no node
};

struct ClusterOptions {
  NodeKind node = NodeKind::best;
  std::string node_name = "flyball";
  node::ImageTable images = node::ImageTable::usual();
  std::string folder = {};                 // of the node: volumes, claims and logs
  std::string program = "/proc/self/exe";  // that `sandbox` is a command of
  bool controllers = true;
  std::string root_ca =
      {};  // PEM, that every namespace's kube-root-ca.crt is made of; empty: as the API server made it
  std::uint16_t api_port = 0;  // of the API server on this machine, for pods that share the machine's network
  Logger log = {};
};

class Cluster {
 public:
  // Runs when it returns. Throws Error when the node that was asked for cannot be had.
  Cluster(Clock& clock, apiserver::Engine& engine, ClusterOptions options);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // A socket where pods look for the API server, for Server::also_listen; -1 where they find it without. Asked for
  // once.
  int api_socket();
  // One line for a person: how pods run here, and why not better.
  const std::string& node_text() const noexcept;
  // No more passes; pods end.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace flyball::cluster
