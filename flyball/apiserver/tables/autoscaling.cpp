// HorizontalPodAutoscalers in both versions, and scales.
#include <array>
#include <optional>

#include "flyball/apiserver/tables/rule.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::array kAutoscalerColumns = {
    kName, column("Reference"), column("Targets"), column("MinPods"), column("MaxPods"), column("Replicas"), kAge};

// Where a metric stands or shall stand.
struct Level {
  json::View average = {};
  json::View value = {};
  json::View utilization = {};  // in percent
};

struct Metric {
  std::string_view type = {};
  std::string_view name = {};  // of the resource
  Level target = {};
  std::optional<Level> current = {};
};

std::string_view member_of(std::string_view type) {
  if (type == "External") return "external";
  if (type == "Pods") return "pods";
  if (type == "Object") return "object";
  if (type == "Resource") return "resource";
  if (type == "ContainerResource") return "containerResource";
  return "";
}

std::string amount(json::View quantity) { return given(quantity) ? quantity_text(quantity) : "<nil>"; }

std::string percent(json::View utilization, std::string_view otherwise) {
  return given(utilization) ? std::to_string(number(utilization)) + "%" : std::string(otherwise);
}

constexpr std::string_view kUnknown = "<unknown>";

std::string resource_text(const Metric& metric) {
  std::string current(kUnknown);
  if (given(metric.target.average)) {
    if (metric.current) current = amount(metric.current->average);
    return std::string(metric.name) + ": " + current + "/" + amount(metric.target.average);
  }
  if (metric.current) current = percent(metric.current->utilization, kUnknown);
  return std::string(metric.name) + ": " + current + "/" + percent(metric.target.utilization, "<auto>");
}

// Of an object or of something outside the cluster.
std::string value_text(const Metric& metric) {
  std::string current(kUnknown);
  if (given(metric.target.average)) {
    if (metric.current && given(metric.current->average)) current = amount(metric.current->average);
    return current + "/" + amount(metric.target.average) + " (avg)";
  }
  if (metric.current) current = amount(metric.current->value);
  return current + "/" + amount(metric.target.value);
}

std::string metric_text(const Metric& metric) {
  if (metric.type == "Resource" || metric.type == "ContainerResource") return resource_text(metric);
  if (metric.type == "External" || metric.type == "Object") return value_text(metric);
  if (metric.type != "Pods") return "<unknown type>";
  return (metric.current ? amount(metric.current->average) : std::string(kUnknown)) + "/" +
         amount(metric.target.average);
}

std::string metrics_text(const std::vector<Metric>& metrics) {
  constexpr std::size_t kShown = 2;
  if (metrics.empty()) return "<none>";
  std::vector<std::string> parts;
  parts.reserve(metrics.size());
  for (const Metric& metric : metrics) parts.push_back(metric_text(metric));
  if (parts.size() <= kShown) return join(parts, ", ");
  return join({parts.begin(), parts.begin() + kShown}, ", ") + " + " + std::to_string(parts.size() - kShown) +
         " more...";
}

Level level_of(json::View level) {
  return {.average = level["averageValue"], .value = level["value"], .utilization = level["averageUtilization"]};
}

std::vector<Metric> metrics_of(json::View object) {
  std::vector<Metric> metrics;
  const json::View statuses = object["status"]["currentMetrics"];
  for (const json::View spec : object["spec"]["metrics"].items()) {
    const std::string_view type = text(spec["type"]);
    const json::View source = spec[member_of(type)];
    const json::View status = statuses[metrics.size()][member_of(type)];
    Metric metric{.type = type, .name = text(source["name"]), .target = level_of(source["target"])};
    if (given(status)) metric.current = level_of(status["current"]);
    metrics.push_back(metric);
  }
  return metrics;
}

