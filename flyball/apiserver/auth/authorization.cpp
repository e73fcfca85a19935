#include "flyball/apiserver/auth/authorization.hpp"

#include <algorithm>
#include <cctype>

#include "flyball/apiserver/refusal.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// A list or watch of one name is about that object: roles with resourceNames allow it.
std::string name_of(const Call& call) {
  constexpr std::string_view kField = "metadata.name=";
  if (!call.name.empty()) return call.name;
  const std::string_view selector = call.query["fieldSelector"];
  if (!selector.starts_with(kField) || selector.find(',') != std::string_view::npos) return {};
  std::string_view name = selector.substr(kField.size());
  if (name.starts_with('=')) name.remove_prefix(1);
  return std::string(name);
}

}  // namespace

Action action_of(const Call& call) {
  Action action{.user = call.caller.common_name, .groups = call.caller.organizations};
  if (!call.is_resource || call.resource.empty()) {
    action.verb = lower(call.request->method);
    action.path = call.path;
    return action;
  }
  action.verb = call.verb == Verb::none ? lower(call.request->method) : std::string(to_string(call.verb));
  action.namespace_ = call.namespace_;
  action.group = call.group;
  action.resource = call.resource;
  action.subresource = call.subresource;
  action.name = name_of(call);
  return action;
}

Decision decide(World& world, const Action& action) {
  if (!world.options.rbac) return {.allowed = true};
  return world.auth.rbac().decide(action);
}

void authorize(World& world, const Action& action) {
  const Decision decision = decide(world, action);
  if (decision.allowed) return;
  std::string why = "User " + kube::go::quote(action.user) + " cannot " + action.verb;
  if (!action.path.empty()) {
    throw refuse::forbidden({}, {}, why + " path " + kube::go::quote(action.path));
  }
  why += " resource " + kube::go::quote(action.resource_text()) + " in API group " + kube::go::quote(action.group);
  why +=
      action.namespace_.empty() ? " at the cluster scope" : " in the namespace " + kube::go::quote(action.namespace_);
  if (!decision.reason.empty()) why += ": " + decision.reason;
  throw refuse::forbidden({action.group, action.resource}, action.name, why);
}

}  // namespace flyball::apiserver
