#include "flyball/apiserver/auth/reviews.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "flyball/apiserver/auth/authentication.hpp"
#include "flyball/apiserver/auth/authorization.hpp"
#include "flyball/apiserver/decode.hpp"
#include "flyball/apiserver/options.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/apiserver/write_chain.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/draft.hpp"

namespace flyball::apiserver {
namespace {

std::string text(json::View object, std::string_view key) { return std::string(object[key].string_or("")); }

std::vector<std::string> texts(json::View list) {
  std::vector<std::string> all;
  for (const json::View each : list.items()) all.emplace_back(each.string_or(""));
  return all;
}

json::Value who_am_i(const Context& context) {
  const net::PeerIdentity& caller = context.call.caller;
  return json::object({{"userInfo", to_json(User{.name = caller.common_name, .groups = caller.organizations})}});
}

json::Value whose_token(Context& context, json::View spec) {
  std::vector<std::string> audiences = texts(spec["audiences"]);
  if (audiences.empty()) audiences = {std::string(kIssuer)};
  try {
    User user = user_of_token(context.world, spec["token"].string_or(""), audiences);
    user.groups.emplace_back(kAuthenticated);
    json::Draft status;
    status.set("/authenticated", true);
    status.set("/user", to_json(user));
    for (const std::string& each : audiences) status.root().ensure_array("audiences").append(each);
    return status.build();
  } catch (const Error& error) {
    return json::object({{"user", json::object()}, {"error", std::string("invalid bearer token: ") + error.what()}});
  }
}

Action action_of_spec(json::View spec) {
  Action action;
  if (const json::View path = spec["nonResourceAttributes"]) {
    action.path = text(path, "path");
    action.verb = text(path, "verb");
  }
  if (const json::View resource = spec["resourceAttributes"]) {
    action.namespace_ = text(resource, "namespace");
    action.verb = text(resource, "verb");
    action.group = text(resource, "group");
    action.resource = text(resource, "resource");
    action.subresource = text(resource, "subresource");
    action.name = text(resource, "name");
  }
  return action;
}

json::Value may_do(Context& context, const Action& action) {
  const Decision decision = decide(context.world, action);
  if (decision.reason.empty()) return json::object({{"allowed", decision.allowed}});
  return json::object({{"allowed", decision.allowed}, {"reason", decision.reason}});
}

void add_list(json::Builder& to, std::string_view key, const std::vector<std::string>& all) {
  if (all.empty()) return;
  to.key(key).begin_array();
  for (const std::string& each : all) to.string(each);
  to.end();
}

json::Value what_may_i(Context& context, json::View spec) {
  const net::PeerIdentity& caller = context.call.caller;
  std::vector<std::string> groups = caller.organizations;
  if (!context.world.options.rbac) groups.emplace_back(kMasters);
  const auto rules = context.world.auth.rbac().rules_of(caller.common_name, groups, text(spec, "namespace"));
  json::Builder to;
  to.begin_object();
  to.key("resourceRules").begin_array();
  for (const auto& rule : rules) {
    if (rule.resources.empty()) continue;
    to.begin_object();
    add_list(to, "verbs", rule.verbs);
    add_list(to, "apiGroups", rule.apiGroups);
    add_list(to, "resources", rule.resources);
    add_list(to, "resourceNames", rule.resourceNames);
    to.end();
  }
  to.end();
  to.key("nonResourceRules").begin_array();
  for (const auto& rule : rules) {
    if (rule.nonResourceURLs.empty()) continue;
    to.begin_object();
    add_list(to, "verbs", rule.verbs);
    add_list(to, "nonResourceURLs", rule.nonResourceURLs);
    to.end();
  }
  to.end();
  to.key("incomplete").boolean(false);
  to.end();
  return to.finish();
}

json::Value status_of(Context& context, json::View spec) {
  const std::string& kind = context.resource->kind;
  if (kind == "SelfSubjectReview") return who_am_i(context);
  if (kind == "TokenReview") return whose_token(context, spec);
  if (kind == "SelfSubjectRulesReview") return what_may_i(context, spec);
  Action action = action_of_spec(spec);
  if (kind == "SelfSubjectAccessReview") {
    action.user = context.call.caller.common_name;
    action.groups = context.call.caller.organizations;
  } else {
    action.user = text(spec, "user");
    action.groups = texts(spec["groups"]);
  }
  return may_do(context, action);
}

}  // namespace

bool is_review(const Resource& resource) {
  return resource.group == "authentication.k8s.io" || resource.group == "authorization.k8s.io";
}

net::Response answer_review(Context& context) {
  const WriteOptions options = write_options(context.call, WriteKind::create);
  Decoded body = decode_body(context.call, context.resource, options.validation);
  report_strict(body.strict, options.validation, *context.resource, context.warnings);
  begin_new(context, body.object, options);
  const json::Value sent = body.object.value();
  json::Draft answer(sent);
  answer.root().set("status", status_of(context, sent["spec"]));
  return render_object(context, 201, Object::from(context.resource, answer.build()).text());
}

}  // namespace flyball::apiserver