json::Value autoscaler_row(json::View object, const std::vector<Metric>& metrics, WallTime now) {
  const json::View spec = object["spec"];
  const json::View target = spec["scaleTargetRef"];
  const std::string reference = std::string(text(target["kind"])) + "/" + std::string(text(target["name"]));
  return row(name_of(object), reference, metrics_text(metrics),
             given(spec["minReplicas"]) ? std::to_string(number(spec["minReplicas"])) : "<unset>",
             number(spec["maxReplicas"]), number(object["status"]["currentReplicas"]), age_of(object, now));
}

json::Value autoscaler_cells(json::View object, WallTime now) {
  return autoscaler_row(object, metrics_of(object), now);
}

// Version 1 knows the load of the processor only; what else there is travels in annotations, in words of its own. It
// forgets where the load stood among the metrics, and which amounts there were none of: kube-apiserver, which prints
// what it stored, then has another order, and "<nil>" for our "0".

json::Value annotated(json::View object, std::string_view key) {
  const std::string_view written = text(annotation(object, key));
  if (written.empty()) return json::Value().slice({});
  try {
    return json::parse(written);
  } catch (const Error&) {
    return json::Value().slice({});  // anybody may write an annotation
  }
}

Level old_target(json::View source, std::string_view type) {
  return {.average = type == "Object" ? source["averageValue"] : source["targetAverageValue"],
          .value = source["targetValue"],
          .utilization = source["targetAverageUtilization"]};
}

Level old_current(json::View status, std::string_view type) {
  return {.average = type == "Object" ? status["averageValue"] : status["currentAverageValue"],
          .value = status["currentValue"],
          .utilization = status["currentAverageUtilization"]};
}

std::optional<Level> old_current_at(json::View object, json::View statuses, std::size_t index, std::string_view type) {
  if (statuses.is_array()) {
    const json::View status = statuses[index][member_of(type)];
    return given(status) ? std::optional(old_current(status, type)) : std::nullopt;
  }
  const json::View load = object["status"]["currentCPUUtilizationPercentage"];
  if (!given(load) || index != 0 || type != "Resource") return std::nullopt;
  return Level{.utilization = load};
}

json::Value old_autoscaler_cells(json::View object, WallTime now) {
  const json::Value specs = annotated(object, "autoscaling.alpha.kubernetes.io/metrics");
  const json::Value statuses = annotated(object, "autoscaling.alpha.kubernetes.io/current-metrics");
  const json::Value usual_load = 80;
  std::vector<Metric> metrics;
  for (const json::View spec : specs.items()) {
    const std::string_view type = text(spec["type"]);
    const json::View source = spec[member_of(type)];
    metrics.push_back({.type = type,
                       .name = text(source["name"]),
                       .target = old_target(source, type),
                       .current = old_current_at(object, statuses, metrics.size(), type)});
  }
  json::View load = object["spec"]["targetCPUUtilizationPercentage"];
  if (!given(load) && metrics.empty()) load = usual_load;
  if (given(load)) {
    metrics.push_back({.type = "Resource",
                       .name = "cpu",
                       .target = {.utilization = load},
                       .current = old_current_at(object, statuses, metrics.size(), "Resource")});
  }
  return autoscaler_row(object, metrics, now);
}

constexpr std::array kScaleColumns = {column("Name"), column("Desired", "integer"), column("Available", "integer"),
                                      kAge};

json::Value scale_cells(json::View object, WallTime now) {
  return row(name_of(object), number(object["spec"]["replicas"]), number(object["status"]["replicas"]),
             age_of(object, now));
}

constexpr std::array kRules = {
    TableRule{.group = "autoscaling",
              .version = "v1",
              .kind = "HorizontalPodAutoscaler",
              .columns = kAutoscalerColumns,
              .cells = old_autoscaler_cells},
    TableRule{.group = "autoscaling",
              .kind = "HorizontalPodAutoscaler",
              .columns = kAutoscalerColumns,
              .cells = autoscaler_cells},
    TableRule{.group = "autoscaling", .kind = "Scale", .columns = kScaleColumns, .cells = scale_cells},
};

}  // namespace

std::span<const TableRule> autoscaling_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
