// Which webhooks are asked about a request, and in which version they see its objects.
//
// Thread-safety: pure functions of a World.
#pragma once

#include <optional>

#include "flyball/apiserver/admission/attributes.hpp"
#include "flyball/apiserver/admission/webhook.hpp"

namespace flyball::apiserver {

// The resource by which the webhook asks to see it: that of the request, or another version of it. Null: the webhook is
// not concerned. Conditions are not looked at. Throws Refusal when the namespace whose labels count is not there.
ResourcePointer match_webhook(const World& world, const Webhook& hook, const Attributes& asked);

// Whether its matchConditions hold; `request` is what the review would say. Throws Refusal 403 when that cannot be
// decided and the webhook must not be passed over.
bool conditions_hold(const World& world, const Webhook& hook, const Attributes& asked, const json::Value& request);

// Webhooks have no say in the objects that configure admission.
bool is_exempt(const Resource& resource);

}  // namespace flyball::apiserver
