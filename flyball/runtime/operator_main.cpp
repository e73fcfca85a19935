// What an operator does when it runs as a program of its own.
#include <array>
#include <optional>
#include <string>

#include <unistd.h>

#include "flyball/base/stop_on_signal.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/client/load_config.hpp"
#include "flyball/runtime/operator.hpp"
#include "flyball/runtime/operator_run.hpp"
#include "flyball/runtime/permission_check.hpp"
#include "flyball/runtime/version.hpp"

namespace flyball::runtime {
namespace {

// Probes and metrics, on one address or on two.
class Fronts {
 public:
  Fronts(Clock& clock, const OperatorRun& run, const Metrics& metrics, const OperatorFlags& flags, const Logger& log) {
    const bool together = !flags.probes.off && flags.probes == flags.metrics;
    if (!flags.probes.off) {
      probes_.emplace(clock, run.live(), run.ready(), metrics,
                      ProbeServerOptions{
                          .address = flags.probes.address, .port = flags.probes.port, .metrics = together, .log = log});
      log.info("probes", "url", probes_->url());
    }
    if (flags.metrics.off || together) return;
    metrics_.emplace(
        clock, run.live(), run.ready(), metrics,
        ProbeServerOptions{.address = flags.metrics.address, .port = flags.metrics.port, .probes = false, .log = log});
    log.info("metrics", "url", metrics_->url());
  }

 private:
  std::optional<ProbeServer> probes_;
  std::optional<ProbeServer> metrics_;
};

// Asked beside the run: a start does not wait for what is nearly always well.
class PermissionQuestions {
 public:
  PermissionQuestions(const client::Client& client, const Rbac& rbac, const RoleOptions& roles, Clock& clock,
                      const Logger& log)
      : thread_(clock, "permissions", [client, rbac, roles, &clock, log, stop = end_.stop()] {
          keep_asking(client, rbac, roles, clock, log, stop);
        }) {}
  ~PermissionQuestions() { end_.request_stop("the operator ends"); }
  PermissionQuestions(const PermissionQuestions&) = delete;
  PermissionQuestions& operator=(const PermissionQuestions&) = delete;

 private:
  StopSource end_;
  Thread thread_;
};

// The pod's name, and something drawn: a container that starts again is another one.
std::string identity(Random& random) {
  std::array<char, 256> host{};
  const bool known = ::gethostname(host.data(), host.size() - 1) == 0 && host[0] != '\0';
  return (known ? std::string(host.data()) : "unknown") + "_" + random.uuid();
}

}  // namespace

void Operator::run_in_cluster() const {
  const StopOnSignal signals;
  RealClock clock;
  Random random = Random::from_os();
  StderrSink sink;
  const Logger log(std::make_shared<LogCore>(
                       clock, sink, LogCore::Options{.encoding = flags_.log_format, .levels = flags_.log_level}),
                   "runtime");
  Metrics metrics;
  const client::LoadOptions load{.kubeconfig = flags_.kubeconfig, .context = flags_.context, .log = log};
  const client::Config config = client::load_config(clock, load);
  const auto election =
      leader_election_of(flags_, {.operator_name = name_,
                                  .identity = identity(random),
                                  .pod_namespace = client::is_pods_own(load) ? config.namespace_ : ""});
  const client::Client client = client::Client::connect(
      config, clock, random, {.field_manager = name_, .log = log.in_room("client"), .metrics = &metrics});
  log.info("starting", "operator", name_, "flyball", kVersion);
  OperatorRun run(*this, client, clock, random,
                  {.namespaces = flags_.namespaces,
                   .concurrency = flags_.concurrency,
                   .cache_budget = flags_.cache_budget,
                   .saved = {.folder = flags_.cache_dir, .cluster = client::cluster_identity(config)},
                   .shutdown_timeout = flags_.shutdown_timeout,
                   .leader_election = election,
                   .log = log,
                   .metrics = &metrics});
  const Fronts fronts(clock, run, metrics, flags_, log);
  const PermissionQuestions questions(
      client, rbac(),
      {.name = name_, .namespace_ = election ? election->namespace_ : "", .namespaces = flags_.namespaces}, clock, log);
  run.run(signals.stop());
}

}  // namespace flyball::runtime
