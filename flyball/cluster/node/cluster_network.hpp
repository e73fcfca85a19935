// ClusterNetwork: the network that pods are in: a bridge in a namespace of its own, which a process of ours holds.
//
//   ClusterNetwork network(clock, {.program = "/proc/self/exe"});      // throws Error: namespaces are not allowed here
//   ProcessRuntime runtime(clock, {.network = &network, …});
//
// The API server and everything else of `flyball dev` stays in the machine's own network. Without root it needs user
// namespaces.
//
// Thread-safety: all members may be called from any thread. Lifetime: outlives the pods in it; the clock outlives it.
#pragma once

#include <cstdint>
#include <string>

#include "flyball/base/mutex.hpp"
#include "flyball/base/process.hpp"
#include "flyball/cluster/node/service_table.hpp"

namespace flyball::cluster::node {

struct NetworkOptions {
  std::string program = "/proc/self/exe";  // that `sandbox` is a command of
  std::string bridge = "flyball0";
  std::string range = "10.244.0.0";
  int prefix = 16;
  std::string folder = {};  // of ours, where listen() meets the process
};

class ClusterNetwork {
 public:
  explicit ClusterNetwork(Clock& clock, NetworkOptions options = {});

  const NetworkOptions& options() const noexcept { return options_; }
  // The process whose network it is.
  int holder() const noexcept { return process_.id(); }
  // Whether it has a user namespace of its own: we are not root.
  bool has_user() const noexcept { return user_; }

  // A socket of ours that listens on the node's own address in there, so that pods reach who has it: the API server.
  // It does not block. Throws Error.
  int listen(std::uint16_t port);
  // Where Services lead from now on. Throws Error when the process is gone.
  void serve(const ServiceTable& table);

 private:
  Clock& clock_;
  const NetworkOptions options_;
  Process process_;
  bool user_ = false;
  std::string ahead_;  // what it has said beyond the last line
  Mutex mutex_;        // one thing is said at a time
};

// The next line that a process prints. Throws Error when it ends instead, or has not after ten seconds.
std::string read_line(Clock& clock, Process& process, std::string& ahead);

}  // namespace flyball::cluster::node
