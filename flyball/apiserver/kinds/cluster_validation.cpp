#include "flyball/apiserver/kinds/cluster_validation.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"
#include "flyball/apiserver/kinds/pod_resources.hpp"
#include "flyball/apiserver/kinds/service_validation.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace events = kube::events::v1;
namespace names = kube::names;

constexpr std::size_t kLongestWord = 128;
constexpr std::size_t kLongestNote = 1024;
constexpr std::string_view kPodCidrKept = "node updates may not change podCIDR except from \"\" to valid";

void check_taints(const std::vector<core::Taint>& taints, Problems& problems) {
  const FieldPath at = FieldPath("metadata").child("taints");  // its real place is the spec's; the server says this
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < taints.size(); ++i) {
    const core::Taint& taint = taints[i];
    const FieldPath here = at.index(i);
    check_name(taint.key, names::label_key, here.child("key"), problems);
    std::string all;
    for (const std::string& message : names::label_value(taint.value))
      all.append(all.empty() ? "" : ";").append(message);
    if (!all.empty()) problems.invalid(here.child("value"), taint.value, all);
    if (taint.effect.empty()) {
      problems.required(here.child("effect"));
    } else {
      check_taint_effect(taint.effect, here.child("effect"), problems);
    }
    if (seen.emplace(taint.key, taint.effect).second) continue;
    const json::Value shown_taint =
        json::object({{"Key", taint.key}, {"Value", taint.value}, {"Effect", taint.effect}, {"TimeAdded", nullptr}});
    problems.add(
        Problem::Kind::duplicate, here,
        joined({"Duplicate value: ", json::write(shown_taint), ": taints must be unique by key and effect pair"}));
  }
}

void check_word(const std::string& word, std::string_view field, Problems& problems) {
  if (word.empty()) problems.required(FieldPath(field));
  if (word.size() > kLongestWord) {
    problems.invalid(FieldPath(field), "", "can have at most 128 characters");
  }
}

// What the two kinds of events have in common, under the names of the one in question.
struct EventFacts {
  std::string_view controller_field;
  const std::string& about_namespace;
  const std::string& event_namespace;
  const std::string& controller;
  const std::string& instance;
  const std::string& action;
  const std::string& reason;
  const std::string& message;
  bool timed = false;
};

void check_event(const EventFacts& event, Problems& problems) {
  const FieldPath about = FieldPath("involvedObject").child("namespace");
  constexpr std::string_view kOther = "does not match event.namespace";
  const std::string& space = event.event_namespace;
  if (!event.timed) {
    const bool fits =
        event.about_namespace.empty() ? space.empty() || space == "default" : space == event.about_namespace;
    if (!fits) problems.invalid(about, event.about_namespace, kOther);
  } else {
    if (event.about_namespace.empty() && space != "default" && space != "kube-system") {
      problems.invalid(about, event.about_namespace, kOther);
    }
    const FieldPath controller(event.controller_field);
    if (event.controller.empty()) problems.required(controller);
    check_name(event.controller, names::qualified_name, controller, problems);
    check_word(event.instance, "reportingInstance", problems);
    check_word(event.action, "action", problems);
    check_word(event.reason, "reason", problems);
    if (event.message.size() > kLongestNote) {
      problems.invalid(FieldPath("message"), "", "can have at most 1024 characters");
    }
  }
  check_name(space, names::dns1123_subdomain, FieldPath("namespace"), problems);
}

void check_series(const events::Event& event, Problems& problems) {
  if (!event.series) return;
  if (event.series->count < 2) problems.invalid(FieldPath("series.count"), "", "should be at least 2");
  if (event.series->lastObservedTime == kube::MicroTime()) problems.required(FieldPath("series.lastObservedTime"));
}

void check_limit_names(const ResourceList& list, const std::string& type, const FieldPath& at, Problems& problems) {
  for (const auto& [name, amount] : list) {
    if (type == "Pod" || type == "Container") {
      check_container_resource_name(name, at.key(name), problems);
    } else {
      check_resource_name(name, at.key(name), problems);
    }
  }
}

class Limits {
 public:
  Limits(const core::LimitRangeItem& item, const FieldPath& at, Problems& problems)
      : item_(item), at_(at), problems_(problems) {}

