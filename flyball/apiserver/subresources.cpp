#include "flyball/apiserver/subresources.hpp"

#include <algorithm>

#include "flyball/apiserver/auth/token_request.hpp"
#include "flyball/apiserver/namespaces.hpp"
#include "flyball/apiserver/pod_subresources.hpp"
#include "flyball/apiserver/reads.hpp"
#include "flyball/apiserver/scale.hpp"
#include "flyball/apiserver/writes.hpp"

namespace flyball::apiserver {
namespace {

// The object itself, of which the write takes only a part (Part::status, or what the kind allows).
net::Response answer_part(Context& context) {
  switch (context.call.verb) {
    case Verb::get: return get(context);
    case Verb::update: return update(context);
    default: return patch(context);
  }
}

}  // namespace

net::Response answer_subresource(Context& context) {
  const Call& call = context.call;
  const ServedSubresource* sub = context.resource->subresource(call.subresource);
  if (sub == nullptr && context.resource->is_custom()) {
    throw refuse::not_found(context.resource->group_resource(), call.name);
  }
  if (sub == nullptr) throw refuse::no_such_path();
  if (std::ranges::find(sub->verbs, to_string(call.verb)) == sub->verbs.end()) {
    throw refuse::wrong_method();
  }
  context.accept = negotiate(call, {.protobuf = !context.resource->is_custom()});
  if (sub->name == "scale") return answer_scale(context);
  if (sub->name == "finalize") return finalize_namespace(context);
  if (sub->name == "binding") return bind_pod(context);
  if (sub->name == "eviction") return evict_pod(context);
  if (sub->name == "token") return answer_token_request(context);
  if (sub->name == "ephemeralcontainers" || sub->name == "resize") return answer_pod_part(context);
  if (sub->name == "status" || sub->name == "approval") {
    return answer_part(context);
  }
  throw refuse::bad_request("the embedded API server has no " + sub->name + " of " + context.resource->plural +
                            " yet: it needs a node, or comes with a later release");
}

}  // namespace flyball::apiserver
