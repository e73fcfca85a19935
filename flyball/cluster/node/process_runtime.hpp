// ProcessRuntime: pods as processes of this machine, each pod in namespaces of its own.
//
//   ClusterNetwork network(clock);
//   ProcessRuntime runtime(clock, {.folder = "/tmp/flyball", .network = &network});
//
// Without a network every pod shares the machine's, and gets an address of 127.0.0.0/8 to bind to: two pods that listen
// on the same port of all addresses collide then, and volumes cannot be mounted.
//
// Each pod has a process of its own that starts its containers (sandbox.hpp), and two threads here. When this program
// goes, however it goes, the pods go with it.
//
// Thread-safety: all members may be called from any thread. Lifetime: clock and network outlive it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "flyball/base/mutex.hpp"
#include "flyball/cluster/node/addresses.hpp"
#include "flyball/cluster/node/cluster_network.hpp"
#include "flyball/cluster/node/namespaces.hpp"
#include "flyball/cluster/node/pod_runtime.hpp"

namespace flyball::cluster::node {

struct ProcessRuntimeOptions {
  std::string program = "/proc/self/exe";   // that `sandbox` is a command of
  std::string folder = {};                  // for its files; is made when it is not there
  const ClusterNetwork* network = nullptr;  // null: the machine's own
};

class ProcessPod;

class ProcessRuntime final : public PodRuntime {
 public:
  ProcessRuntime(Clock& clock, ProcessRuntimeOptions options);
  ~ProcessRuntime() override;

  void listen(Listener listener) override;
  Sandbox make_sandbox(const SandboxRequest& request) override;
  ContainerRun start(const std::string& uid, const ContainerRequest& request) override;
  void signal(const std::string& uid, const std::string& container, int number) override;
  std::vector<ContainerReport> look(const std::string& uid) override;
  ProbeAnswer probe(const std::string& uid, const ProbeRequest& request, const Stop& stop) override;
  std::unique_ptr<apiserver::PodProcess> run(const std::string& uid, const CommandRequest& request,
                                             const Stop& stop) override;
  net::OwnedDescriptor connect(const std::string& uid, std::uint16_t port, const Stop& stop) override;
  void remove(const std::string& uid) override;

 private:
  std::shared_ptr<ProcessPod> find(const std::string& uid);
  std::string pod_folder(const std::string& uid) const;
  void write_names(const SandboxRequest& request, const PodNetwork& network) const;

  Clock& clock_;
  const ProcessRuntimeOptions options_;

  Mutex mutex_;
  Listener listener_ FLYBALL_GUARDED_BY(mutex_);
  Addresses addresses_ FLYBALL_GUARDED_BY(mutex_);
  std::map<std::string, std::shared_ptr<ProcessPod>> pods_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace flyball::cluster::node
