#include "cli/condition_text.hpp"

namespace flyball::cli {
namespace {

std::int64_t number(json::View value, std::int64_t fallback) { return value.is_int() ? value.as_int() : fallback; }

State of_pod(const json::Value& pod) {
  std::string word(pod["status"]["phase"].string_or("Pending"));
  const std::string why = trouble_of_pod(pod);
  for (const char* list : {"initContainerStatuses", "containerStatuses"}) {
    for (const json::View one : pod["status"][list].items()) {
      if (const auto reason = one["state"]["waiting"]["reason"].string_or(""); !reason.empty()) word = reason;
    }
  }
  if (pod["metadata"]["deletionTimestamp"].exists()) return {"Terminating", false, ""};
  if (word == "Running" && condition_of(pod, "Ready") != "True") return {"not ready", false, why};
  return {word, word == "Running" || word == "Succeeded", why};
}

// Deployments, StatefulSets, ReplicaSets and whatever counts the same way.
State of_replicas(const json::Value& object) {
  const std::int64_t wanted = number(object["spec"]["replicas"], 1);
  const std::int64_t ready = number(object["status"]["readyReplicas"], 0);
  const bool seen = number(object["status"]["observedGeneration"], 0) >= number(object["metadata"]["generation"], 0);
  const std::int64_t updated = number(object["status"]["updatedReplicas"], wanted);
  const std::string all = "/" + std::to_string(wanted);
  // While a new version rolls out the old pods are ready, and that is not what one wants to know.
  if (updated < wanted) return {std::to_string(updated) + all + " updated", false, ""};
  return {std::to_string(ready) + all + " ready", seen && ready >= wanted, ""};
}

State of_condition(json::View condition) {
  const bool good = condition["status"].string_or("") == "True";
  const std::string type(condition["type"].string_or(""));
  const std::string reason(condition["reason"].string_or(""));
  std::string why(condition["message"].string_or(""));
  if (good) return {type, true, ""};
  return {"not " + type + (reason.empty() ? "" : ": " + reason), false, std::move(why)};
}

}  // namespace

std::string condition_of(const json::Value& object, std::string_view type) {
  for (const json::View one : object["status"]["conditions"].items()) {
    if (one["type"].string_or("") == type) return std::string(one["status"].string_or(""));
  }
  return "";
}

std::string trouble_of_pod(const json::Value& pod) {
  for (const char* list : {"initContainerStatuses", "containerStatuses"}) {
    for (const json::View one : pod["status"][list].items()) {
      const json::View state = one["state"];
      const std::string name(one["name"].string_or(""));
      for (const char* kind : {"waiting", "terminated"}) {
        const std::string reason(state[kind]["reason"].string_or(""));
        if (reason.empty() || reason == "Completed" || reason == "ContainerCreating" || reason == "PodInitializing")
          continue;
        const std::string message(state[kind]["message"].string_or(""));
        std::string text = name;
        text.append(": ").append(reason);
        if (!message.empty()) text.append(": ").append(message);
        return text;
      }
    }
  }
  for (const json::View one : pod["status"]["conditions"].items()) {
    if (one["type"].string_or("") == "PodScheduled" && one["status"].string_or("") == "False") {
      return "not scheduled: " + std::string(one["message"].string_or(one["reason"].string_or("")));
    }
  }
  return "";
}

State state_of(const json::Value& object) {
  const std::string_view kind = object["kind"].string_or("");
  if (kind == "Pod") return of_pod(object);
  if (object["metadata"]["deletionTimestamp"].exists()) return {"Terminating", false, ""};
  if (kind == "DaemonSet") {
    const std::int64_t wanted = number(object["status"]["desiredNumberScheduled"], 0);
    const std::int64_t ready = number(object["status"]["numberReady"], 0);
    return {std::to_string(ready) + "/" + std::to_string(wanted) + " ready", ready >= wanted, ""};
  }
  if (object["spec"]["replicas"].exists() && object["spec"]["template"].exists()) return of_replicas(object);
  if (const auto phase = object["status"]["phase"].string_or(""); !phase.empty()) {
    return {std::string(phase), phase != "Pending" && phase != "Failed" && phase != "Lost", ""};
  }
  for (const std::string_view type : {"Ready", "Available", "Complete", "Established"}) {
    for (const json::View one : object["status"]["conditions"].items()) {
      if (one["type"].string_or("") == type) return of_condition(one);
    }
  }
  return {};
}

}  // namespace flyball::cli
