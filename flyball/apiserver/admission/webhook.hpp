// Webhook: one admission webhook, out of whichever configuration. WebhookBook: all there are, as the store has them.
//
//   for (const Webhook& hook : *book.mutating(store)) ...       // by the names of their configurations, then in order
//
// Thread-safety: a Webhook is constant; the book may be used from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "flyball/apiserver/resource.hpp"
#include "flyball/apiserver/store.hpp"
#include "flyball/apiserver/webhook_options.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/kube/admissionregistration/v1.hpp"
#include "flyball/kube/selector.hpp"

namespace flyball::apiserver {

struct Webhook {
  std::string id = {};  // of all webhooks: "configuration/name/0"
  std::string name = {};
  kube::admissionregistration::v1::WebhookClientConfig client = {};
  std::vector<kube::admissionregistration::v1::RuleWithOperations> rules = {};
  std::vector<std::string> review_versions = {};
  kube::Selector namespaces = {};
  kube::Selector objects = {};
  std::vector<MatchQuestion::Condition> conditions = {};
  std::int32_t timeout_seconds = 10;
  bool dry_runs = false;         // it has no side effects, or none on a dry run
  bool ignores_failure = false;  // failurePolicy: Ignore
  bool equivalent = true;        // matchPolicy: Equivalent
  bool reinvoked = false;        // reinvocationPolicy: IfNeeded
};
using Webhooks = std::shared_ptr<const std::vector<Webhook>>;

class WebhookBook {
 public:
  // Cheap: most servers have none.
  static bool any(const Store& store);
  Webhooks mutating(const Store& store, const Registry& registry);
  Webhooks validating(const Store& store, const Registry& registry);

 private:
  // What was read, and of which versions of the configurations.
  struct Shelf {
    std::vector<std::pair<std::string, Revision>> versions = {};
    Webhooks hooks = std::make_shared<const std::vector<Webhook>>();
  };
  template <class Configuration>
  Webhooks read(Shelf& shelf, const Store& store, const Registry& registry, const std::string& shelf_name);

  Mutex mutex_;
  Shelf mutating_ FLYBALL_GUARDED_BY(mutex_);
  Shelf validating_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace flyball::apiserver
