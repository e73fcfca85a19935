// ScriptedRuntime: a PodRuntime for tests, where the test says when containers end and what probes answer.
#pragma once

#include <csignal>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "flyball/cluster/node/pod_runtime.hpp"

namespace flyball::cluster::node {

class ScriptedRuntime final : public PodRuntime {
 public:
  explicit ScriptedRuntime(const Clock*& clock) : clock_(clock) {}

  void listen(Listener listener) override { listener_ = std::move(listener); }
  Sandbox make_sandbox(const SandboxRequest& request) override {
    if (!sandbox_error.empty()) throw Error(sandbox_error);
    uid = request.uid;
    sandboxes.insert(request.uid);
    return {.ip = "10.244.0.9"};
  }
  ContainerRun start(const std::string& pod, const ContainerRequest& request) override {
    requests[request.name] = request;
    const ContainerRun run{.id = "flyball://" + std::to_string(++started_), .started = clock_->wall_now()};
    runs_[pod][request.name] = run;
    return run;
  }
  void signal(const std::string& pod, const std::string& container, int number) override {
    signals.push_back(container + " " + (number == SIGTERM ? "TERM" : number == SIGKILL ? "KILL" : "?"));
    if (number == SIGKILL || !stubborn) end(pod, container, 128 + number);
  }
  std::vector<ContainerReport> look(const std::string& pod) override {
    std::vector<ContainerReport> all;
    for (const auto& [name, run] : runs_[pod]) all.push_back({.name = name, .run = run});
    return all;
  }
  ProbeAnswer probe(const std::string& /*pod*/, const ProbeRequest& request, const Stop& /*stop*/) override {
    ++probes;
    return {.success = !sick.contains(request.container), .text = "it is sick"};
  }
  void remove(const std::string& pod) override {
    sandboxes.erase(pod);
    runs_.erase(pod);
  }

  // What the test does.
  void end(const std::string& container, std::int32_t code) { end(uid, container, code); }
  void end(const std::string& pod, const std::string& container, std::int32_t code) {
    runs_[pod][container].end = ContainerEnd{.at = clock_->wall_now(), .exit_code = code};
    listener_(pod);
  }

  std::string uid = {};  // of the last pod
  std::string sandbox_error = {};
  bool stubborn = false;  // containers do not end when they are asked to
  std::set<std::string> sick = {};
  int probes = 0;
  std::vector<std::string> signals = {};
  std::set<std::string> sandboxes = {};
  std::map<std::string, ContainerRequest> requests = {};

 private:
  const Clock*& clock_;
  Listener listener_ = [](const std::string&) {};
  std::map<std::string, std::map<std::string, ContainerRun>> runs_;
  int started_ = 0;
};

}  // namespace flyball::cluster::node
