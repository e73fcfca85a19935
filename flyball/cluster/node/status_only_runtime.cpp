#include "flyball/cluster/node/status_only_runtime.hpp"

#include <utility>

namespace flyball::cluster::node {

void StatusOnlyRuntime::listen(Listener listener) {
  MutexLock lock(mutex_);
  listener_ = std::move(listener);
}

Sandbox StatusOnlyRuntime::make_sandbox(const SandboxRequest& request) {
  MutexLock lock(mutex_);
  const auto [pod, is_new] = pods_.try_emplace(request.uid);
  if (is_new) pod->second.address = addresses_.take();
  return {.ip = address_text(pod->second.address)};
}

ContainerRun StatusOnlyRuntime::start(const std::string& uid, const ContainerRequest& request) {
  MutexLock lock(mutex_);
  const ContainerRun run{.id = "flyball://status-only-" + std::to_string(++started_), .started = clock_.wall_now()};
  pods_[uid].containers[request.name] = run;
  return run;
}

void StatusOnlyRuntime::signal(const std::string& uid, const std::string& container, int number) {
  Listener listener;
  {
    MutexLock lock(mutex_);
    const auto pod = pods_.find(uid);
    if (pod == pods_.end()) return;
    const auto found = pod->second.containers.find(container);
    if (found == pod->second.containers.end() || found->second.end) return;
    found->second.end = ContainerEnd{.at = clock_.wall_now(), .exit_code = 128 + number};
    listener = listener_;
  }
  if (listener) listener(uid);
}

std::vector<ContainerReport> StatusOnlyRuntime::look(const std::string& uid) {
  MutexLock lock(mutex_);
  std::vector<ContainerReport> all;
  const auto pod = pods_.find(uid);
  if (pod == pods_.end()) return all;
  for (const auto& [name, run] : pod->second.containers) all.push_back({.name = name, .run = run});
  return all;
}

ProbeAnswer StatusOnlyRuntime::probe(const std::string& /*uid*/, const ProbeRequest& /*request*/,
                                     const Stop& /*stop*/) {
  return {.success = true};
}

void StatusOnlyRuntime::remove(const std::string& uid) {
  MutexLock lock(mutex_);
  const auto pod = pods_.find(uid);
  if (pod == pods_.end()) return;
  addresses_.give_back(pod->second.address);
  pods_.erase(pod);
}

}  // namespace flyball::cluster::node