  void check() {
    check_limit_names(item_.max, item_.type, at_.child("max"), problems_);
    check_limit_names(item_.min, item_.type, at_.child("min"), problems_);
    const bool of_pod = item_.type == "Pod";
    if (of_pod) {
      constexpr std::string_view kWhy = "may not be specified when `type` is 'Pod'";
      if (!item_.default_.empty()) problems_.forbidden(at_.child("default"), kWhy);
      if (!item_.defaultRequest.empty()) problems_.forbidden(at_.child("defaultRequest"), kWhy);
    } else {
      check_limit_names(item_.default_, item_.type, at_.child("default"), problems_);
      check_limit_names(item_.defaultRequest, item_.type, at_.child("defaultRequest"), problems_);
    }
    if (item_.type == "PersistentVolumeClaim" && !item_.min.contains("storage") && !item_.max.contains("storage")) {
      problems_.required(at_.child("limits"),
                         "either minimum or maximum storage value is required, but neither was provided");
    }
    check_limit_names(item_.maxLimitRequestRatio, item_.type, at_.child("maxLimitRequestRatio"), problems_);
    for (const std::string& name : names_of()) check_order(name, of_pod);
  }

 private:
  std::set<std::string> names_of() const {
    std::set<std::string> all;
    for (const ResourceList* list :
         {&item_.max, &item_.min, &item_.default_, &item_.defaultRequest, &item_.maxLimitRequestRatio}) {
      for (const auto& [name, amount] : *list) all.insert(name);
    }
    return all;
  }
  static const kube::Quantity* find(const ResourceList& list, const std::string& name) {
    const auto found = list.find(name);
    return found == list.end() ? nullptr : &found->second;
  }
  // `low` must not be above `high`.
  void order(const kube::Quantity* low, const kube::Quantity* high, const char* low_name, const char* high_name,
             const FieldPath& at, const kube::Quantity* shown_one) {
    if (low == nullptr || high == nullptr || *low <= *high) return;
    problems_.invalid(
        at, shown_one->to_string(),
        std::string(low_name) + " " + low->to_string() + " is greater than " + high_name + " " + high->to_string());
  }
  void check_order(const std::string& name, bool of_pod) {
    const kube::Quantity* min = find(item_.min, name);
    const kube::Quantity* max = find(item_.max, name);
    const kube::Quantity* limit = of_pod ? nullptr : find(item_.default_, name);
    const kube::Quantity* request = of_pod ? nullptr : find(item_.defaultRequest, name);
    const FieldPath at_request = at_.child("defaultRequest").key(name);
    const FieldPath at_default = at_.child("default").key(name);
    order(min, max, "min value", "max value", at_.child("min").key(name), min);
    order(min, request, "min value", "default request value", at_request, request);
    order(request, max, "default request value", "max value", at_request, request);
    order(request, limit, "default request value", "default limit value", at_request, request);
    order(min, limit, "min value", "default value", at_default, min);
    order(limit, max, "default value", "max value", at_default, max);
    const kube::Quantity* ratio = find(item_.maxLimitRequestRatio, name);
    if (ratio != nullptr && *ratio < kube::Quantity(1)) {
      problems_.invalid(at_.child("maxLimitRequestRatio").key(name), ratio->to_string(),
                        "ratio " + ratio->to_string() + " is less than 1");
    }
  }

  const core::LimitRangeItem& item_;
  const FieldPath& at_;
  Problems& problems_;
};

bool is_quota_resource(std::string_view name) {
  static constexpr std::array<std::string_view, 20> kNames = {"cpu",
                                                              "memory",
                                                              "ephemeral-storage",
                                                              "requests.cpu",
                                                              "requests.memory",
                                                              "requests.storage",
                                                              "requests.ephemeral-storage",
                                                              "limits.cpu",
                                                              "limits.memory",
                                                              "limits.ephemeral-storage",
                                                              "pods",
                                                              "resourcequotas",
                                                              "services",
                                                              "replicationcontrollers",
                                                              "secrets",
                                                              "persistentvolumeclaims",
                                                              "configmaps",
                                                              "services.nodeports",
                                                              "services.loadbalancers",
                                                              "storage"};
  return (name != "storage" && std::ranges::find(kNames, name) != kNames.end()) || is_huge_page(name) ||
         name.starts_with("requests.hugepages-");
}

