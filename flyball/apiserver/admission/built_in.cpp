#include "flyball/apiserver/admission/built_in.hpp"

#include <algorithm>
#include <array>

#include "flyball/apiserver/admission/limit_ranger.hpp"
#include "flyball/apiserver/auth/service_account.hpp"
#include "flyball/apiserver/refusal.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

constexpr std::int64_t kTolerationSeconds = 300;

// A pod leaves a node that is not ready or not reachable after five minutes, unless it says otherwise.
void add_toleration(core::PodSpec& spec, const std::string& key) {
  const auto tolerates = [&](const core::Toleration& one) {
    return (one.key == key || one.key.empty()) && (one.effect == "NoExecute" || one.effect.empty());
  };
  if (std::ranges::any_of(spec.tolerations, tolerates)) return;
  core::Toleration toleration{.key = key, .operator_ = "Exists", .effect = "NoExecute"};
  toleration.tolerationSeconds = kTolerationSeconds;
  spec.tolerations.push_back(std::move(toleration));
}

struct SystemClass {
  std::string_view name;
  std::int32_t value;
};
constexpr std::array<SystemClass, 2> kSystemClasses = {
    {{"system-cluster-critical", 2'000'000'000}, {"system-node-critical", 2'000'001'000}}};

// The value and the policy of the class a pod names, or of the one that is for all others.
void set_priority(Context& context, core::PodSpec& spec, const std::string& name) {
  std::int32_t value = 0;
  std::string policy = "PreemptLowerPriority";
  const auto take = [&](json::View found) {
    value = static_cast<std::int32_t>(found["value"].is_int() ? found["value"].as_int() : 0);
    policy = std::string(found["preemptionPolicy"].string_or("PreemptLowerPriority"));
  };
  const StoreKey key{"priorityclasses.scheduling.k8s.io", spec.priorityClassName};
  if (spec.priorityClassName.empty()) {
    for (const auto& [class_name, stored] : context.world.store.list(key.resource).items) {
      const json::Value one = json::parse(*stored.bytes);
      if (!one["globalDefault"].is_bool() || !one["globalDefault"].as_bool()) continue;
      spec.priorityClassName = class_name;
      take(one);
    }
  } else if (const auto stored = context.world.store.find(key)) {
    take(json::parse(*stored->bytes));
  } else {
    const auto system = std::ranges::find(kSystemClasses, spec.priorityClassName, &SystemClass::name);
    if (system == kSystemClasses.end()) {
      throw refuse::forbidden({"", "pods"}, name,
                              "no PriorityClass with name " + spec.priorityClassName + " was found");
    }
    value = system->value;
  }
  if (spec.priority && *spec.priority != value) {
    throw refuse::forbidden({"", "pods"}, name,
                            "the integer value of priority (" + std::to_string(*spec.priority) +
                                ") must not be provided in pod spec; priority admission controller computed " +
                                std::to_string(value) + " from the given PriorityClass name");
  }
  spec.priority = value;
  if (!spec.preemptionPolicy) spec.preemptionPolicy = policy;
}

// What is in use stays until nobody uses it; a node takes no pods before it is ready.
void protect(Object& object) {
  const std::string& shelf = object.resource().shelf;
  auto& finalizers = object.metadata().finalizers;
  const auto add = [&](const char* finalizer) {
    if (std::ranges::find(finalizers, finalizer) == finalizers.end()) finalizers.emplace_back(finalizer);
  };
  if (shelf == "persistentvolumeclaims") add("kubernetes.io/pvc-protection");
  if (shelf == "persistentvolumes") add("kubernetes.io/pv-protection");
  if (shelf != "nodes") return;
  auto& taints = object.as<core::Node>().spec.taints;
  const core::Taint not_ready{.key = "node.kubernetes.io/not-ready", .effect = "NoSchedule"};
  if (std::ranges::find(taints, not_ready) == taints.end()) taints.push_back(not_ready);
}

// A claim that names no class is of the default one, the newest where there are several.
void set_storage_class(Context& context, core::PersistentVolumeClaim& claim) {
  constexpr std::string_view kDefault = "storageclass.kubernetes.io/is-default-class";
  if (claim.spec.storageClassName || claim.metadata.annotations.contains("volume.beta.kubernetes.io/storage-class")) {
    return;
  }
  std::string newest;
  for (const auto& [name, stored] : context.world.store.list("storageclasses.storage.k8s.io").items) {
    const json::Value one = json::parse(*stored.bytes);
    if (one["metadata"]["annotations"][kDefault].string_or("") != "true") continue;
    const std::string made(one["metadata"]["creationTimestamp"].string_or(""));
    if (claim.spec.storageClassName && made < newest) continue;
    newest = made;
    claim.spec.storageClassName = name;
  }
}

}  // namespace

void change_built_in(Context& context, Object& object, const Object* old) {
  const Resource& resource = object.resource();
  set_limit_defaults(context, object, old);
  if (old != nullptr) return;
  protect(object);
  if (resource.shelf == "persistentvolumeclaims") set_storage_class(context, object.as<core::PersistentVolumeClaim>());
  if (resource.shelf != "pods" || !context.call.subresource.empty()) return;
  if (context.world.options.service_accounts) add_service_account(context, object.as<core::Pod>());
  core::PodSpec& spec = object.as<core::Pod>().spec;
  add_toleration(spec, "node.kubernetes.io/not-ready");
  add_toleration(spec, "node.kubernetes.io/unreachable");
  const auto& metadata = object.metadata();
  set_priority(context, spec, metadata.name.empty() ? metadata.generateName : metadata.name);
}

}  // namespace flyball::apiserver
