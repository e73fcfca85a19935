// Probing: asks a pod's containers what their probes ask, when it is time.
//
//   Probing probing(runtime, pod, record, now, stop);
//   probing.run();
//   for (const std::string& note : probing.complaints) ctx.warn("Unhealthy", note);
//   for (const std::string& name : probing.failed) restart(name);         // startup or liveness
//
// Until the startup probe has succeeded, the others are not asked. A probe blocks its pod's pass for at most its
// timeout, and no other pod's.
//
// Thread-safety: one thread. Lifetime: a pass; what it is given outlives it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flyball/cluster/node/pod_runtime.hpp"

namespace flyball::cluster::node {

class Probing {
 public:
  Probing(PodRuntime& runtime, const kube::core::v1::Pod& pod, PodRecord& record, kube::Time now, Stop stop)
      : runtime_(runtime), pod_(pod), record_(record), now_(now), stop_(std::move(stop)) {}

  void run();

  struct Failed {
    const kube::core::v1::Container* container = nullptr;
    const kube::core::v1::Probe* probe = nullptr;
    std::string kind = {};  // "liveness", "startup"
  };
  std::vector<std::string> complaints = {};
  std::vector<Failed> failed = {};
  bool started = false;                 // a startup probe has succeeded: others may have waited for it
  std::optional<kube::Time> next = {};  // when the next probe is due

 private:
  void run(const kube::core::v1::Container& container);
  // True when the probe was asked and its answer decided something.
  bool ask(const kube::core::v1::Container& container, const kube::core::v1::Probe& probe, const std::string& kind,
           std::optional<ProbeRecord>& state);

  PodRuntime& runtime_;
  const kube::core::v1::Pod& pod_;
  PodRecord& record_;
  const kube::Time now_;
  const Stop stop_;
};

// What the runtime is asked for a probe. Throws ConfigError when it names a port there is none of.
ProbeRequest probe_request(const kube::core::v1::Container& container, const kube::core::v1::Probe& probe);

}  // namespace flyball::cluster::node