// Scopes choose pods: a quota of anything else cannot have one, and pods of best effort have nothing but their number.
bool fits_scope(std::string_view scope, std::string_view resource) {
  if (scope == "BestEffort") return resource == "pods";
  static constexpr std::array<std::string_view, 9> kOfPods = {"pods",
                                                              "cpu",
                                                              "memory",
                                                              "ephemeral-storage",
                                                              "requests.cpu",
                                                              "requests.memory",
                                                              "limits.cpu",
                                                              "limits.memory",
                                                              "requests.ephemeral-storage"};
  return std::ranges::find(kOfPods, resource) != kOfPods.end() || resource == "limits.ephemeral-storage";
}

void check_scopes(const core::ResourceQuotaSpec& spec, const FieldPath& at, Problems& problems) {
  static constexpr std::array<std::string_view, 6> kScopes = {
      "Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity"};
  for (const std::string& scope : spec.scopes) {
    if (std::ranges::find(kScopes, scope) == kScopes.end()) {
      problems.invalid(at, shown(spec.scopes), "unsupported scope");
      continue;
    }
    for (const auto& [name, amount] : spec.hard) {
      if (!is_quota_resource(name) || fits_scope(scope, name)) continue;
      problems.invalid(at, shown(spec.scopes), "unsupported scope applied to resource");
    }
  }
  const auto has = [&](std::string_view scope) { return std::ranges::find(spec.scopes, scope) != spec.scopes.end(); };
  if (has("BestEffort") && has("NotBestEffort")) problems.invalid(at, shown(spec.scopes), "conflicting scopes");
  if (has("Terminating") && has("NotTerminating")) problems.invalid(at, shown(spec.scopes), "conflicting scopes");
}

}  // namespace

void validate_namespace(const core::Namespace& object, Problems& problems) {
  const FieldPath at = FieldPath("spec").child("finalizers");
  for (const std::string& finalizer : object.spec.finalizers) {
    check_name(finalizer, names::qualified_name, at, problems);
    if (finalizer.find('/') == std::string::npos && finalizer != "kubernetes" && finalizer != "orphan" &&
        finalizer != "foregroundDeletion") {
      problems.invalid(at, finalizer, "name is neither a standard finalizer name nor is it fully qualified");
    }
  }
}

void validate_node(const core::Node& node, Problems& problems) {
  check_taints(node.spec.taints, problems);
  const FieldPath at = FieldPath("spec").child("podCIDRs");
  for (std::size_t i = 0; i < node.spec.podCIDRs.size(); ++i) check_cidr(node.spec.podCIDRs[i], at.index(i), problems);
}

void validate_node_update(const core::Node& node, const core::Node& old, Problems& problems) {
  const FieldPath at("spec");
  const FieldPath addresses = FieldPath("status").child("addresses");
  for (std::size_t i = 0; i < node.status.addresses.size(); ++i) {
    const auto end = node.status.addresses.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(node.status.addresses.begin(), end, node.status.addresses[i]) == end) continue;
    problems.duplicate(addresses.index(i), json::object({{"Type", node.status.addresses[i].type},
                                                         {"Address", node.status.addresses[i].address}}));
  }
  if (!old.spec.podCIDRs.empty() && old.spec.podCIDRs != node.spec.podCIDRs) {
    problems.forbidden(at.child("podCIDRs"), kPodCidrKept);
  }
  if (!old.spec.providerID.empty() && old.spec.providerID != node.spec.providerID) {
    problems.forbidden(at.child("providerID"), "node updates may not change providerID except from \"\" to valid");
  }
  check_taints(node.spec.taints, problems);
  if (node.spec.externalID != old.spec.externalID) {
    problems.forbidden(at.child("externalID"), "may not be updated");
  }
}

