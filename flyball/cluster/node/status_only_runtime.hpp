// StatusOnlyRuntime: pods that only look as if they ran. For machines where nothing may be started, and for thousands
// of pods at once.
//
//   StatusOnlyRuntime runtime(clock);
//
// Containers run from their start until they are signalled, probes are answered with yes, and every pod gets an address
// of 10.244.0.0/16 that leads nowhere.
//
// Thread-safety: all members may be called from any thread.
#pragma once

#include <map>
#include <string>

#include "flyball/base/mutex.hpp"
#include "flyball/cluster/node/addresses.hpp"
#include "flyball/cluster/node/pod_runtime.hpp"

namespace flyball::cluster::node {

class StatusOnlyRuntime final : public PodRuntime {
 public:
  explicit StatusOnlyRuntime(const Clock& clock) : clock_(clock) {}

  void listen(Listener listener) override;
  Sandbox make_sandbox(const SandboxRequest& request) override;
  ContainerRun start(const std::string& uid, const ContainerRequest& request) override;
  void signal(const std::string& uid, const std::string& container, int number) override;
  std::vector<ContainerReport> look(const std::string& uid) override;
  ProbeAnswer probe(const std::string& uid, const ProbeRequest& request, const Stop& stop) override;
  void remove(const std::string& uid) override;

 private:
  struct Pod {
    std::uint32_t address = 0;
    std::map<std::string, ContainerRun> containers = {};
  };

  const Clock& clock_;
  Mutex mutex_;
  Listener listener_ FLYBALL_GUARDED_BY(mutex_);
  Addresses addresses_ FLYBALL_GUARDED_BY(mutex_){"10.244.0.0", 16};
  std::map<std::string, Pod> pods_ FLYBALL_GUARDED_BY(mutex_);
  std::uint64_t started_ FLYBALL_GUARDED_BY(mutex_) = 0;
};

}  // namespace flyball::cluster::node
