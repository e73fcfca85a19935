// Kubelet: what a node does for its pods: starts their containers, watches over them, and writes their status.
//
//   StatusOnlyRuntime runtime(clock);
//   Kubelet kubelet(runtime, {.node = "flyball"});
//   kubelet.declare(op);                              // two controllers: one for pods that live, one for those that
//   end
//
// All that is remembered of a pod is a PodRecord; what to do comes from pod_plan.hpp, what to write from
// pod_status.hpp. After a restart the pods' status says what was; containers that ran then are started again.
//
// Thread-safety: declare() before the operator runs; the rest is the operator's. Lifetime: the runtime outlives it, and
// it the operator's runs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "flyball/base/mutex.hpp"
#include "flyball/cluster/node/images.hpp"
#include "flyball/cluster/node/pod_runtime.hpp"
#include "flyball/runtime/operator.hpp"

namespace flyball::cluster::node {

struct KubeletOptions {
  std::string node = "flyball";
  std::string host_ip = "10.244.0.1";
  std::string folder = {};             // of volumes and logs; empty: pods get neither
  const ImageTable* images = nullptr;  // null: every image will do, and nobody runs it
  bool shares_network = false;         // all pods are in the machine's own
  // Where pods find the API server; empty: at its Service.
  std::string api_host = {};
  std::uint16_t api_port = 0;
};

class Kubelet {
 public:
  Kubelet(PodRuntime& runtime, KubeletOptions options);

  void declare(runtime::Operator& op);

 private:
  // Its mutex is held while the runtime is told things, which may call us back: it comes before ours, never after.
  struct Entry {
    explicit Entry(PodRecord made) : uid(made.uid), record(std::move(made)) {}

    const std::string uid;
    Mutex mutex;
    PodRecord record FLYBALL_GUARDED_BY(mutex);
  };

  std::shared_ptr<Entry> entry_of(const kube::core::v1::Pod& pod);
  void sync(runtime::Context& ctx, kube::core::v1::Pod& pod);
  void end(runtime::Context& ctx);
  void forget(const kube::ObjectKey& pod);

  PodRuntime& runtime_;
  const KubeletOptions options_;

  Mutex mutex_;
  std::map<kube::ObjectKey, std::shared_ptr<Entry>> entries_ FLYBALL_GUARDED_BY(mutex_);
  std::map<std::string, kube::ObjectKey> names_ FLYBALL_GUARDED_BY(mutex_);  // by uid
};

}  // namespace flyball::cluster::node
