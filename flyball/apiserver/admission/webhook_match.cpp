#include "flyball/apiserver/admission/webhook_match.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "flyball/json/parse.hpp"

namespace flyball::apiserver {
namespace {

using Rule = kube::admissionregistration::v1::RuleWithOperations;

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::any_of(words, [&](const std::string& each) { return each == "*" || each == word; });
}

bool names_resource(const Rule& rule, std::string_view plural, std::string_view subresource) {
  return std::ranges::any_of(rule.resources, [&](std::string_view each) {
    const std::size_t slash = each.find('/');
    const std::string_view resource = each.substr(0, slash);
    const std::string_view sub = slash == std::string_view::npos ? std::string_view() : each.substr(slash + 1);
    return (resource == "*" || resource == plural) && (sub == "*" || sub == subresource);
  });
}

bool in_scope(const Rule& rule, const Attributes& asked) {
  if (!rule.scope || *rule.scope == "*") return true;
  const bool namespaced = asked.resource->shelf != "namespaces" && !asked.namespace_.empty();
  return namespaced == (*rule.scope == "Namespaced");
}

bool matches(const Rule& rule, const Attributes& asked, const Resource& resource) {
  return has(rule.operations, to_string(asked.operation)) && has(rule.apiGroups, resource.group) &&
         has(rule.apiVersions, resource.version) && names_resource(rule, resource.plural, asked.subresource) &&
         in_scope(rule, asked);
}

ResourcePointer match_rules(const World& world, const Webhook& hook, const Attributes& asked) {
  for (const Rule& rule : hook.rules) {
    if (matches(rule, asked, *asked.resource)) return asked.resource;
  }
  if (!hook.equivalent) return nullptr;
  const std::vector<ResourcePointer> all = world.registry.all();
  for (const Rule& rule : hook.rules) {
    for (const ResourcePointer& other : all) {
      if (other->shelf != asked.resource->shelf || other == asked.resource) continue;
      if (!asked.subresource.empty() && other->subresource(asked.subresource) == nullptr) continue;
      if (matches(rule, asked, *other)) return other;
    }
  }
  return nullptr;
}

bool in_namespaces(const World& world, const Webhook& hook, const Attributes& asked) {
  const bool is_namespace = asked.resource->shelf == "namespaces";
  if (asked.namespace_.empty() && !is_namespace) return true;
  // A namespace that is written is judged by what it will be.
  if (is_namespace && asked.subresource.empty() && asked.object != nullptr) {
    return hook.namespaces.matches(asked.object->metadata().labels);
  }
  const auto stored = world.store.find({"namespaces", asked.namespace_});
  if (!stored) throw refuse::not_found({"", "namespaces"}, asked.namespace_);
  const json::Value space = json::parse(*stored->bytes);
  Labels labels;
  for (const auto [key, value] : space["metadata"]["labels"].entries()) labels[std::string(key)] = value.string_or({});
  return hook.namespaces.matches(labels);
}

bool selects(const Webhook& hook, const Object* object) {
  return object != nullptr && hook.objects.matches(object->metadata().labels);
}

}  // namespace

bool is_exempt(const Resource& resource) {
  return resource.group == "admissionregistration.k8s.io" &&
         (resource.kind.ends_with("WebhookConfiguration") ||
          resource.kind.find("AdmissionPolicy") != std::string::npos);
}

ResourcePointer match_webhook(const World& world, const Webhook& hook, const Attributes& asked) {
  const bool everything = hook.objects == kube::Selector();
  if (!everything && !selects(hook, asked.object) && !selects(hook, asked.old)) return nullptr;
  ResourcePointer resource = match_rules(world, hook, asked);
  if (resource == nullptr) return nullptr;
  if (hook.namespaces != kube::Selector() && !in_namespaces(world, hook, asked)) return nullptr;
  return resource;
}

bool conditions_hold(const World& world, const Webhook& hook, const Attributes& asked, const json::Value& request) {
  if (hook.conditions.empty()) return true;
  try {
    if (!world.options.webhooks.match) {
      throw Error("the matchConditions of webhook \"" + hook.name +
                  "\" cannot be evaluated: this server was built without CEL");
    }
    return world.options.webhooks.match({.conditions = hook.conditions, .request = request});
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    world.options.log.warn("cannot evaluate the match conditions of a webhook", "webhook", hook.name, "error",
                           error.what());
    if (hook.ignores_failure) return false;
    throw refuse::forbidden(asked.resource->group_resource(), asked.name, error.what());
  }
}

}  // namespace flyball::apiserver
