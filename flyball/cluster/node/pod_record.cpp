#include "flyball/cluster/node/pod_record.hpp"

#include <algorithm>

namespace flyball::cluster::node {

namespace core = kube::core::v1;

namespace {

// The first rule of the container that speaks of the code decides.
bool a_rule_restarts(const core::Container& container, std::int32_t exit_code) {
  return std::ranges::any_of(container.restartPolicyRules, [&](const core::ContainerRestartRule& rule) {
    if (!rule.exitCodes) return false;
    const bool among = std::ranges::find(rule.exitCodes->values, exit_code) != rule.exitCodes->values.end();
    return rule.exitCodes->operator_ == "NotIn" ? !among : among;
  });
}

}  // namespace

core::Container as_container(const core::EphemeralContainer& ephemeral) {
  core::Container container{.name = ephemeral.name,
                            .image = ephemeral.image,
                            .command = ephemeral.command,
                            .args = ephemeral.args,
                            .workingDir = ephemeral.workingDir,
                            .env = ephemeral.env,
                            .envFrom = ephemeral.envFrom,
                            .volumeMounts = ephemeral.volumeMounts,
                            .securityContext = ephemeral.securityContext,
                            .restartPolicy = "Never"};
  container.stdin = ephemeral.stdin;
  container.stdinOnce = ephemeral.stdinOnce;
  container.tty = ephemeral.tty;
  return container;
}

bool restarts(const core::PodSpec& spec, const core::Container& container, bool init, std::int32_t exit_code) {
  if (a_rule_restarts(container, exit_code)) return true;
  const std::string policy = container.restartPolicy.value_or(spec.restartPolicy);
  if (policy == "Never") return false;
  if (policy == "OnFailure" || (init && !is_sidecar(container))) return exit_code != 0;
  return true;
}

}  // namespace flyball::cluster::node
