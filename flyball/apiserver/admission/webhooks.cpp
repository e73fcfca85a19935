#include "flyball/apiserver/admission/webhooks.hpp"

#include <utility>

#include "flyball/apiserver/admission/review.hpp"
#include "flyball/apiserver/admission/webhook_match.hpp"
#include "flyball/apiserver/decode.hpp"
#include "flyball/apiserver/kind_steps.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/patch.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver {
namespace {

// It could not be asked, or gave no answer: its failurePolicy counts.
class CallFailed : public Error {
 public:
  using Error::Error;
};

Object seen_as(const Object& object, const ResourcePointer& seen) {
  return Object::parse(seen, in_version(*seen, object.text()));
}

// One webhook and one request.
class Question {
 public:
  Question(Context& context, const Webhook& hook, const Attributes& asked, ResourcePointer seen)
      : context_(context),
        hook_(hook),
        asked_(asked),
        seen_(std::move(seen)),
        converted_(asked.is_own_kind() && seen_ != asked.resource) {
    objects_.object = value_of(asked.object);
    objects_.old = value_of(asked.old);
    request_ = review_request(context.call.caller, asked, *seen_, objects_, uid_);
  }

  bool conditions_hold() const { return apiserver::conditions_hold(context_.world, hook_, asked_, request_); }

  // Throws CallFailed, or the Refusal the webhook wants.
  ReviewAnswer ask(bool mutating) {
    if (asked_.dry_run && !hook_.dry_runs) {
      throw refuse::bad_request("admission webhook " + kube::go::quote(hook_.name) + " does not support dry run");
    }
    const std::string_view version = review_version(hook_.review_versions);
    if (version.empty()) {
      failed(
          "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)");
    }
    json::Value review;
    try {
      review = context_.world.webhook_caller.post(place_of(hook_.client), std::chrono::seconds(hook_.timeout_seconds),
                                                  review_of(request_, version), context_.stop);
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      failed(std::string("failed to call webhook: ") + error.what());
    }
    ReviewAnswer answer;
    try {
      answer = read_answer(review, version, uid_, mutating);
    } catch (const Error& error) {
      failed(std::string("received invalid webhook response: ") + error.what());
    }
    for (std::string& warning : answer.warnings) context_.warnings.push_back(std::move(warning));
    if (!answer.allowed) throw denial(hook_.name, answer.status);
    return answer;
  }

  // The object with the webhook's patch; nothing when that changes nothing.
  std::optional<Object> patched(const ReviewAnswer& answer) const {
    if (answer.patch.empty()) return std::nullopt;
    json::Value next;
    try {
      const json::Value patch = json::parse(answer.patch);
      if (patch.is_array() && patch.empty()) return std::nullopt;
      if (asked_.object == nullptr) {
        throw Error("admission webhook " + kube::go::quote(hook_.name) +
                    " attempted to modify the object, which is not supported for this operation");
      }
      if (answer.patch_type != "JSONPatch") failed("unsupported patch type " + kube::go::quote(answer.patch_type));
      next = json::apply_patch(objects_.object, patch);
    } catch (const CallFailed&) {
      throw;
    } catch (const Error& error) {
      throw refuse::internal(error.what());
    }
    if (next == objects_.object) return std::nullopt;
    Object object = decoded(next);
    if (converted_) object = seen_as(object, asked_.resource);
    object.set_empties_managed_fields(asked_.object->empties_managed_fields());
    return object;
  }

 private:
  [[noreturn]] void failed(const std::string& why) const {
    throw CallFailed("failed calling webhook " + kube::go::quote(hook_.name) + ": " + why);
  }

  json::Value value_of(const Object* object) const {
    if (object == nullptr) return json::Value(nullptr);
    return converted_ ? seen_as(*object, seen_).value() : object->value();
  }

  Object decoded(const json::Value& value) const {
    const ResourcePointer resource = converted_ ? seen_ : asked_.object->resource_pointer();
    try {
      Object object = decode_value(value, resource, FieldValidation::ignore).object;
      prune(object);
      set_defaults(object);
      return object;
    } catch (const Refusal& refusal) {
      throw refuse::internal(refusal.message());
    }
  }

  Context& context_;
  const Webhook& hook_;
  const Attributes& asked_;
  const ResourcePointer seen_;
  const bool converted_;
  const std::string uid_ = context_.world.random.uuid();
  ReviewedObjects objects_;
  json::Value request_;
};

// Open or shut, as the webhook's configuration has it.
void fail(const Context& context, const Webhook& hook, const CallFailed& error) {
  const Logger& log = context.world.options.log;
  if (!hook.ignores_failure) {
    log.warn("a webhook failed, the request is refused", "webhook", hook.name, "error", error.what());
    throw refuse::internal(error.what());
  }
  log.warn("a webhook failed, the request goes on", "webhook", hook.name, "error", error.what());
}

}  // namespace

void run_mutating_webhooks(Context& context, Attributes& asked, Reinvocation& rounds) {
  if (is_exempt(*asked.resource)) return;
  const Webhooks hooks = context.world.webhooks.mutating(context.world.store, context.world.registry);
  if (hooks->empty()) return;
  // Something between the webhooks changed it: all of them may see it again.
  if (rounds.again && asked.object != nullptr && rounds.output && *rounds.output != asked.object->value()) {
    rounds.due.merge(rounds.asked);
  }
  for (const Webhook& hook : *hooks) {
    const ResourcePointer seen = match_webhook(context.world, hook, asked);
    if (seen == nullptr || (rounds.again && !rounds.due.contains(hook.id))) continue;
    try {
      Question question(context, hook, asked, seen);
      if (!question.conditions_hold()) continue;
      const ReviewAnswer answer = question.ask(true);
      if (auto next = question.patched(answer)) {
        *asked.object = std::move(*next);
        rounds.due.merge(rounds.asked);
        rounds.wanted = true;
      }
    } catch (const CallFailed& error) {
      fail(context, hook, error);
    }
    if (hook.reinvoked) rounds.asked.insert(hook.id);
  }
  if (asked.object != nullptr) rounds.output = asked.object->value();
}

void run_validating_webhooks(Context& context, const Attributes& asked) {
  if (is_exempt(*asked.resource)) return;
  const Webhooks hooks = context.world.webhooks.validating(context.world.store, context.world.registry);
  std::optional<Refusal> refused;
  for (const Webhook& hook : *hooks) {
    const ResourcePointer seen = match_webhook(context.world, hook, asked);
    if (seen == nullptr) continue;
    try {
      try {
        Question question(context, hook, asked, seen);
        if (question.conditions_hold()) question.ask(false);
      } catch (const CallFailed& error) {
        fail(context, hook, error);
      }
    } catch (const Refusal& refusal) {
      if (!refused) refused = refusal;
    }
  }
  if (refused) throw Refusal(*refused);
}

}  // namespace flyball::apiserver
