#include "flyball/runtime/operator_flags.hpp"

#include <charconv>
#include <string>
#include <utility>

#include "flyball/base/error.hpp"
#include "flyball/base/log.hpp"
#include "flyball/kube/quantity.hpp"

namespace flyball::runtime {
namespace {

constexpr const char* kAddress = "HOST:PORT";

void add_address(CommandLine& line, const char* name, ListenAddress& to, const char* help, const char* environment) {
  line.flag_with(name, to.to_string(), [&to](const std::string& text) { to = ListenAddress::parse(text); },
                 {.value = kAddress, .help = help, .environment = environment});
}

void add_cluster_flags(CommandLine& line, OperatorFlags& flags) {
  line.flag("kubeconfig", flags.kubeconfig,
            {.value = "FILE",
             .help = "Which cluster, as whom. Without it: the files of KUBECONFIG, the pod's service account or "
                     "~/.kube/config, whichever is there."});
  line.flag("context", flags.context, {.value = "NAME", .help = "Which context of the kubeconfig."});
  line.flag("namespaces", flags.namespaces,
            {.value = "NAME,...",
             .help = "Work in these namespaces only. Without it: in all of them.",
             .environment = "FLYBALL_NAMESPACES"});
}

void add_log_flags(CommandLine& line, OperatorFlags& flags) {
  const auto take_levels = [&flags](const std::string& text) {
    const RealClock clock;
    CapturingSink nowhere;
    LogCore(clock, nowhere).set_levels(text);  // says what is wrong with them
    flags.log_level = text;
  };
  line.flag_with("log-level", flags.log_level, take_levels,
                 {.value = "LEVELS",
                  .help = "trace, debug, info, warn or error; per room as in client=debug,info.",
                  .environment = "FLYBALL_LOG"});
  const auto take_format = [&flags](const std::string& text) {
    if (text != "console" && text != "json") throw Error("\"" + text + "\" is none of console, json");
    flags.log_format = text == "json" ? LogEncoding::json : LogEncoding::console;
  };
  line.flag_with(
      "log-format", flags.log_format == LogEncoding::json ? "json" : "console", take_format,
      {.value = "console|json", .help = "For people, or for machines.", .environment = "FLYBALL_LOG_FORMAT"});
}

void add_work_flags(CommandLine& line, OperatorFlags& flags) {
  const auto take_concurrency = [&flags](const std::string& text) {
    std::uint32_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, wrong] = std::from_chars(text.data(), end, number);
    if (wrong != std::errc() || rest != end || number == 0 || number > 1000) {
      throw Error("\"" + text + "\" is not a number from 1 to 1000");
    }
    flags.concurrency = number;
  };
  line.flag_with("concurrency", std::to_string(flags.concurrency), take_concurrency,
                 {.value = "N",
                  .help = "How many objects of a kind are reconciled at once.",
                  .environment = "FLYBALL_CONCURRENCY"});
  const auto take_budget = [&flags](const std::string& text) {
    const auto quantity = kube::Quantity::try_parse(text);
    if (!quantity || quantity->value() < 0) throw Error("\"" + text + "\" is no size; write it as 512Mi or 2Gi");
    flags.cache_budget = static_cast<std::uint64_t>(quantity->value());
  };
  line.flag_with("cache-budget", flags.cache_budget == 0 ? "no limit" : std::to_string(flags.cache_budget), take_budget,
                 {.value = "SIZE",
                  .help = "How much memory cached objects may take, as in 512Mi.",
                  .environment = "FLYBALL_CACHE_BUDGET"});
  line.flag(
      "cache-dir", flags.cache_dir,
      {.value = "DIR",
       .help = "Save the cache there at the end, and go on from it at the next start instead of reading everything "
               "anew. Holds whatever the operator reads, Secrets too.",
       .environment = "FLYBALL_CACHE_DIR"});
  line.flag("shutdown-timeout", flags.shutdown_timeout,
            {.value = "TIME",
             .help = "How long passes that run may take to finish when the operator is told to end.",
             .environment = "FLYBALL_SHUTDOWN_TIMEOUT"});
}

void add_leader_flags(CommandLine& line, OperatorFlags& flags) {
  line.flag("leader-elect", flags.leader_elect,
            {.help = "Whether to work only while no other replica does. Without it: in a pod yes, elsewhere no.",
             .environment = "FLYBALL_LEADER_ELECT"});
  line.flag("leader-election-namespace", flags.leader_election_namespace,
            {.value = "NAME",
             .help = "Where the Lease is that the leader holds. Without it: the pod's namespace.",
             .environment = "FLYBALL_LEADER_ELECTION_NAMESPACE"});
  line.flag("leader-election-id", flags.leader_election_id,
            {.value = "NAME",
             .help = "The name of that Lease. Without it: the operator's name.",
             .environment = "FLYBALL_LEADER_ELECTION_ID"});
  LeaderElectionTimes& times = flags.leader_election;
  line.flag("leader-election-lease-duration", times.lease_duration,
            {.value = "TIME",
             .help = "How long others wait for a leader that is gone without a word.",
             .environment = "FLYBALL_LEADER_ELECTION_LEASE_DURATION"});
  line.flag("leader-election-renew-deadline", times.renew_deadline,
            {.value = "TIME",
             .help = "How long a leader that cannot renew its Lease still writes; then it ends.",
             .environment = "FLYBALL_LEADER_ELECTION_RENEW_DEADLINE"});
  line.flag("leader-election-retry-period", times.retry_period,
            {.value = "TIME",
             .help = "How often the Lease is renewed, and looked at by those who wait.",
             .environment = "FLYBALL_LEADER_ELECTION_RETRY_PERIOD"});
}

}  // namespace

