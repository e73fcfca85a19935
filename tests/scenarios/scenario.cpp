#include "scenario.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstdint>

#include "kinds.hpp"
#include "pods.hpp"

#include "flyball/base/api_error.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::scenarios {
namespace {

// "deployment/rolling_update" becomes the name of a namespace.
std::string space_of(const std::string& name) {
  std::string result;
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return "s-" + result.substr(0, 40) + "-ns";
}

std::string expanded(std::string_view text, const std::string& space) {
  std::string result(text);
  for (std::size_t at = 0; (at = result.find("{ns}", at)) != std::string::npos; at += space.size()) {
    result.replace(at, 4, space);
  }
  return result;
}

Duration duration_of(json::View value) {
  const std::string_view text = value.as_string();
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return text.ends_with('m') ? Duration(std::chrono::minutes(number)) : std::chrono::seconds(number);
}

client::Propagation propagation_of(std::string_view word) {
  if (word == "Foreground") return client::Propagation::foreground;
  if (word == "Background") return client::Propagation::background;
  if (word == "Orphan") return client::Propagation::orphan;
  return client::Propagation::server;
}

class ScenarioRun {
 public:
  ScenarioRun(World& world, const Scenario& scenario)
      : world_(world),
        client_(world.client()),
        scenario_(scenario),
        observer_(world.client(), scenario.space, scenario.kinds),
        pods_(world, scenario.space) {}

