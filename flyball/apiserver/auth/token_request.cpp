#include "flyball/apiserver/auth/token_request.hpp"

#include <chrono>
#include <utility>

#include "flyball/apiserver/decode.hpp"
#include "flyball/apiserver/kind_resource.hpp"
#include "flyball/apiserver/options.hpp"
#include "flyball/apiserver/reads.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/authentication/v1.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver {
namespace {

namespace authentication = kube::authentication::v1;

constexpr std::int64_t kUsual = 3600;  // seconds
constexpr std::int64_t kShortest = 600;
constexpr std::int64_t kLongest = std::int64_t{1} << 32U;
// Clients of old did not read their token again: one of a pod that was asked for an hour lives for a year.
constexpr std::int64_t kProjected = 3607;
constexpr std::int64_t kExtended = 365LL * 24 * 3600;

const GroupName kKind{"authentication.k8s.io", "TokenRequest"};

void check(const authentication::TokenRequest& request, const std::string& name, const std::string& space) {
  Problems problems;
  const auto must_match = [&](const char* field, const std::string& found, const std::string& wanted,
                              const char* what) {
    if (!found.empty() && found != wanted) problems.invalid(FieldPath("metadata").child(field), found, what);
  };
  must_match("name", request.metadata.name, name, "must match the service account name if specified");
  must_match("namespace", request.metadata.namespace_, space, "must match the service account namespace if specified");
  if (!problems.empty()) throw refuse::invalid(kKind, name, problems);
  const std::int64_t seconds = request.spec.expirationSeconds.value_or(kUsual);
  const FieldPath at = FieldPath("spec").child("expirationSeconds");
  if (seconds < kShortest) problems.invalid(at, seconds, "may not specify a duration less than 10 minutes");
  if (seconds > kLongest) problems.invalid(at, seconds, "may not specify a duration larger than 2^32 seconds");
  if (!problems.empty()) throw refuse::invalid(kKind, "", problems);
}

json::Value load(Context& context, const std::string& plural, const std::string& space, const std::string& name) {
  const auto stored = context.world.store.find({plural, space.empty() ? name : space + "/" + name});
  if (!stored) throw refuse::not_found({"", plural}, name);
  return json::parse(*stored->bytes);
}

TokenObject object_of(json::View object) {
  return {.name = std::string(object["metadata"]["name"].string_or("")),
          .uid = std::string(object["metadata"]["uid"].string_or(""))};
}

// The object that the token shall die with.
void bind(Context& context, const authentication::BoundObjectReference& to, TokenClaims& claims) {
  const bool core = to.apiVersion == "v1" || to.apiVersion.empty();
  TokenObject bound;
  if (core && to.kind == "Pod") {
    const json::Value pod = load(context, "pods", claims.namespace_, to.name);
    if (pod["spec"]["serviceAccountName"].string_or("") != claims.account.name) {
      throw refuse::bad_request("cannot bind token for serviceaccount " + kube::go::quote(claims.account.name) +
                                " to pod running with different serviceaccount name.");
    }
    bound = claims.pod = object_of(pod);
    if (const std::string node(pod["spec"]["nodeName"].string_or("")); !node.empty()) {
      const auto stored = context.world.store.find({"nodes", node});
      claims.node = stored ? object_of(json::parse(*stored->bytes)) : TokenObject{.name = node};
    }
  } else if (core && to.kind == "Secret") {
    bound = claims.secret = object_of(load(context, "secrets", claims.namespace_, to.name));
  } else if (core && to.kind == "Node") {
    bound = claims.node = object_of(load(context, "nodes", "", to.name));
  } else {
    throw refuse::bad_request("cannot bind token to object of type " + to.apiVersion + ", Kind=" + to.kind);
  }
  if (!to.uid.empty() && to.uid != bound.uid) {
    throw refuse::conflict({"", to.kind}, to.name,
                           "the UID in the bound object reference (" + to.uid +
                               ") does not match the UID in record. The object might have been deleted and then "
                               "recreated");
  }
}

}  // namespace

net::Response answer_token_request(Context& context) {
  const std::string& name = context.call.name;
  const std::string& space = context.call.namespace_;
  const ResourcePointer kind = kind_resource("authentication.k8s.io/v1", "TokenRequest");
  const WriteOptions options = write_options(context.call, WriteKind::create);
  Decoded body = decode_body(context.call, kind, options.validation);
  report_strict(body.strict, options.validation, *kind, context.warnings);
  auto& request = body.object.as<authentication::TokenRequest>();
  check(request, name, space);
  const json::Value account = load(context, "serviceaccounts", space, name);
  TokenClaims claims{.subject = "system:serviceaccount:" + space + ":" + name,
                     .namespace_ = space,
                     .account = object_of(account),
                     .id = context.world.random.uuid()};
  if (!request.metadata.uid.empty() && request.metadata.uid != claims.account.uid) {
    throw refuse::conflict(kKind, name,
                           "the UID in the token request (" + request.metadata.uid +
                               ") does not match the UID of the service account (" + claims.account.uid + ")");
  }
  if (request.spec.audiences.empty()) request.spec.audiences = {std::string(kIssuer)};
  if (!request.spec.expirationSeconds) request.spec.expirationSeconds = kUsual;
  if (request.spec.boundObjectRef) bind(context, *request.spec.boundObjectRef, claims);
  const kube::Time now = context.now();
  const std::int64_t seconds = *request.spec.expirationSeconds;
  const bool ours = request.spec.audiences == std::vector<std::string>{std::string(kIssuer)};
  const bool extended = !claims.pod.name.empty() && seconds == kProjected && ours;
  claims.audiences = request.spec.audiences;
  claims.issued = std::chrono::floor<std::chrono::seconds>(context.world.clock.wall_now().time_since_epoch()).count();
  claims.expires = claims.issued + (extended ? kExtended : seconds);
  ObjectMeta& metadata = body.object.metadata();
  metadata.name = name;
  metadata.namespace_ = space;
  metadata.uid = claims.account.uid;
  metadata.creationTimestamp = now;
  auto& answer = body.object.as<authentication::TokenRequest>();
  answer.status = {.token = context.world.auth.tokens().issue(claims),
                   .expirationTimestamp = kube::Time(context.world.clock.wall_now() + std::chrono::seconds(seconds))};
  Context own{.world = context.world, .call = context.call, .resource = kind, .accept = context.accept};
  own.warnings = context.warnings;
  return render_object(own, 201, body.object.text());
}

json::Value openid_configuration() {
  return json::object({{"issuer", kIssuer},
                       {"jwks_uri", std::string(kIssuer) + "/openid/v1/jwks"},
                       {"response_types_supported", json::array({"id_token"})},
                       {"subject_types_supported", json::array({"public"})},
                       {"id_token_signing_alg_values_supported", json::array({"ES256"})}});
}

}  // namespace flyball::apiserver
