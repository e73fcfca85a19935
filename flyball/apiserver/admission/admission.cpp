#include "flyball/apiserver/admission/admission.hpp"

#include <algorithm>
#include <array>

#include "flyball/apiserver/admission/built_in.hpp"
#include "flyball/apiserver/admission/limit_ranger.hpp"
#include "flyball/apiserver/admission/pod_security.hpp"
#include "flyball/apiserver/admission/webhooks.hpp"
#include "flyball/apiserver/refusal.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::apiserver {
namespace {

// The server itself: nobody is asked about what every cluster has.
bool is_asked_about(const Context& context) {
  return WebhookBook::any(context.world.store) && !context.admitted &&
         context.call.caller.common_name != "system:apiserver";
}

// What is written through these is of another kind, and was judged as that.
bool is_judged_elsewhere(const Context& context) {
  constexpr std::array<std::string_view, 4> kOthers = {"scale", "binding", "eviction", "token"};
  return std::ranges::find(kOthers, context.call.subresource) != kOthers.end() ||
         context.call.resource != context.resource->plural;
}

json::Value options_of(const DeleteOptions& options) {
  json::Builder to;
  to.begin_object();
  to.key("kind").string("DeleteOptions");
  to.key("apiVersion").string("meta.k8s.io/v1");
  if (options.grace) to.key("gracePeriodSeconds").integer(*options.grace);
  if (options.uid || options.resource_version) {
    to.key("preconditions").begin_object();
    if (options.uid) to.key("uid").string(*options.uid);
    if (options.resource_version) to.key("resourceVersion").string(*options.resource_version);
    to.end();
  }
  if (options.orphan) to.key("orphanDependents").boolean(*options.orphan);
  if (!options.propagation.empty()) to.key("propagationPolicy").string(options.propagation);
  if (options.dry_run) to.key("dryRun").begin_array().string("All").end();
  to.end();
  return to.finish();
}

// Three namespaces cannot be deleted.
void keep_namespaces(const Context& context, const Object& old) {
  const Resource& resource = *context.resource;
  if (resource.shelf != "namespaces") return;
  const std::string& name = old.metadata().name;
  if (name == "default" || name == "kube-system" || name == "kube-public") {
    throw refuse::forbidden(resource.group_resource(), name, "this namespace may not be deleted");
  }
}

}  // namespace

void check_namespace_lives(Context& context, const std::string& object) {
  if (!context.resource->namespaced) return;
  const std::string& name = context.call.namespace_;
  const auto stored = context.world.store.find({"namespaces", name});
  if (!stored) throw refuse::not_found({"", "namespaces"}, name);
  const json::Value space = json::parse(*stored->bytes);
  if (space["status"]["phase"].string_or({}) != "Terminating") return;
  // Reviews say what is allowed, also of what ends.
  throw refuse::forbidden(context.resource->group_resource(), object,
                          "unable to create new content in namespace " + name + " because it is being terminated",
                          {{.reason = "NamespaceTerminating",
                            .message = "namespace " + name + " is being terminated",
                            .field = "metadata.namespace"}});
}

void mutate(Context& context, Object& object, const Object* old) {
  const auto operation = old == nullptr ? Operation::create : Operation::update;
  change_built_in(context, object, old);
  if (!is_asked_about(context) || is_judged_elsewhere(context)) return;
  Reinvocation rounds;
  const auto ask = [&] {
    Attributes asked = attributes_of(context, operation, &object, old);
    run_mutating_webhooks(context, asked, rounds);
  };
  ask();
  if (!rounds.wanted) return;
  rounds.again = true;
  change_built_in(context, object, old);
  ask();
}

void admit(Context& context, Object& object, const Object* old) {
  check_limits(context, object, old);
  check_pod_security(context, object, old);
  if (!is_asked_about(context) || is_judged_elsewhere(context)) return;
  const auto operation = old == nullptr ? Operation::create : Operation::update;
  run_validating_webhooks(context, attributes_of(context, operation, &object, old));
}

void admit_removal(Context& context, const Object& old, const DeleteOptions& options) {
  keep_namespaces(context, old);
  if (!is_asked_about(context)) return;
  Attributes asked{.operation = Operation::remove,
                   .resource = context.resource,
                   .namespace_ = context.call.namespace_,
                   .name = context.call.name,
                   .old = &old,
                   .options = options_of(options),
                   .dry_run = options.dry_run};
  if (context.resource->shelf == "namespaces") asked.namespace_ = old.metadata().name;
  Reinvocation rounds;
  run_mutating_webhooks(context, asked, rounds);
  run_validating_webhooks(context, asked);
}

void admit_part(Context& context, Object& part, const Object* old) {
  if (!is_asked_about(context)) return;
  const auto operation = old == nullptr ? Operation::create : Operation::update;
  Attributes asked = attributes_of(context, operation, &part, old);
  Reinvocation rounds;
  run_mutating_webhooks(context, asked, rounds);
  if (rounds.wanted) {
    rounds.again = true;
    run_mutating_webhooks(context, asked, rounds);
  }
  run_validating_webhooks(context, asked);
}

}  // namespace flyball::apiserver
