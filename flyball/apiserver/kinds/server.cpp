#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/metadata_rules.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/kube/apiregistration/v1.hpp"
#include "flyball/kube/certificates/v1.hpp"
#include "flyball/kube/flowcontrol/v1.hpp"

namespace flyball::apiserver {
namespace {

namespace certificates = kube::certificates::v1;
namespace flow = kube::flowcontrol::v1;
namespace registration = kube::apiregistration::v1;

using Request = certificates::CertificateSigningRequest;
using RequestCondition = certificates::CertificateSigningRequestCondition;

// Approval is a door of its own: a write to the status keeps what was decided there.
void keep_conditions(Request& request, const Request& old, std::string_view type) {
  std::vector<RequestCondition> kept;
  for (const RequestCondition& condition : old.status.conditions) {
    if (condition.type == type) kept.push_back(condition);
  }
  std::vector<RequestCondition> all;
  for (const RequestCondition& condition : request.status.conditions) {
    if (condition.type != type) {
      all.push_back(condition);
    } else if (!kept.empty()) {
      all.push_back(kept.front());
      kept.erase(kept.begin());
    }
  }
  all.insert(all.end(), kept.begin(), kept.end());
  request.status.conditions = std::move(all);
}

class SigningRequestRules final : public RulesFor<Request> {
 public:
  Traits traits() const override { return {.fields = {"spec.signerName"}}; }
  void prepare_create(Request& request) const override { request.status = {}; }
  void prepare_update(Request& request, const Request& old) const override {
    request.spec = old.spec;
    request.status = old.status;
  }
  void prepare_status(Request& request, const Request& old) const override {
    request.spec = old.spec;
    keep_conditions(request, old, "Approved");
    keep_conditions(request, old, "Denied");
  }
  void stamp(Request& request, const Request* old, bool status, const Writer& writer) const override {
    if (old == nullptr) {
      request.spec.username = writer.user;
      request.spec.uid = writer.uid;
      request.spec.groups = writer.groups;
      request.spec.extra = writer.extra;
      return;
    }
    if (!status) return;
    for (RequestCondition& condition : request.status.conditions) stamp_condition(condition, *old, writer.now);
  }

 private:
  static void stamp_condition(RequestCondition& condition, const Request& old, const kube::Time& now) {
    if (condition.lastUpdateTime == kube::Time()) condition.lastUpdateTime = now;
    if (condition.lastTransitionTime != kube::Time()) return;
    const auto before = std::ranges::find_if(old.status.conditions, [&](const RequestCondition& other) {
      return other.type == condition.type && other.status == condition.status;
    });
    condition.lastTransitionTime = before == old.status.conditions.end() || before->lastTransitionTime == kube::Time()
                                       ? now
                                       : before->lastTransitionTime;
  }
};

constexpr std::int32_t kServicePort = 443;

class APIServiceRules final : public RulesFor<registration::APIService> {
 public:
  Traits traits() const override { return {.unconditional_update = false}; }
  void set_defaults(registration::APIService& object) const override {
    if (object.spec.service && !object.spec.service->port) object.spec.service->port = kServicePort;
  }
  void stamp(registration::APIService& object, const registration::APIService* old, bool /*status*/,
             const Writer& writer) const override {
    if (old != nullptr || object.spec.service) return;
    object.status.conditions = {{.type = "Available",
                                 .status = "True",
                                 .reason = "Local",
                                 .message = "Local APIServices are always available",
                                 .lastTransitionTime = writer.now}};
  }
  void prepare_status(registration::APIService& object, const registration::APIService& old) const override {
    object.spec = old.spec;
    keep_metadata(object.metadata, old.metadata);
  }
};

constexpr std::int32_t kPrecedence = 1000;
constexpr std::int32_t kShares = 30;
constexpr std::int32_t kHandSize = 8;
constexpr std::int32_t kQueues = 64;
constexpr std::int32_t kQueueLength = 50;

class FlowSchemaRules final : public RulesFor<flow::FlowSchema> {
 public:
  Traits traits() const override { return {.generation = true}; }
  void set_defaults(flow::FlowSchema& schema) const override {
    if (schema.spec.matchingPrecedence == 0) schema.spec.matchingPrecedence = kPrecedence;
  }
  void prepare_status(flow::FlowSchema& schema, const flow::FlowSchema& old) const override {
    schema.spec = old.spec;
    keep_metadata(schema.metadata, old.metadata);
  }
};

class PriorityLevelRules final : public RulesFor<flow::PriorityLevelConfiguration> {
 public:
  Traits traits() const override { return {.generation = true}; }
  void set_defaults(flow::PriorityLevelConfiguration& level) const override {
    if (level.spec.limited) default_limited(*level.spec.limited);
    if (!level.spec.exempt) return;
    if (!level.spec.exempt->nominalConcurrencyShares) level.spec.exempt->nominalConcurrencyShares = 0;
    if (!level.spec.exempt->lendablePercent) level.spec.exempt->lendablePercent = 0;
  }
  void prepare_status(flow::PriorityLevelConfiguration& level,
                      const flow::PriorityLevelConfiguration& old) const override {
    level.spec = old.spec;
    keep_metadata(level.metadata, old.metadata);
  }

 private:
  static void default_limited(flow::LimitedPriorityLevelConfiguration& limited) {
    if (!limited.nominalConcurrencyShares) limited.nominalConcurrencyShares = kShares;
    if (!limited.lendablePercent) limited.lendablePercent = 0;
    auto& queuing = limited.limitResponse.queuing;
    if (!queuing) return;
    if (queuing->handSize == 0) queuing->handSize = kHandSize;
    if (queuing->queues == 0) queuing->queues = kQueues;
    if (queuing->queueLengthLimit == 0) queuing->queueLengthLimit = kQueueLength;
  }
};

}  // namespace

std::span<const RulesOfKind> server_kinds() {
  static const SigningRequestRules request_rules;
  static const APIServiceRules service_rules;
  static const FlowSchemaRules schema_rules;
  static const PriorityLevelRules level_rules;
  static const std::array kinds = {
      RulesOfKind{"certificates.k8s.io/v1", "CertificateSigningRequest", &request_rules},
      RulesOfKind{"apiregistration.k8s.io/v1", "APIService", &service_rules},
      RulesOfKind{"flowcontrol.apiserver.k8s.io/v1", "FlowSchema", &schema_rules},
      RulesOfKind{"flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", &level_rules}};
  return kinds;
}

}  // namespace flyball::apiserver
