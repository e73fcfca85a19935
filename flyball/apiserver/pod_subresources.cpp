#include "flyball/apiserver/pod_subresources.hpp"

#include <algorithm>
#include <utility>

#include "flyball/apiserver/admission/admission.hpp"
#include "flyball/apiserver/decode.hpp"
#include "flyball/apiserver/kind_resource.hpp"
#include "flyball/apiserver/kinds/pod_subresources.hpp"
#include "flyball/apiserver/managed_fields.hpp"
#include "flyball/apiserver/options.hpp"
#include "flyball/apiserver/patches.hpp"
#include "flyball/apiserver/reads.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/apiserver/write_chain.hpp"
#include "flyball/apiserver/writes.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/policy/v1.hpp"
#include "flyball/kube/selector.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace policy = kube::policy::v1;

net::Response success(Context& context) {
  const json::Value status = json::object(
      {{"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", json::object()}, {"status", "Success"}, {"code", 201}});
  net::Response response = render_value(context.accept, 201, status);
  add_headers(context, response);
  return response;
}

void set_scheduled(core::Pod& pod, kube::Time now) {
  auto& conditions = pod.status.conditions;
  const auto found = std::ranges::find(conditions, "PodScheduled", &core::PodCondition::type);
  core::PodCondition scheduled{.type = "PodScheduled", .status = "True"};
  scheduled.lastTransitionTime = now;
  if (found == conditions.end()) {
    conditions.push_back(std::move(scheduled));
  } else {
    if (found->status == "True") scheduled.lastTransitionTime = found->lastTransitionTime;
    *found = std::move(scheduled);
  }
}

void bind(Context& context, core::Pod& pod, const core::Binding& binding) {
  const GroupName resource{"", "pods/binding"};
  if (pod.metadata.deletionTimestamp) {
    throw refuse::conflict(resource, pod.metadata.name,
                           "pod " + pod.metadata.name + " is being deleted, cannot be assigned to a host");
  }
  if (!pod.spec.nodeName.empty()) {
    throw refuse::conflict(resource, pod.metadata.name,
                           "pod " + pod.metadata.name + " is already assigned to node \"" + pod.spec.nodeName + "\"");
  }
  pod.spec.nodeName = binding.target.name;
  pod.status.nominatedNodeName.clear();
  for (const auto& [key, value] : binding.metadata.annotations) pod.metadata.annotations[key] = value;
  set_scheduled(pod, context.now());
}

void check_target(const core::Binding& binding) {
  Problems problems;
  const FieldPath at("target");
  const std::string& kind = binding.target.kind;
  if (!kind.empty() && kind != "Node") problems.not_supported(at.child("kind"), kind, {"Node", "<empty>"});
  if (binding.target.name.empty()) problems.required(at.child("name"));
  if (!problems.empty()) throw Refusal({.code = 500, .message = problems.text()}, {.present = false, .reason = false});
}

// The budgets that speak of a pod.
std::vector<Object> budgets_of(Context& context, const core::Pod& pod) {
  std::vector<Object> found;
  const ResourcePointer budgets = context.world.registry.find("policy", "v1", "poddisruptionbudgets");
  const std::string prefix = pod.metadata.namespace_ + "/";
  for (const auto& [key, stored] : context.world.store.list(budgets->shelf, {.prefix = prefix}).items) {
    Object object = Object::parse(budgets, *stored.bytes);
    const auto& selector = object.as<policy::PodDisruptionBudget>().spec.selector;
    if (!selector) continue;
    if (kube::Selector::from(selector->matchLabels, selector->matchExpressions).matches(pod.metadata.labels)) {
      found.push_back(std::move(object));
    }
  }
  return found;
}

Refusal disrupted(const Object& budget) {
  const auto& status = budget.as<policy::PodDisruptionBudget>().status;
  std::string why = "The disruption budget " + budget.metadata().name + " needs " +
                    std::to_string(status.desiredHealthy) + " healthy pods and has " +
                    std::to_string(status.currentHealthy) + " currently";
  int retry = 0;
  if (status.observedGeneration < budget.metadata().generation) {
    why = "The disruption budget " + budget.metadata().name + " is still being processed by the server.";
    retry = 10;
  }
  return refuse::too_many_requests("Cannot evict pod as it would violate the pod's disruption budget.", retry,
                                   {{.reason = "DisruptionBudget", .message = std::move(why), .field = {}}});
}

// One more disruption is counted; 429 when there is none left.
void take_disruption(Context& context, const Object& budget, const core::Pod& pod, bool dry_run) {
  const auto& status = budget.as<policy::PodDisruptionBudget>().status;
  if (status.observedGeneration < budget.metadata().generation || status.disruptionsAllowed <= 0) {
    throw disrupted(budget);
  }
  if (dry_run) return;
  Context own{.world = context.world, .call = context.call, .resource = budget.resource_pointer()};
  const UpdateRequest request{.name = budget.metadata().name, .part = Part::status};
  update_object(own, request, {.manager = "kube-apiserver"}, [&](const Object* live) {
    Object next = live->copy();
    auto& counted = next.as<policy::PodDisruptionBudget>().status;
    if (counted.disruptionsAllowed <= 0) throw disrupted(*live);
    --counted.disruptionsAllowed;
    counted.disruptedPods[pod.metadata.name] = context.now();
    return next;
  });
}

