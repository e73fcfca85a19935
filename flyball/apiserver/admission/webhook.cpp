#include "flyball/apiserver/admission/webhook.hpp"

#include <algorithm>
#include <map>

#include "flyball/apiserver/object.hpp"

namespace flyball::apiserver {
namespace {

namespace registration = kube::admissionregistration::v1;

kube::Selector selector_of(const auto& selector) {
  return selector ? kube::Selector::from(selector->matchLabels, selector->matchExpressions) : kube::Selector();
}

const std::string kMutatingShelf = "mutatingwebhookconfigurations.admissionregistration.k8s.io";
const std::string kValidatingShelf = "validatingwebhookconfigurations.admissionregistration.k8s.io";

bool reinvoked(const registration::MutatingWebhook& hook) { return hook.reinvocationPolicy == "IfNeeded"; }
bool reinvoked(const registration::ValidatingWebhook& /*hook*/) { return false; }

template <class Hook>
Webhook webhook_of(const Hook& hook) {
  Webhook made{.name = hook.name,
               .client = hook.clientConfig,
               .rules = hook.rules,
               .review_versions = hook.admissionReviewVersions,
               .namespaces = selector_of(hook.namespaceSelector),
               .objects = selector_of(hook.objectSelector),
               .timeout_seconds = hook.timeoutSeconds.value_or(10),
               .dry_runs = hook.sideEffects == "None" || hook.sideEffects == "NoneOnDryRun",
               .ignores_failure = hook.failurePolicy == "Ignore",
               .equivalent = hook.matchPolicy == "Equivalent",
               .reinvoked = reinvoked(hook)};
  for (const auto& condition : hook.matchConditions) made.conditions.push_back({condition.name, condition.expression});
  return made;
}

}  // namespace

template <class Configuration>
Webhooks WebhookBook::read(Shelf& shelf, const Store& store, const Registry& registry, const std::string& shelf_name) {
  const Page page = store.list(shelf_name);
  std::vector<std::pair<std::string, Revision>> versions;
  versions.reserve(page.items.size());
  for (const auto& [key, stored] : page.items) versions.emplace_back(key, stored.revision);
  if (versions == shelf.versions) return shelf.hooks;
  const ResourcePointer resource =
      registry.find("admissionregistration.k8s.io", "v1", shelf_name.substr(0, shelf_name.find('.')));
  auto hooks = std::make_shared<std::vector<Webhook>>();
  for (const auto& [key, stored] : page.items) {
    const Object object = Object::parse(resource, *stored.bytes);
    std::map<std::string, int> seen;
    for (const auto& hook : object.as<Configuration>().webhooks) {
      Webhook made = webhook_of(hook);
      made.id = key + "/" + hook.name + "/" + std::to_string(seen[hook.name]++);
      hooks->push_back(std::move(made));
    }
  }
  shelf.versions = std::move(versions);
  shelf.hooks = std::move(hooks);
  return shelf.hooks;
}

bool WebhookBook::any(const Store& store) { return store.count(kMutatingShelf) + store.count(kValidatingShelf) != 0; }

Webhooks WebhookBook::mutating(const Store& store, const Registry& registry) {
  const MutexLock lock(mutex_);
  return read<registration::MutatingWebhookConfiguration>(mutating_, store, registry, kMutatingShelf);
}

Webhooks WebhookBook::validating(const Store& store, const Registry& registry) {
  const MutexLock lock(mutex_);
  return read<registration::ValidatingWebhookConfiguration>(validating_, store, registry, kValidatingShelf);
}

}  // namespace flyball::apiserver
