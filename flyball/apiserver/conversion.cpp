#include "flyball/apiserver/conversion.hpp"

#include <array>
#include <string>
#include <utility>

#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

using Node = json::Draft::Node;

void rename(Node object, std::string_view from, std::string_view to) {
  if (Node moved = object.erase(from)) object.set(to, moved);
}

// What Kubernetes keeps of v2 in an object of v1, and the other way round.
constexpr std::string_view kMetrics = "autoscaling.alpha.kubernetes.io/metrics";
constexpr std::string_view kCurrentMetrics = "autoscaling.alpha.kubernetes.io/current-metrics";
constexpr std::string_view kConditions = "autoscaling.alpha.kubernetes.io/conditions";
constexpr std::string_view kBehavior = "autoscaling.alpha.kubernetes.io/behavior";

bool is_cpu_utilization(json::View metric) {
  return metric["type"].string_or({}) == "Resource" && metric["resource"]["name"].string_or({}) == "cpu" &&
         metric["resource"]["target"]["averageUtilization"].exists();
}

void keep(Node metadata, std::string_view annotation, Node part) {
  if (part) metadata.ensure_object("annotations").set(annotation, json::write(part.value()));
}

void autoscaler_to_v1(Node root) {
  Node spec = root.ensure_object("spec");
  Node metadata = root.ensure_object("metadata");
  if (Node metrics = spec.erase("metrics")) {
    const json::Value all = metrics.value();
    if (all.size() == 1 && is_cpu_utilization(all[0])) {
      spec.set("targetCPUUtilizationPercentage", json::Value(all[0]["resource"]["target"]["averageUtilization"]));
    } else if (!all.empty()) {
      keep(metadata, kMetrics, metrics);
    }
  }
  keep(metadata, kBehavior, spec.erase("behavior"));
  Node status = root["status"];
  if (!status.is_object()) return;
  keep(metadata, kConditions, status.erase("conditions"));
  if (Node current = status.erase("currentMetrics"); current.is_array()) keep(metadata, kCurrentMetrics, current);
}

void bring_back(Node annotations, std::string_view annotation, Node to, std::string_view field) {
  if (Node kept = annotations.erase(annotation)) to.set(field, json::parse(kept.view().as_string()));
}

void autoscaler_to_v2(Node root) {
  Node spec = root.ensure_object("spec");
  if (Node percent = spec.erase("targetCPUUtilizationPercentage")) {
    const json::Value target =
        json::object({{"type", "Utilization"}, {"averageUtilization", json::Value(percent.view())}});
    spec.set("metrics",
             json::array({json::object(
                 {{"type", "Resource"}, {"resource", json::object({{"name", "cpu"}, {"target", target}})}})}));
  }
  Node annotations = root["metadata"]["annotations"];
  if (!annotations.is_object()) return;
  bring_back(annotations, kMetrics, spec, "metrics");
  bring_back(annotations, kBehavior, spec, "behavior");
  Node status = root.ensure_object("status");
  bring_back(annotations, kConditions, status, "conditions");
  bring_back(annotations, kCurrentMetrics, status, "currentMetrics");
  if (annotations.size() == 0) root["metadata"].erase("annotations");
}

using Names = std::pair<std::string_view, std::string_view>;
// core/v1 beside events.k8s.io/v1.
constexpr std::array<Names, 6> kEventFields = {{{"involvedObject", "regarding"},
                                                {"message", "note"},
                                                {"source", "deprecatedSource"},
                                                {"firstTimestamp", "deprecatedFirstTimestamp"},
                                                {"lastTimestamp", "deprecatedLastTimestamp"},
                                                {"count", "deprecatedCount"}}};

void event_to(Node root, bool new_group) {
  for (const auto& [old_name, new_name] : kEventFields) {
    rename(root, new_group ? old_name : new_name, new_group ? new_name : old_name);
  }
  if (new_group) {
    rename(root, "reportingComponent", "reportingController");
  } else {
    rename(root, "reportingController", "reportingComponent");
  }
}

}  // namespace

json::Value convert(json::View object, const Resource& to) {
  json::Draft draft{json::Value(object)};
  Node root = draft.root();
  root.set("apiVersion", to.api_version());
  if (to.group == "autoscaling" && to.kind == "HorizontalPodAutoscaler") {
    const bool from_v1 = object["apiVersion"].string_or({}) == "autoscaling/v1";
    if (from_v1 && to.version == "v2") autoscaler_to_v2(root);
    if (!from_v1 && to.version == "v1") autoscaler_to_v1(root);
  }
  if (to.kind == "Event" && (to.group.empty() || to.group == "events.k8s.io")) {
    const bool is_new = object["apiVersion"].string_or({}) == "events.k8s.io/v1";
    if (is_new == to.group.empty()) event_to(root, !to.group.empty());
  }
  return draft.build();
}

}  // namespace flyball::apiserver
