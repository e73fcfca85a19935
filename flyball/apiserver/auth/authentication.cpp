#include "flyball/apiserver/auth/authentication.hpp"

#include <algorithm>
#include <string>

#include "flyball/apiserver/auth/authorization.hpp"
#include "flyball/apiserver/refusal.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::string_view kAccountPrefix = "system:serviceaccount:";

// An object that a token names still is the one it was.
void check_bound(const Store& store, const char* what, const StoreKey& key, const TokenObject& object) {
  const auto stored = store.find(key);
  if (!stored) throw TokenError(std::string(what) + " \"" + object.name + "\" of the token is gone");
  const json::Value live = json::parse(*stored->bytes);
  if (!object.uid.empty() && live["metadata"]["uid"].string_or("") != object.uid) {
    throw TokenError(std::string(what) + " \"" + object.name + "\" of the token is another one by now");
  }
}

bool is_scheme(std::string_view header, std::string_view scheme) {
  return header.size() > scheme.size() && header[scheme.size()] == ' ' &&
         net::same_name(header.substr(0, scheme.size()), scheme);
}

void must_impersonate(World& world, const Call& call, Action action) {
  action.user = call.caller.common_name;
  action.groups = call.caller.organizations;
  action.verb = "impersonate";
  authorize(world, action);
}

// "system:serviceaccount:shop:web" is asked for as an account, every other name as a user.
void must_impersonate_user(World& world, const Call& call, const std::string& name) {
  if (name.starts_with(kAccountPrefix)) {
    const std::string rest = name.substr(kAccountPrefix.size());
    if (const std::size_t colon = rest.find(':'); colon != std::string::npos) {
      return must_impersonate(
          world, call,
          {.namespace_ = rest.substr(0, colon), .resource = "serviceaccounts", .name = rest.substr(colon + 1)});
    }
  }
  must_impersonate(world, call, {.resource = "users", .name = name});
}

std::vector<std::string> groups_of(const std::string& name) {
  if (!name.starts_with(kAccountPrefix)) return {};
  const std::string rest = name.substr(kAccountPrefix.size());
  const std::size_t colon = rest.find(':');
  if (colon == std::string::npos) return {};
  return service_account_user(rest.substr(0, colon), rest.substr(colon + 1)).groups;
}

}  // namespace

User user_of_token(World& world, std::string_view token, const std::vector<std::string>& audiences) {
  const TokenClaims claims = world.auth.tokens().read(token, world.clock.wall_now());
  const bool meant = std::ranges::any_of(
      claims.audiences, [&](const std::string& each) { return std::ranges::find(audiences, each) != audiences.end(); });
  if (!meant) throw TokenError("the token is meant for another audience");
  check_bound(world.store, "serviceaccount", {"serviceaccounts", claims.namespace_ + "/" + claims.account.name},
              claims.account);
  User user = service_account_user(claims.namespace_, claims.account.name);
  user.uid = claims.account.uid;
  user.extra["authentication.kubernetes.io/credential-id"] = {"JTI=" + claims.id};
  if (!claims.secret.name.empty()) {
    check_bound(world.store, "secret", {"secrets", claims.namespace_ + "/" + claims.secret.name}, claims.secret);
  }
  if (!claims.pod.name.empty()) {
    check_bound(world.store, "pod", {"pods", claims.namespace_ + "/" + claims.pod.name}, claims.pod);
    user.extra["authentication.kubernetes.io/pod-name"] = {claims.pod.name};
    user.extra["authentication.kubernetes.io/pod-uid"] = {claims.pod.uid};
  }
  if (!claims.node.name.empty()) {
    user.extra["authentication.kubernetes.io/node-name"] = {claims.node.name};
    if (!claims.node.uid.empty()) user.extra["authentication.kubernetes.io/node-uid"] = {claims.node.uid};
  }
  return user;
}

User authenticate(World& world, const net::Request& request, const net::PeerIdentity& peer) {
  if (peer.verified && !peer.common_name.empty()) {
    User user{.name = peer.common_name, .groups = peer.organizations};
    user.groups.emplace_back(kAuthenticated);
    return user;
  }
  const std::string_view header = request.headers.get("Authorization");
  if (header.empty()) return {.name = std::string(kAnonymous), .groups = {std::string(kUnauthenticated)}};
  try {
    if (!is_scheme(header, "Bearer")) throw TokenError("only tokens are known here");
    const std::string token(header.substr(header.find(' ') + 1));
    const auto known = world.options.static_tokens.find(token);
    User user = known != world.options.static_tokens.end() ? known->second
                                                           : user_of_token(world, token, {std::string(kIssuer)});
    user.groups.emplace_back(kAuthenticated);
    return user;
  } catch (const TokenError& error) {
    world.options.log.info("refused a token", "error", error.what());
    throw refuse::unauthorized();
  } catch (const InputError&) {  // claims that are no JSON
    throw refuse::unauthorized();
  }
}

void impersonate(World& world, Call& call) {
  const std::string name(call.header("Impersonate-User"));
  std::vector<std::string> groups;
  bool more = false;
  for (const auto& [key, value] : call.request->headers) {
    if (net::same_name(key, "Impersonate-Group")) groups.push_back(value);
    more = more || net::same_name(key, "Impersonate-Uid") ||
           net::same_name(std::string_view(key).substr(0, 18), "Impersonate-Extra-");
  }
  if (name.empty()) {
    if (!groups.empty() || more) {
      throw refuse::internal("requested impersonation of groups, a uid or extra fields without impersonating a user");
    }
    return;
  }
  must_impersonate_user(world, call, name);
  for (const std::string& group : groups) must_impersonate(world, call, {.resource = "groups", .name = group});
  if (groups.empty()) groups = groups_of(name);
  call.caller = {.common_name = name, .organizations = groups, .verified = true};
  if (name != kAnonymous) call.caller.organizations.emplace_back(kAuthenticated);
}

}  // namespace flyball::apiserver
