#include "flyball/apiserver/subresources.hpp"

#include <algorithm>
#include <utility>

#include "flyball/apiserver/decode.hpp"
#include "flyball/apiserver/managed_fields.hpp"
#include "flyball/apiserver/namespaces.hpp"
#include "flyball/apiserver/options.hpp"
#include "flyball/apiserver/pod_subresources.hpp"
#include "flyball/apiserver/reads.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/apiserver/scale.hpp"
#include "flyball/apiserver/write_chain.hpp"
#include "flyball/apiserver/writes.hpp"
#include "flyball/json/draft.hpp"

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
  if (sub->name == "ephemeralcontainers" || sub->name == "resize") return answer_pod_part(context);
  if (sub->name == "status" || sub->name == "approval") {
    return answer_part(context);
  }
  throw refuse::bad_request("the embedded API server has no " + sub->name + " of " + context.resource->plural +
                            " yet: it needs a node, or comes with a later release");
}

bool is_review(const Resource& resource) {
  return resource.group == "authentication.k8s.io" || resource.group == "authorization.k8s.io";
}

net::Response answer_review(Context& context) {
  const WriteOptions options = write_options(context.call, WriteKind::create);
  Decoded body = decode_body(context.call, context.resource, options.validation);
  report_strict(body.strict, options.validation, *context.resource, context.warnings);
  begin_new(context, body.object, options);
  json::Value status;
  const std::string& kind = context.resource->kind;
  const net::PeerIdentity& caller = context.call.caller;
  std::vector<std::string> groups = caller.organizations;
  groups.emplace_back("system:authenticated");
  if (kind == "SelfSubjectReview") {
    json::Draft user;
    user.set("/username", caller.common_name);
    for (const std::string& group : groups) user.root().ensure_array("groups").append(group);
    status = json::object({{"userInfo", user.build()}});
  } else if (kind == "TokenReview") {
    status = json::object({{"user", json::object()}, {"error", "no tokens are known here"}});
  } else if (kind == "SelfSubjectRulesReview") {
    const json::Value all = json::array({"*"});
    status = json::object(
        {{"resourceRules", json::array({json::object({{"verbs", all}, {"apiGroups", all}, {"resources", all}})})},
         {"nonResourceRules", json::array({json::object({{"verbs", all}, {"nonResourceURLs", all}})})},
         {"incomplete", false}});
  } else {
    status = json::object({{"allowed", true}});
  }
  json::Draft answer(body.object.value());
  answer.root().set("status", status);
  return render_object(context, 201, Object::from(context.resource, answer.build()).text());
}

}  // namespace flyball::apiserver
