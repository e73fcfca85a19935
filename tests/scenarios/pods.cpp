#include "pods.hpp"

#include <algorithm>
#include <set>

#include "kinds.hpp"

#include "flyball/json/builder.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::scenarios {
namespace {

bool is_ready(json::View pod) {
  return std::ranges::any_of(pod["status"]["conditions"].items(), [](json::View condition) {
    return condition["type"].string_or("") == "Ready" && condition["status"].string_or("") == "True";
  });
}

bool is_over(json::View pod) {
  const auto phase = pod["status"]["phase"].string_or("");
  return phase == "Succeeded" || phase == "Failed";
}

std::string name_of(json::View pod) { return std::string(pod["metadata"]["name"].as_string()); }

json::Value condition(std::string_view type, bool is, const std::string& now) {
  return json::object({{"type", type}, {"status", is ? "True" : "False"}, {"lastTransitionTime", now}});
}

}  // namespace

std::vector<json::Value> Pods::chosen(std::string_view verb, json::View what) {
  client::ListOptions options{.namespace_ = space_};
  for (const auto [key, value] : what["labels"].entries()) options.labels[std::string(key)] = value.as_string();
  std::vector<json::Value> pods;
  for (const json::Value& pod : world_.client().dynamic(kind_of("Pod")).list(options)) {
    if (what["name"].exists() && pod["metadata"]["name"] != what["name"]) continue;
    if (is_over(pod) || (verb == "ready" && is_ready(pod))) continue;
    // A pod that is told to end still says how it ends.
    if (pod["metadata"].contains("deletionTimestamp") && (verb == "ready" || !what.exists())) continue;
    pods.push_back(pod);
  }
  std::ranges::sort(pods, {}, [](const json::Value& pod) {
    return std::pair(std::string(pod["metadata"]["creationTimestamp"].string_or("")), name_of(pod));
  });
  if (what["count"].is_int()) {
    pods.resize(std::min(pods.size(), static_cast<std::size_t>(what["count"].as_int())));
  }
  return pods;
}

json::Value Pods::status(std::string_view verb, json::View what, json::View pod) {
  const std::string now = kube::Time(world_.clock().wall_now()).to_string();
  const bool over = verb == "succeed" || verb == "fail";
  std::string ip(pod["status"]["podIP"].string_or(""));
  if (ip.empty()) ip = "10.1.0." + std::to_string(++addresses_);
  json::Builder status;
  status.begin_object();
  status.key("phase").string(verb == "succeed" ? "Succeeded" : verb == "fail" ? "Failed" : "Running");
  if (what["reason"].exists()) status.key("reason").value(what["reason"]);
  if (what["message"].exists()) status.key("message").value(what["message"]);
  status.key("podIP").string(ip);
  status.key("podIPs").value(json::array({json::object({{"ip", ip}})}));
  status.key("startTime").string(now);
  status.key("conditions").begin_array();
  status.value(condition("Ready", verb == "ready", now)).value(condition("ContainersReady", verb == "ready", now));
  for (const json::View extra : what["conditions"].items()) {
    status.value(json::object({{"type", extra.as_string()}, {"status", "True"}, {"lastTransitionTime", now}}));
  }
  status.end();
  if (over) {
    const auto code = what["exitCode"].is_int() ? what["exitCode"].as_int() : (verb == "fail" ? 1 : 0);
    const json::Value terminated = json::object(
        {{"exitCode", code}, {"reason", code == 0 ? "Completed" : "Error"}, {"startedAt", now}, {"finishedAt", now}});
    const json::View container = pod["spec"]["containers"][0];
    const json::Value one = json::object({{"name", json::Value(container["name"])},
                                          {"image", json::Value(container["image"])},
                                          {"imageID", ""},
                                          {"ready", false},
                                          {"restartCount", 0},
                                          {"state", json::object({{"terminated", terminated}})}});
    status.key("containerStatuses").value(json::array({one}));
  }
  return json::object({{"status", status.end().finish()}});
}

void Pods::end(json::View what) {
  const auto pods = world_.client().dynamic(kind_of("Pod"));
  for (const json::Value& pod : pods.list({.namespace_ = space_})) {
    if (!pod["metadata"].contains("deletionTimestamp")) continue;
    if (what["name"].exists() && pod["metadata"]["name"] != what["name"]) continue;
    pods.delete_({space_, name_of(pod)}, {.grace = std::chrono::seconds(0), .missing_is_fine = true});
  }
}

bool Pods::act(std::string_view verb, json::View what) {
  static const std::set<std::string_view> verbs = {"ready", "unready", "succeed", "fail"};
  if (verb == "end") {
    end(what);
    return true;
  }
  if (!verbs.contains(verb)) return false;
  for (const json::Value& pod : chosen(verb, what)) write(verb, what, pod);
  return true;
}

bool Pods::act_on_one(std::string_view verb, json::View what) {
  const auto pods = chosen(verb, what);
  if (!pods.empty()) write(verb, what, pods.front());
  return !pods.empty();
}

void Pods::write(std::string_view verb, json::View what, json::View pod) {
  world_.client()
      .dynamic(kind_of("Pod"))
      .patch_subresource<json::Value>({space_, name_of(pod)}, "status", client::Patch::merge(status(verb, what, pod)));
}

void Pods::free_all() {
  const auto pods = world_.client().dynamic(kind_of("Pod"));
  for (const json::Value& pod : pods.list({.namespace_ = space_})) {
    pods.delete_({space_, name_of(pod)}, {.grace = std::chrono::seconds(0), .missing_is_fine = true});
  }
}

}  // namespace flyball::scenarios
