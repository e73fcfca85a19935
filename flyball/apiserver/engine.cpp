#include "flyball/apiserver/engine.hpp"

#include <algorithm>
#include <utility>

#include "flyball/apiserver/admission/quotas.hpp"
#include "flyball/apiserver/auth/authentication.hpp"
#include "flyball/apiserver/auth/authorization.hpp"
#include "flyball/apiserver/auth/reviews.hpp"
#include "flyball/apiserver/auth/roles.hpp"
#include "flyball/apiserver/bootstrap.hpp"
#include "flyball/apiserver/definitions.hpp"
#include "flyball/apiserver/discovery.hpp"
#include "flyball/apiserver/history.hpp"
#include "flyball/apiserver/pod_log.hpp"
#include "flyball/apiserver/pod_requests.hpp"
#include "flyball/apiserver/pod_subresources.hpp"
#include "flyball/apiserver/reads.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/apiserver/schema/custom_kind.hpp"
#include "flyball/apiserver/subresources.hpp"
#include "flyball/apiserver/watch.hpp"
#include "flyball/apiserver/writes.hpp"
#include "flyball/client/whole_body.hpp"
#include "flyball/kube/go_text.hpp"
#include "flyball/kube/names.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::apiserver {
namespace {

// As kube-apiserver has it.
constexpr std::size_t kLargestBody = std::size_t{3} << 20U;

// The verbs each method can mean here; what the resource does not serve is 405.
void check_verb(const Context& context) {
  const Call& call = context.call;
  const bool named = !call.name.empty() && call.verb != Verb::watch;
  const bool spans = context.resource->namespaced && call.namespace_.empty();
  const bool reads_many = call.verb == Verb::list || call.verb == Verb::watch;
  const bool fits = (call.verb != Verb::create || !named) && (call.verb != Verb::update || named) &&
                    (call.verb != Verb::patch || named) && (!spans || (reads_many && !named)) &&
                    call.request->method != "HEAD";
  if (fits && context.resource->serves(to_string(call.verb))) return;
  throw refuse::wrong_method();
}

// Groups that nobody serves, and what custom groups do not have, are no paths at all.
bool is_routed(const Registry& registry, const Call& call) {
  const ResourcePointer resource = registry.find(call.group, call.version, call.resource);
  if (resource == nullptr) return registry.is_built_in(call.group);
  return !resource->is_custom() || resource->namespaced || call.namespace_.empty();
}

net::Response no_page() {
  return {.status = 404, .headers = {{"Content-Type", "text/plain; charset=utf-8"}}, .body = "404 page not found\n"};
}

void check_timeout(std::string_view text) {
  try {
    kube::Duration::parse(text);
  } catch (const InputError& error) {
    throw refuse::bad_request("invalid timeout specified in the request URL - " + error.problem());
  }
}

void warn_deprecated(Context& context) {
  if (context.resource->is_custom()) {
    const std::string& warning = context.resource->custom->deprecation_warning();
    if (!warning.empty()) context.warnings.push_back(warning);
    return;
  }
  const reflect::Type* type = context.resource->type;
  if (type == nullptr || type->kind->deprecated.empty()) return;
  const reflect::KindInfo& kind = *type->kind;
  std::string text = std::string(kind.api_version) + " " + std::string(kind.kind) + " is deprecated in v" +
                     std::string(kind.deprecated) + "+";
  if (!kind.replacement.empty()) {
    const std::size_t slash = kind.replacement.rfind('/');
    text += "; use " + std::string(kind.replacement.substr(0, slash)) + " " +
            std::string(kind.replacement.substr(slash + 1));
  }
  context.warnings.push_back(std::move(text));
}

net::Response answer_verb(Context& context) {
  const Call& call = context.call;
  if (call.subresource.empty()) check_verb(context);
  warn_deprecated(context);
  if (!call.subresource.empty()) return answer_subresource(context);
  const bool review = context.resource->type != nullptr && is_review(*context.resource);
  context.accept = negotiate(call, {.protobuf = !context.resource->is_custom(), .projections = !review});
  if (review) return answer_review(context);
  if (context.resource->shelf == "bindings") return bind_named_pod(context);
  switch (call.verb) {
    case Verb::get: return get(context);
    case Verb::list: return list(context);
    case Verb::create: return create(context);
    case Verb::update: return update(context);
    case Verb::patch: return patch(context);
    case Verb::remove: return remove(context);
    case Verb::remove_collection: return remove_collection(context);
    default: break;
  }
  throw refuse::wrong_method();
}

}  // namespace

Engine::Engine(Clock& clock, Random& random, Store& store, EngineOptions options)
    : world_(clock, random, store, std::move(options)) {
  serve_definitions(world_);
  bootstrap(world_);
  if (world_.options.rbac) bootstrap_roles(world_);
  // A server that was killed may have charged a quota for what it did not come to write.
  if (world_.options.quota_status) recount_quotas(world_);
}

net::PeerIdentity Engine::identify(const net::Request& request, const net::PeerIdentity& peer) {
  User user = authenticate(world_, request, peer);
  return {.common_name = std::move(user.name), .organizations = std::move(user.groups), .verified = true};
}