  std::vector<Checkpoint> run() {
    client_.dynamic(kind_of("Namespace"))
        .create(json::object(
            {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", json::object({{"name", scenario_.space}})}}));
    settle();
    for (const json::View step : scenario_.script["steps"].items()) {
      for (const auto [verb, what] : step.entries()) perform(verb, what);
    }
    clean_up();
    return std::move(checkpoints_);
  }

 private:
  void perform(std::string_view verb, json::View what) {
    try {
      if (verb == "check") return check(std::string(what.as_string()));
      if (verb == "wait") {
        world_.wait(duration_of(what));
      } else if (verb == "together") {
        for (const json::View step : what.items()) {
          for (const auto [inner, part] : step.entries()) act(inner, part);
        }
      } else {
        act(verb, what);
      }
      settle();
    } catch (const ApiError& error) {
      throw Error("step " + std::string(verb) + " " + json::summary(what) + ": " + error.what());
    }
  }

  void act(std::string_view verb, json::View what) {
    try {
      if (verb == "apply") return apply(what);
      if (verb == "patch") return patch(what, {});
      if (verb == "status") return patch(what, "status");
      if (verb == "scale") return scale(what);
      if (verb == "own") return own(what);
      if (verb == "delete") return erase(what);
      if (verb == "node") return node(what);
    } catch (const ApiError& error) {
      // What is refused belongs to what is compared.
      refusals_.push_back("Refused: " + observer_.normalized(error.message()));
      return;
    }
    // One after the other: the controllers see each of them.
    const bool each = what["each"].is_bool() && what["each"].as_bool();
    while (each && pods_.act_on_one(verb, what)) settle();
    if (!each && !pods_.act(verb, what)) throw Error("there is no step named " + std::string(verb));
  }

  // Everything a scenario makes lies in its namespace, or is named after it.
  json::Value placed(json::View object) {
    const auto kind = kube::GroupVersionKind::parse(object["apiVersion"].string_or(""), object["kind"].string_or(""));
    json::Draft draft{json::Value(object)};
    if (client_.dynamic(kind).resource().namespaced) {
      if (!object["metadata"].contains("namespace")) draft.set(json::Pointer("/metadata/namespace"), scenario_.space);
    } else {
      wide_.emplace_back(kind, std::string(object["metadata"]["name"].string_or("")));
    }
    return draft.build();
  }

  void apply(json::View objects) {
    for (const json::View object : objects.items()) {
      const auto kind = kube::GroupVersionKind::parse(object["apiVersion"].string_or(""), object["kind"].string_or(""));
      client_.dynamic(kind).apply(placed(object), {.force = true, .field_manager = "person"});
      if (kind.kind != "CustomResourceDefinition") continue;
      settle();
      client_.mapper().forget();
    }
  }

  kube::ObjectKey key_of(json::View what) {
    const bool spaced = client_.dynamic(kind_of(what["kind"].as_string())).resource().namespaced;
    return {spaced ? scenario_.space : "", std::string(what["name"].as_string())};
  }

  void patch(json::View what, std::string_view subresource) {
    const auto all = client_.dynamic(kind_of(what["kind"].as_string()));
    const auto change = client::Patch::merge(json::Value(what["with"]));
    if (subresource.empty()) {
      all.patch(key_of(what), change);
    } else {
      all.patch_subresource<json::Value>(key_of(what), subresource, change);
    }
  }

  void scale(json::View what) {
    const auto change = json::object({{"spec", json::object({{"replicas", what["replicas"].as_int()}})}});
    client_.dynamic(kind_of(what["kind"].as_string()))
        .patch_subresource<json::Value>(key_of(what), "scale", client::Patch::merge(change));
  }

  // The object's owners, with the uids they have here.
  void own(json::View what) {
    json::Draft change{json::object({{"metadata", json::object({{"ownerReferences", json::Value(what["by"])}})}})};
    for (std::size_t i = 0; i < what["by"].size(); ++i) {
      const json::View owner = what["by"][i];
      const auto kind = kind_of(owner["kind"].as_string());
      const json::Value found = client_.dynamic(kind).get(key_of(owner));
      const std::string reference = "/metadata/ownerReferences/" + std::to_string(i);
      change.set(json::Pointer(reference + "/apiVersion"), kind.api_version());
      change.set(json::Pointer(reference + "/kind"), kind.kind);
      change.set(json::Pointer(reference + "/uid"), json::Value(found["metadata"]["uid"]));
    }
    client_.dynamic(kind_of(what["kind"].as_string())).patch(key_of(what), client::Patch::merge(change.build()));
  }

  void erase(json::View what) {
    client::DeleteOptions options{.propagation = propagation_of(what["propagation"].string_or(""))};
    if (what["grace"].is_int()) options.grace = std::chrono::seconds(what["grace"].as_int());
    client_.dynamic(kind_of(what["kind"].as_string())).delete_(key_of(what), options);
  }

  // One that is ready; the server taints those that are new.
  void node(json::View what) {
    const std::string name(what["name"].as_string());
    wide_.emplace_back(kind_of("Node"), name);
    const auto nodes = client_.dynamic(kind_of("Node"));
    const json::Value labels = what["labels"].exists() ? json::Value(what["labels"]) : json::object();
    nodes.create(json::object(
        {{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", json::object({{"name", name}, {"labels", labels}})}}));
    const json::Value ready = json::object({{"type", "Ready"},
                                            {"status", "True"},
                                            {"reason", "KubeletReady"},
                                            {"message", "ready"},
                                            {"lastHeartbeatTime", kube::Time(world_.clock().wall_now()).to_string()},
                                            {"lastTransitionTime", kube::Time(world_.clock().wall_now()).to_string()}});
    const json::Value allocatable(what["allocatable"]);
    nodes.patch_subresource<json::Value>(
        {"", name}, "status",
        client::Patch::merge(json::object({{"status", json::object({{"allocatable", allocatable},
                                                                    {"capacity", allocatable},
                                                                    {"conditions", json::array({ready})}})}})));
    const json::Value taints = what["taints"].exists() ? json::Value(what["taints"]) : json::array();
    json::Value unschedulable =
        what["unschedulable"].exists() ? json::Value(what["unschedulable"]) : json::Value(false);
    nodes.patch({"", name}, client::Patch::merge(json::object(
                                {{"spec", json::object({{"taints", taints}, {"unschedulable", unschedulable}})}})));
  }

  void check(const std::string& name) {
    Checkpoint seen = observer_.look(name);
    std::erase_if(seen.lines, [&](const std::string& line) {
      return std::ranges::any_of(scenario_.varies,
                                 [&](const std::string& words) { return line.find(words) != std::string::npos; });
    });
    seen.lines.insert(seen.lines.end(), refusals_.begin(), refusals_.end());
    refusals_.clear();
    checkpoints_.push_back(std::move(seen));
  }

  void settle() {
    world_.settle([this] { return observer_.fingerprint(); });
    observer_.learn();
  }

  // For the scenarios that come after, on a cluster that many share.
  void clean_up() {
    pods_.free_all();
    for (const auto& [kind, name] : wide_) client_.dynamic(kind).delete_({"", name}, {.missing_is_fine = true});
    client_.dynamic(kind_of("Namespace")).delete_({"", scenario_.space}, {.missing_is_fine = true});
  }

  World& world_;
  client::Client& client_;
  const Scenario& scenario_;
  Observer observer_;
  Pods pods_;
  std::vector<Checkpoint> checkpoints_;
  std::vector<std::string> refusals_;
  std::vector<std::pair<kube::GroupVersionKind, std::string>> wide_;
};

}  // namespace

Scenario parse_scenario(const std::string& name, std::string_view text) {
  Scenario scenario{.name = name, .space = space_of(name)};
  scenario.script = json::parse_yaml(expanded(text, scenario.space));
  for (const json::View kind : scenario.script["kinds"].items()) scenario.kinds.emplace_back(kind.as_string());
  for (const json::View words : scenario.script["varies"].items()) scenario.varies.emplace_back(words.as_string());
  if (scenario.kinds.empty()) throw Error(name + ": says no kinds to look at");
  const json::View scheduler = scenario.script["scheduler"];
  scenario.scheduler = scheduler.is_bool() && scheduler.as_bool();
  return scenario;
}

std::vector<Checkpoint> run_scenario(World& world, const Scenario& scenario) {
  return ScenarioRun(world, scenario).run();
}

}  // namespace flyball::scenarios