void validate_event(const core::Event& event, Problems& problems) {
  check_event({.controller_field = "reportingComponent",
               .about_namespace = event.involvedObject.namespace_,
               .event_namespace = event.metadata.namespace_,
               .controller = event.reportingComponent,
               .instance = event.reportingInstance,
               .action = event.action,
               .reason = event.reason,
               .message = event.message,
               .timed = event.eventTime != kube::MicroTime()},
              problems);
}

void validate_event(const events::Event& event, Problems& problems) {
  const bool timed = event.eventTime != kube::MicroTime();
  check_event({.controller_field = "reportingController",
               .about_namespace = event.regarding.namespace_,
               .event_namespace = event.metadata.namespace_,
               .controller = event.reportingController,
               .instance = event.reportingInstance,
               .action = event.action,
               .reason = event.reason,
               .message = event.note,
               .timed = timed},
              problems);
  check_series(event, problems);
  if (!timed) problems.required(FieldPath("eventTime"));
  if (event.type != "Normal" && event.type != "Warning") {
    problems.invalid(FieldPath("type"), "", "has invalid value: " + event.type);
  }
  constexpr std::string_view kUnset = "needs to be unset";
  if (event.deprecatedFirstTimestamp != kube::Time()) problems.invalid(FieldPath("firstTimestamp"), "", kUnset);
  if (event.deprecatedLastTimestamp != kube::Time()) problems.invalid(FieldPath("lastTimestamp"), "", kUnset);
  if (event.deprecatedCount != 0) problems.invalid(FieldPath("count"), "", kUnset);
  if (event.deprecatedSource != core::EventSource()) problems.invalid(FieldPath("source"), "", kUnset);
}

void validate_event_update(const events::Event& event, const events::Event& old, Problems& problems) {
  if (event.series != old.series) check_series(event, problems);
  const auto keep = [&](const std::string& value, const std::string& before, std::string_view field) {
    check_immutable(value, before, FieldPath(field), problems);
  };
  if (event.regarding != old.regarding) {
    const core::ObjectReference& about = event.regarding;
    problems.invalid(FieldPath("involvedObject"),
                     json::object({{"Kind", about.kind},
                                   {"Namespace", about.namespace_},
                                   {"Name", about.name},
                                   {"UID", about.uid},
                                   {"APIVersion", about.apiVersion},
                                   {"ResourceVersion", about.resourceVersion},
                                   {"FieldPath", about.fieldPath}}),
                     kImmutable);
  }
  keep(event.reason, old.reason, "reason");
  keep(event.note, old.note, "message");
  keep(event.type, old.type, "type");
  check_immutable(event.eventTime, old.eventTime, FieldPath("eventTime"), problems);
  keep(event.action, old.action, "action");
  keep(event.reportingController, old.reportingController, "reportingController");
  keep(event.reportingInstance, old.reportingInstance, "reportingInstance");
}

void validate_limit_range(const core::LimitRange& range, Problems& problems) {
  std::set<std::string> seen;
  const FieldPath at = FieldPath("spec").child("limits");
  for (std::size_t i = 0; i < range.spec.limits.size(); ++i) {
    const core::LimitRangeItem& item = range.spec.limits[i];
    const FieldPath here = at.index(i);
    check_name(item.type, names::qualified_name, here.child("type"), problems);
    const bool standard = item.type == "Pod" || item.type == "Container" || item.type == "PersistentVolumeClaim";
    if (!standard && item.type.find('/') == std::string::npos && names::qualified_name(item.type).empty()) {
      problems.invalid(here.child("type"), item.type, "must be a standard limit type or fully qualified");
    }
    if (!seen.insert(item.type).second) problems.duplicate(here.child("type"), item.type);
    Limits(item, here, problems).check();
  }
}

void validate_quota(const core::ResourceQuota& quota, Problems& problems) {
  const FieldPath hard = FieldPath("spec").child("hard");
  for (const auto& [name, amount] : quota.spec.hard) {
    check_resource_name(name, hard.key(name), problems);
    if (name.find('/') == std::string::npos && !is_quota_resource(name)) {
      problems.invalid(hard.key(name), name, "must be a standard resource for quota");
    }
    check_quantity(name, amount, hard.key(name), problems);
  }
  check_scopes(quota.spec, FieldPath("spec").child("scopes"), problems);
}

}  // namespace flyball::apiserver
