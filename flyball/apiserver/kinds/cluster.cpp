#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/cluster_validation.hpp"
#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/pod_defaults.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/events/v1.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace events = kube::events::v1;

class NamespaceRules final : public RulesFor<core::Namespace> {
 public:
  Traits traits() const override { return {.name = kube::names::dns1123_label, .fields = {"status.phase"}}; }
  void set_defaults(core::Namespace& object) const override {
    if (!object.metadata.name.empty()) name_label(object);
    if (object.status.phase.empty()) object.status.phase = "Active";
  }
  void prepare_create(core::Namespace& object) const override {
    object.status = {};
    object.status.phase = "Active";
    std::vector<std::string>& finalizers = object.spec.finalizers;
    if (std::ranges::find(finalizers, "kubernetes") == finalizers.end()) finalizers.emplace_back("kubernetes");
    name_label(object);  // the name may have been generated since
  }
  void prepare_update(core::Namespace& object, const core::Namespace& old) const override {
    object.spec.finalizers = old.spec.finalizers;
    object.status = old.status;
    name_label(object);
  }
  void validate(const core::Namespace& object, Problems& problems) const override {
    validate_namespace(object, problems);
  }
  void validate_update(const core::Namespace& /*object*/, const core::Namespace& /*old*/,
                       Problems& /*problems*/) const override {}
  void validate_status(const core::Namespace& object, const core::Namespace& /*old*/,
                       Problems& problems) const override {
    const char* phase = object.metadata.deletionTimestamp ? "Terminating" : "Active";
    if (object.status.phase == phase) return;
    problems.invalid(FieldPath("status").child("Phase"), object.status.phase,
                     object.metadata.deletionTimestamp ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
                                                       : "may only be 'Active' if `deletionTimestamp` is empty");
  }

 private:
  static void name_label(core::Namespace& object) {
    object.metadata.labels["kubernetes.io/metadata.name"] = object.metadata.name;
  }
};

class NodeRules final : public RulesFor<core::Node> {
 public:
  Traits traits() const override { return {.fields = {"spec.unschedulable"}}; }
  void set_defaults(core::Node& node) const override {
    // The first range stands in two fields; the older one wins when they differ.
    core::NodeSpec& spec = node.spec;
    if (!spec.podCIDR.empty() && (spec.podCIDRs.empty() || spec.podCIDRs[0] != spec.podCIDR)) {
      spec.podCIDRs = {spec.podCIDR};
    }
    if (!spec.podCIDRs.empty()) spec.podCIDR = spec.podCIDRs[0];
    if (node.status.allocatable.empty()) node.status.allocatable = node.status.capacity;
    default_resources(node.status.capacity);
    default_resources(node.status.allocatable);
  }
  // A kubelet registers itself with its status; only the field for its configuration is gone.
  void prepare_create(core::Node& node) const override {
    node.spec.configSource.reset();
    node.status.config.reset();
  }
  void prepare_update(core::Node& node, const core::Node& old) const override {
    node.status = old.status;
    if (!old.spec.configSource) node.spec.configSource.reset();
  }
  void prepare_status(core::Node& node, const core::Node& old) const override {
    node.spec = old.spec;
    if (!old.status.config) node.status.config.reset();
  }
  void validate(const core::Node& object, Problems& problems) const override { validate_node(object, problems); }
  void validate_update(const core::Node& node, const core::Node& old, Problems& problems) const override {
    validate_node_update(node, old, problems);
  }
};

class EventRules final : public RulesFor<core::Event> {
 public:
  Traits traits() const override {
    return {.name = kube::names::path_segment,
            .create_on_update = true,
            .fields = {"involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid",
                       "involvedObject.apiVersion", "involvedObject.resourceVersion", "involvedObject.fieldPath",
                       "reason", "reportingComponent", "source", "type"}};
  }
  void validate(const core::Event& object, Problems& problems) const override { validate_event(object, problems); }
};

// The same objects under the names of events.k8s.io.
class NewEventRules final : public RulesFor<events::Event> {
 public:
  Traits traits() const override {
    return {
        .create_on_update = true,
        .fields = {"regarding.kind", "regarding.namespace", "regarding.name", "regarding.uid", "regarding.apiVersion",
                   "regarding.resourceVersion", "regarding.fieldPath", "reason", "reportingController", "type"}};
  }
  void validate(const events::Event& object, Problems& problems) const override { validate_event(object, problems); }
  void validate_update(const events::Event& event, const events::Event& old, Problems& problems) const override {
    validate_event_update(event, old, problems);
  }
};

void add_missing(ResourceList& to, const ResourceList& from) { to.insert(from.begin(), from.end()); }

class LimitRangeRules final : public RulesFor<core::LimitRange> {
 public:
  Traits traits() const override { return {.create_on_update = true}; }
  void set_defaults(core::LimitRange& range) const override {
    for (core::LimitRangeItem& item : range.spec.limits) {
      if (item.type == "Container") {
        add_missing(item.default_, item.max);
        add_missing(item.defaultRequest, item.default_);
        add_missing(item.defaultRequest, item.min);
      }
      for (ResourceList* list :
           {&item.max, &item.min, &item.default_, &item.defaultRequest, &item.maxLimitRequestRatio}) {
        default_resources(*list);
      }
    }
  }
  void validate(const core::LimitRange& object, Problems& problems) const override {
    validate_limit_range(object, problems);
  }
};

class ResourceQuotaRules final : public RulesFor<core::ResourceQuota> {
 public:
  void set_defaults(core::ResourceQuota& quota) const override {
    default_resources(quota.spec.hard);
    default_resources(quota.status.hard);
    default_resources(quota.status.used);
  }
  void validate(const core::ResourceQuota& object, Problems& problems) const override {
    validate_quota(object, problems);
  }
  void validate_update(const core::ResourceQuota& quota, const core::ResourceQuota& old,
                       Problems& problems) const override {
    validate(quota, problems);
    const std::set<std::string> scopes(quota.spec.scopes.begin(), quota.spec.scopes.end());
    if (scopes == std::set<std::string>(old.spec.scopes.begin(), old.spec.scopes.end())) return;
    problems.invalid(FieldPath("spec").child("scopes"), shown(quota.spec.scopes), kImmutable);
  }
};

}  // namespace

std::span<const RulesOfKind> cluster_kinds() {
  static const NamespaceRules namespace_rules;
  static const NodeRules node_rules;
  static const EventRules event_rules;
  static const NewEventRules new_event_rules;
  static const LimitRangeRules limit_range_rules;
  static const ResourceQuotaRules quota_rules;
  static const std::array kinds = {RulesOfKind{"v1", "Namespace", &namespace_rules},
                                   RulesOfKind{"v1", "Node", &node_rules},
                                   RulesOfKind{"v1", "Event", &event_rules},
                                   RulesOfKind{"events.k8s.io/v1", "Event", &new_event_rules},
                                   RulesOfKind{"v1", "LimitRange", &limit_range_rules},
                                   RulesOfKind{"v1", "ResourceQuota", &quota_rules}};
  return kinds;
}

}  // namespace flyball::apiserver