Call Engine::enter(const net::Request& request, const net::PeerIdentity& caller) {
  Call call(request, caller);
  auto& groups = call.caller.organizations;
  const bool known = !call.caller.common_name.empty() && call.caller.common_name != kAnonymous;
  if (known && std::ranges::find(groups, kAuthenticated) == groups.end()) groups.emplace_back(kAuthenticated);
  impersonate(world_, call);
  // Most requests come from those who may do everything: they need not be put into words.
  if (world_.options.rbac && std::ranges::find(groups, kMasters) == groups.end()) authorize(world_, action_of(call));
  return call;
}

bool Engine::is_stream(const net::Request& request) {
  if (follows_pod_log(request)) return true;
  if (request.method != "GET" || request.target.find("watch") == std::string::npos) return false;
  try {
    return Call(request, {}).verb == Verb::watch;
  } catch (const Refusal&) {
    return false;
  }
}

Context Engine::context_of(const Call& call, const Stop& stop) {
  Context context{.world = world_, .call = call, .stop = stop};
  context.resource = world_.registry.find(call.group, call.version, call.resource);
  const bool fits = context.resource != nullptr && (call.namespace_.empty() || context.resource->namespaced);
  if (!fits) throw refuse::no_such_path();
  if (const auto wrong = kube::names::path_segment(call.name); !call.name.empty() && !wrong.empty()) {
    throw refuse::bad_request("Name parameter invalid: " + kube::go::quote(call.name) + ": " + wrong.front());
  }
  // One object of a namespaced resource needs the namespace.
  if (context.resource->namespaced && call.namespace_.empty() && !call.name.empty()) throw refuse::no_such_path();
  return context;
}

// A refusal comes with the warnings that were there before it.
net::Response Engine::answer_resource(const Call& call, const Stop& stop) {
  Context context = context_of(call, stop);
  forget_old(world_);
  try {
    return answer_verb(context);
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    net::Response response = render_refusal(negotiate_status(call), refusal_of(error));
    add_headers(context, response);
    return response;
  }
}

net::Response Engine::answer(const Call& call, const Stop& stop) {
  if (const std::string_view timeout = call.query["timeout"]; !timeout.empty()) check_timeout(timeout);
  if (call.request->body.size() > kLargestBody) {
    throw refuse::request_too_large("limit is " + std::to_string(kLargestBody));
  }
  if (call.is_resource && is_routed(world_.registry, call)) return answer_resource(call, stop);
  if (auto known = answer_discovery(world_, call)) return std::move(*known);
  return no_page();
}

net::Response Engine::handle(const net::Request& request, const net::PeerIdentity& caller, const Stop& stop) {
  PodDoor* door = is_pod_log(request) ? door_.load() : nullptr;
  if (door != nullptr || (is_stream(request) && !is_pod_log(request))) {
    const auto stream = open(request, caller, stop);
    net::Response response = stream->head();
    for (std::string piece; !(piece = stream->read(stop)).empty();) response.body += piece;
    return response;
  }
  Accept accept;
  try {
    const Call call = enter(request, caller);
    accept = negotiate_status(call);
    net::Response response = answer(call, stop);
    if (request.method == "HEAD") response.body.clear();
    return response;
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    net::Response response = render_refusal(accept, refusal_of(error));
    if (request.method == "HEAD") response.body.clear();
    return response;
  }
}

std::unique_ptr<client::BodyStream> Engine::open(const net::Request& request, const net::PeerIdentity& caller,
                                                 const Stop& stop) {
  PodDoor* door = is_pod_log(request) ? door_.load() : nullptr;
  if (door != nullptr) return open_log(request, caller, stop, *door);
  if (!is_stream(request) || is_pod_log(request)) {
    return std::make_unique<client::WholeBody>(handle(request, caller, stop));
  }
  Accept accept;
  try {
    const Call call = enter(request, caller);
    accept = negotiate_status(call);
    if (!is_routed(world_.registry, call)) return std::make_unique<client::WholeBody>(no_page());
    Context context = context_of(call, stop);
    warn_deprecated(context);
    check_verb(context);
    context.accept = negotiate(call, {.protobuf = !context.resource->is_custom()});
    return open_watch(context);
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    return std::make_unique<client::WholeBody>(render_refusal(accept, refusal_of(error)));
  }
}

PodRequest Engine::open_pod_request(const net::Request& request, const net::PeerIdentity& caller, const Stop& stop) {
  PodDoor* door = door_.load();
  // Without a node it is refused as everything else is that needs one.
  if (door == nullptr) return {.refusal = handle(request, caller, stop)};
  Accept accept;
  try {
    const Call call = enter(request, caller);
    accept = negotiate_status(call);
    // A WebSocket comes by GET, and still is a way to change what goes on in a pod.
    Action action = action_of(call);
    action.verb = "create";
    authorize(world_, action);
    Context context = context_of(call, stop);
    return read_pod_request(context, *door);
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    return {.refusal = render_refusal(accept, refusal_of(error))};
  }
}

std::unique_ptr<client::BodyStream> Engine::open_log(const net::Request& request, const net::PeerIdentity& caller,
                                                     const Stop& stop, PodDoor& door) {
  Accept accept;
  try {
    const Call call = enter(request, caller);
    accept = negotiate_status(call);
    Context context = context_of(call, stop);
    return open_pod_log(context, door);
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    return std::make_unique<client::WholeBody>(render_refusal(accept, refusal_of(error)));
  }
}

}  // namespace flyball::apiserver