void OperatorFlags::check() const {
  leader_election.check({.lease_duration = "--leader-election-lease-duration",
                         .renew_deadline = "--leader-election-renew-deadline",
                         .retry_period = "--leader-election-retry-period"});
}

std::optional<LeaderElectionOptions> leader_election_of(const OperatorFlags& flags, const OperatorPlace& place) {
  if (!flags.leader_elect.value_or(!place.pod_namespace.empty())) return std::nullopt;
  LeaderElectionOptions options{
      .namespace_ = flags.leader_election_namespace.empty() ? place.pod_namespace : flags.leader_election_namespace,
      .name = flags.leader_election_id.empty() ? place.operator_name : flags.leader_election_id,
      .identity = place.identity,
      .times = flags.leader_election};
  // Not the kubeconfig's: replicas in pods would compete for another Lease, and both would lead.
  if (options.namespace_.empty()) {
    throw InputError({}, "--leader-election-namespace",
                     "is needed with --leader-elect outside of a pod: name the namespace that the operator's other "
                     "replicas run in");
  }
  return options;
}

ListenAddress ListenAddress::parse(std::string_view text) {
  const auto refuse = [&](const std::string& why) {
    throw InputError({}, "",
                     "\"" + std::string(text) + "\" is no address to listen on: " + why +
                         "; write it as :8080, 127.0.0.1:8080 or off");
  };
  if (text == "off" || text == "0") return {.off = true};
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) refuse("it has no port");
  ListenAddress parsed;
  const std::string_view port = text.substr(colon + 1);
  const auto [rest, wrong] = std::from_chars(port.data(), port.data() + port.size(), parsed.port);
  if (wrong != std::errc() || rest != port.data() + port.size()) refuse("the port is no number from 0 to 65535");
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed)
    host = host.substr(1, host.size() - 2);
  else if (host.find(':') != std::string_view::npos)
    refuse("an IPv6 address stands in brackets");
  if (host == "localhost") host = "127.0.0.1";
  if (!host.empty()) parsed.address = host;
  return parsed;
}

std::string ListenAddress::to_string() const {
  if (off) return "off";
  const bool everybody = address == "0.0.0.0";
  const bool ipv6 = address.find(':') != std::string::npos;
  return (everybody ? "" : ipv6 ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

CommandLine operator_command_line(std::string program, std::string about, OperatorFlags& flags) {
  CommandLine line(std::move(program), std::move(about));
  line.command("run", "Run the operator.");
  line.command("manifests", "Print everything it needs in a cluster, to be applied with kubectl.");
  line.command("crd", "Print the CustomResourceDefinitions.");
  line.command("rbac", "Print the permissions it needs.");
  line.command("version", "Print the version.");
  add_cluster_flags(line, flags);
  add_address(line, "metrics-address", flags.metrics, "Where /metrics is served; off for nowhere.",
              "FLYBALL_METRICS_ADDRESS");
  add_address(line, "probes-address", flags.probes, "Where /healthz and /readyz are served; off for nowhere.",
              "FLYBALL_PROBES_ADDRESS");
  add_log_flags(line, flags);
  add_work_flags(line, flags);
  add_leader_flags(line, flags);
  return line;
}

}  // namespace flyball::runtime
