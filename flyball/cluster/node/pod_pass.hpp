// PodPass: one look of the kubelet at one pod: what its containers did, what is to be done, what to say about it.
//
// Thread-safety: one thread. Lifetime: a pass.
#pragma once

#include "flyball/cluster/node/kubelet.hpp"
#include "flyball/cluster/node/pod_plan.hpp"
#include "flyball/cluster/node/pod_sources.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster::node {

class PodPass {
 public:
  PodPass(runtime::Context& ctx, PodRuntime& runtime, const KubeletOptions& options, kube::core::v1::Pod& pod,
          PodRecord& record);

  // Of a pod that lives: starts what is to run, and gives its status.
  void live();
  // Of one that is to go: ends its containers. True when nothing is left.
  bool end();

 private:
  void observe();
  void make_sandbox();
  void check_deadline();
  // True when something runs now that did not.
  bool start_what_can();
  bool start(const kube::core::v1::Container& container);
  // Those that were added to the pod while it runs.
  void start_ephemeral_ones();
  ContainerRequest request_of(const kube::core::v1::Container& container, ContainerRecord& state);
  void hold(const Held& held);
  // True when a container has started that others may have waited for.
  bool probe();
  // A postStart or preStop; empty, or what went wrong.
  std::string run_hook(const kube::core::v1::Container& container, const kube::core::v1::LifecycleHandler& hook,
                       std::int64_t most);
  void after_start(const kube::core::v1::Container& container);
  void before_end(const std::string& container, std::int64_t grace);
  void refresh_volumes();
  void tell_to_end(const std::string& container, std::int64_t grace);
  void tell_all_to_end(std::int64_t grace);
  void kill_late_ones();
  void wake_at(kube::Time time);
  std::int64_t grace() const;
  PodSources sources();
  std::optional<std::string> volume_of(const std::string& claim);
  std::string token(const std::string& audience, std::int64_t seconds);
  std::string folder() const;

  runtime::Context& ctx_;
  PodRuntime& runtime_;
  const KubeletOptions& options_;
  kube::core::v1::Pod& pod_;
  PodRecord& record_;
  const kube::Time now_;
};

}  // namespace flyball::cluster::node