bool counts_for_budgets(const core::Pod& pod) {
  const std::string& phase = pod.status.phase;
  return !pod.metadata.deletionTimestamp && phase != "Succeeded" && phase != "Failed" && phase != "Pending";
}

}  // namespace

net::Response bind_named_pod(Context& context) {
  const Decoded body = decode_body(context.call, kind_resource("v1", "Binding"), FieldValidation::ignore);
  Call call = context.call;
  call.name = body.object.metadata().name;
  Context pod{.world = context.world,
              .call = call,
              .resource = context.world.registry.find("", "v1", "pods"),
              .accept = context.accept,
              .stop = context.stop};
  return bind_pod(pod);
}

net::Response bind_pod(Context& context) {
  const WriteOptions options = write_options(context.call, WriteKind::create);
  const ResourcePointer binding_kind = kind_resource("v1", "Binding");
  Decoded body = decode_body(context.call, binding_kind, options.validation);
  admit_part(context, body.object, nullptr);
  const auto& binding = body.object.as<core::Binding>();
  check_target(binding);
  // The binding is no write of the pod that its client made: nobody comes to own the node's name.
  update_object(context, {.name = context.call.name, .unchecked = true}, options, [&](const Object* live) {
    Object next = live->copy();
    bind(context, next.as<core::Pod>(), binding);
    return next;
  });
  return success(context);
}

namespace {

// The pod with the part that a subresource may change; nothing else of what was sent counts. Whoever sent it owns what
// they sent all the same, as upstream has it.
Object with_part(Context& context, const Object& live, Object sent) {
  auto& pod = sent.as<core::Pod>();
  const auto& old = live.as<core::Pod>();
  Problems problems;
  if (context.call.subresource == "ephemeralcontainers") {
    keep_all_but_ephemeral_containers(pod, old);
    validate_ephemeral_containers(pod, old, problems);
  } else {
    keep_all_but_resources(pod, old);
    validate_resize(pod, old, problems);
  }
  if (!problems.empty()) throw refuse::invalid(sent.resource().group_kind(), sent.metadata().name, problems);
  pod.metadata.generation = old.metadata.generation;
  if (!same_generation(sent, live)) ++pod.metadata.generation;
  return sent;
}

}  // namespace

net::Response answer_pod_part(Context& context) {
  if (context.call.verb == Verb::get) return get(context);
  const bool patching = context.call.verb == Verb::patch;
  std::optional<PatchBody> body;
  if (patching) body.emplace(read_patch(context));
  const bool applying = patching && body->is_apply();
  const WriteOptions options = write_options(context.call, !patching  ? WriteKind::update
                                                           : applying ? WriteKind::apply
                                                                      : WriteKind::patch);
  const UpdateRequest request{.name = context.call.name, .unchecked = true};
  const Written updated = update_object(context, request, options, [&](const Object* live) {
    if (applying)
      return with_part(context, *live, apply_fields(context, body->value(), live, options, context.call.subresource));
    Object sent = patching
                      ? decode_value(body->patched(context, live->value()), context.resource, options.validation).object
                      : decode_body(context.call, context.resource, options.validation).object;
    check_name(sent, context.call.name);
    set_defaults(sent);
    track_write(context, sent, live, options, context.call.subresource);
    return with_part(context, *live, std::move(sent));
  });
  return render_written(context, 200, updated);
}

net::Response evict_pod(Context& context) {
  const ResourcePointer eviction_kind = kind_resource("policy/v1", "Eviction");
  Decoded body = decode_body(context.call, eviction_kind, FieldValidation::ignore);
  if (body.object.metadata().name != context.call.name) {
    throw refuse::bad_request("name in URL does not match name in Eviction object");
  }
  admit_part(context, body.object, nullptr);
  const Object pod = Object::parse(context.resource, *load_text(context, context.call.name));
  json::Value options = body.object.value()["deleteOptions"];
  const bool dry_run = context.call.query["dryRun"] == "All" || !options["dryRun"].empty();
  if (counts_for_budgets(pod.as<core::Pod>())) {
    const std::vector<Object> budgets = budgets_of(context, pod.as<core::Pod>());
    if (budgets.size() > 1) {
      throw refuse::internal(
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
    }
    for (const Object& budget : budgets) take_disruption(context, budget, pod.as<core::Pod>(), dry_run);
  }
  net::Request request{.method = "DELETE", .target = context.call.request->target};
  request.target = "/api/v1/namespaces/" + context.call.namespace_ + "/pods/" + context.call.name;
  if (options.is_object()) request.body = json::write(options);
  const Call call(request, context.call.caller);
  Context deletion{.world = context.world, .call = call, .resource = context.resource, .admitted = true};
  if (!dry_run) remove(deletion);
  return success(context);
}

}  // namespace flyball::apiserver
