// Pods: the state of many containers in one word.
#include <algorithm>
#include <array>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::array kPodColumns = {kName,      column("Ready"), column("Status"),       column("Restarts"),     kAge,
                                    wide("IP"), wide("Node"),    wide("Nominated Node"), wide("Readiness Gates")};

// What is found out about a pod on the way through its containers.
struct Summary {
  std::string status = {};
  std::int64_t ready = 0;
  std::int64_t restarts = 0;
  kube::MicroTime last_restart = {};
  bool initializing = false;

  void count_restarts(json::View container) {
    restarts += number(container["restartCount"]);
    last_restart = std::max(last_restart, moment(container["lastState"]["terminated"]["finishedAt"]));
  }
};

// A sidecar: an init container that runs beside the others.
bool is_sidecar(json::View pod, std::string_view container) {
  for (const json::View one : pod["spec"]["initContainers"].items()) {
    if (text(one["name"]) == container) return text(one["restartPolicy"]) == "Always";
  }
  return false;
}

std::int64_t container_count(json::View pod) {
  auto count = static_cast<std::int64_t>(pod["spec"]["containers"].size());
  for (const json::View one : pod["spec"]["initContainers"].items()) {
    if (text(one["restartPolicy"]) == "Always") ++count;
  }
  return count;
}

std::string end_text(json::View terminated) {
  if (!text(terminated["reason"]).empty()) return std::string(text(terminated["reason"]));
  if (number(terminated["signal"]) != 0) return "Signal:" + std::to_string(number(terminated["signal"]));
  return "ExitCode:" + std::to_string(number(terminated["exitCode"]));
}

std::string init_text(json::View pod, json::View state, std::size_t index) {
  if (given(state["terminated"])) return "Init:" + end_text(state["terminated"]);
  const std::string_view reason = text(state["waiting"]["reason"]);
  if (!reason.empty() && reason != "PodInitializing") return "Init:" + std::string(reason);
  return "Init:" + std::to_string(index) + "/" + std::to_string(pod["spec"]["initContainers"].size());
}

// Up to the first init container that is not done. Returns what the sidecars among them had of restarts.
Summary pass_init_containers(json::View pod, Summary& summary) {
  Summary sidecars;
  std::size_t index = 0;
  for (const json::View container : pod["status"]["initContainerStatuses"].items()) {
    const bool sidecar = is_sidecar(pod, text(container["name"]));
    summary.count_restarts(container);
    if (sidecar) sidecars.count_restarts(container);
    const json::View state = container["state"];
    const bool succeeded = given(state["terminated"]) && number(state["terminated"]["exitCode"]) == 0;
    const bool serving = !succeeded && sidecar && flag(container["started"]);
    if (serving && flag(container["ready"])) ++summary.ready;
    if (!succeeded && !serving) {
      summary.status = init_text(pod, state, index);
      summary.initializing = true;
      break;
    }
    ++index;
  }
  return sidecars;
}

std::string settle_completed(json::View pod, bool running, const std::string& error) {
  if (running && is_true(pod["status"]["conditions"], "Ready")) return "Running";
  if (!error.empty()) return error;
  return running ? "NotReady" : "Completed";
}

// From the last to the first: the first one's word stays.
void pass_containers(json::View pod, Summary& summary) {
  bool running = false;
  std::string error;
  const auto items = pod["status"]["containerStatuses"].items();
  std::vector<json::View> containers(items.begin(), items.end());
  std::reverse(containers.begin(), containers.end());
  for (const json::View container : containers) {
    summary.count_restarts(container);
    const json::View state = container["state"];
    if (!text(state["waiting"]["reason"]).empty()) {
      summary.status = text(state["waiting"]["reason"]);
    } else if (given(state["terminated"])) {
      summary.status = end_text(state["terminated"]);
      if (number(state["terminated"]["exitCode"]) != 0) error = summary.status;
    } else if (flag(container["ready"]) && given(state["running"])) {
      running = true;
      ++summary.ready;
    }
  }
  if (summary.status == "Completed") summary.status = settle_completed(pod, running, error);
}

std::string status_at_first(json::View status) {
  for (const json::View one : status["conditions"].items()) {
    if (text(one["type"]) == "PodScheduled" && text(one["reason"]) == "SchedulingGated") return "SchedulingGated";
  }
  return std::string(text_or(status["reason"], text(status["phase"])));
}

Summary summarize(json::View pod) {
  const json::View status = pod["status"];
  Summary summary{.status = status_at_first(status)};
  const Summary sidecars = pass_init_containers(pod, summary);
  if (!summary.initializing || is_true(status["conditions"], "Initialized")) {
    summary.restarts = sidecars.restarts;
    summary.last_restart = sidecars.last_restart;
    pass_containers(pod, summary);
  }
  if (!being_deleted(pod)) return summary;
  const std::string_view phase = text(status["phase"]);
  if (text(status["reason"]) == "NodeLost") {
    summary.status = "Unknown";
  } else if (phase != "Succeeded" && phase != "Failed") {
    summary.status = "Terminating";
  }
  return summary;
}

std::string restarts_text(const Summary& summary, WallTime now) {
  std::string count = std::to_string(summary.restarts);
  if (summary.restarts == 0 || summary.last_restart.is_zero()) return count;
  return count + " (" + human_age(summary.last_restart, now) + " ago)";
}

std::string gates_text(json::View pod) {
  const json::View gates = pod["spec"]["readinessGates"];
  if (gates.empty()) return "<none>";
  std::int64_t open = 0;
  for (const json::View gate : gates.items()) {
    if (is_true(pod["status"]["conditions"], text(gate["conditionType"]))) ++open;
  }
  return ratio(open, static_cast<std::int64_t>(gates.size()));
}

json::Value pod_cells(json::View pod, WallTime now) {
  const json::View status = pod["status"];
  const Summary summary = summarize(pod);
  // One that only has the old field still has an address.
  const std::string_view ip = text_or(status["podIP"], text(status["podIPs"][0]["ip"]));
  return row(name_of(pod), ratio(summary.ready, container_count(pod)), summary.status, restarts_text(summary, now),
             age_of(pod, now), ip.empty() ? "<none>" : ip, text_or(pod["spec"]["nodeName"], "<none>"),
             text_or(status["nominatedNodeName"], "<none>"), gates_text(pod));
}

json::Value completed(std::string_view reason, std::string_view message) {
  return json::array(
      {json::object({{"type", "Completed"}, {"status", "True"}, {"reason", reason}, {"message", message}})});
}

json::Value pod_conditions(json::View pod) {
  const std::string_view phase = text(pod["status"]["phase"]);
  if (phase == "Succeeded") return completed(phase, "The pod has completed successfully.");
  if (phase == "Failed") return completed(phase, "The pod failed.");
  return json::Value().slice({});
}

constexpr std::array kRules = {
    TableRule{.kind = "Pod", .columns = kPodColumns, .cells = pod_cells, .conditions = pod_conditions},
};

}  // namespace

std::span<const TableRule> pod_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
