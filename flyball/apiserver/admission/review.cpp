#include "flyball/apiserver/admission/review.hpp"

#include "flyball/json/builder.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::string_view kGroup = "admission.k8s.io/";
constexpr std::string_view kKind = "AdmissionReview";

void write_kind(json::Builder& to, std::string_view key, const Resource& kind) {
  to.key(key).begin_object();
  to.key("group").string(kind.group);
  to.key("version").string(kind.version);
  to.key("kind").string(kind.kind);
  to.end();
}

void write_resource(json::Builder& to, std::string_view key, const Resource& resource) {
  to.key(key).begin_object();
  to.key("group").string(resource.group);
  to.key("version").string(resource.version);
  to.key("resource").string(resource.plural);
  to.end();
}

void write_text(json::Builder& to, std::string_view key, std::string_view text) {
  if (!text.empty()) to.key(key).string(text);
}

void write_user(json::Builder& to, const net::PeerIdentity& caller) {
  to.key("userInfo").begin_object();
  write_text(to, "username", caller.common_name);
  if (!caller.organizations.empty()) {
    to.key("groups").begin_array();
    for (const std::string& group : caller.organizations) to.string(group);
    to.end();
  }
  to.end();
}

// As Go prints a group, a version and a kind.
std::string go_kind(json::View review) {
  const std::string_view api_version = review["apiVersion"].string_or({});
  const std::string kind(review["kind"].string_or({}));
  const bool grouped = api_version.find('/') != std::string_view::npos;
  return (grouped ? "" : "/") + std::string(api_version) + ", Kind=" + kind;
}

void read_patch(json::View response, std::string_view version, bool mutating, ReviewAnswer& answer) {
  const std::string_view encoded = response["patch"].string_or({});
  const bool typed = response["patchType"].is_string();
  if (!mutating) {
    if (!encoded.empty()) throw Error("validating webhook may not return response.patch");
    if (typed) throw Error("validating webhook may not return response.patchType");
    return;
  }
  answer.patch_type = response["patchType"].string_or({});
  if (version == "v1") {
    if (!encoded.empty() && !typed) throw Error("webhook returned response.patch but not response.patchType");
    if (encoded.empty() && typed) throw Error("webhook returned response.patchType but not response.patch");
    if (typed && answer.patch_type.empty()) throw Error("webhook returned invalid response.patchType of \"\"");
  } else if (!encoded.empty()) {
    answer.patch_type = "JSONPatch";
  }
  auto patch = kube::from_base64(encoded);
  if (!patch) throw Error("response.patch is not base64");
  answer.patch = std::move(*patch);
}

}  // namespace

json::Value review_request(const net::PeerIdentity& caller, const Attributes& asked, const Resource& seen,
                           const ReviewedObjects& objects, std::string_view uid) {
  json::Builder to(1024);
  to.begin_object();
  to.key("uid").string(uid);
  write_kind(to, "kind", asked.is_own_kind() ? seen : asked.kind());
  write_resource(to, "resource", seen);
  write_text(to, "subResource", asked.subresource);
  write_kind(to, "requestKind", asked.kind());
  write_resource(to, "requestResource", *asked.resource);
  write_text(to, "requestSubResource", asked.subresource);
  write_text(to, "name", asked.name);
  write_text(to, "namespace", asked.namespace_);
  to.key("operation").string(to_string(asked.operation));
  write_user(to, caller);
  to.key("object").value(objects.object);
  to.key("oldObject").value(objects.old);
  to.key("dryRun").boolean(asked.dry_run);
  to.key("options").value(asked.options);
  to.end();
  return to.finish();
}

std::string_view review_version(const std::vector<std::string>& versions) {
  for (const std::string& each : versions) {
    if (each == "v1" || each == "v1beta1") return each;
  }
  return {};
}

json::Value review_of(const json::Value& request, std::string_view version) {
  return json::object(
      {{"kind", kKind}, {"apiVersion", std::string(kGroup) + std::string(version)}, {"request", request}});
}

ReviewAnswer read_answer(const json::Value& review, std::string_view version, std::string_view uid, bool mutating) {
  const json::View response = review["response"];
  if (!response.is_object()) throw Error("webhook response was absent");
  if (version == "v1") {
    if (const std::string_view got = response["uid"].string_or({}); got != uid) {
      throw Error("expected response.uid=" + kube::go::quote(uid) + ", got " + kube::go::quote(got));
    }
    const std::string expected = std::string(kGroup) + "v1, Kind=" + std::string(kKind);
    if (const std::string got = go_kind(review); got != expected) {
      throw Error("expected webhook response of " + expected + ", got " + got);
    }
  }
  ReviewAnswer answer{.allowed = response["allowed"].is_bool() && response["allowed"].as_bool(),
                      .status = json::Value(response["status"])};
  for (const json::View warning : response["warnings"].items()) answer.warnings.emplace_back(warning.string_or({}));
  read_patch(response, version, mutating, answer);
  return answer;
}

Refusal denial(std::string_view webhook, json::View status) {
  std::string message = "admission webhook " + kube::go::quote(webhook) + " denied the request";
  const std::string_view said = status["message"].string_or({});
  const std::string_view reason = status["reason"].string_or({});
  if (!said.empty()) {
    message += ": " + std::string(said);
  } else if (!reason.empty()) {
    message += ": " + std::string(reason);
  } else {
    message += " without explanation";
  }
  const int code = status["code"].is_int() ? static_cast<int>(status["code"].as_int()) : 0;
  ApiError::Details details{.code = code < 400 ? 400 : code, .message = std::move(message)};
  details.reason = reason_from(reason);
  const json::View given = status["details"];
  RefusalDetails about{.name = std::string(given["name"].string_or({})),
                       .group = std::string(given["group"].string_or({})),
                       .kind = std::string(given["kind"].string_or({})),
                       .uid = std::string(given["uid"].string_or({})),
                       .present = given.is_object(),
                       .reason = !reason.empty(),
                       .reason_text = std::string(reason)};
  for (const json::View cause : given["causes"].items()) {
    details.causes.push_back({.reason = std::string(cause["reason"].string_or({})),
                              .message = std::string(cause["message"].string_or({})),
                              .field = std::string(cause["field"].string_or({}))});
  }
  if (const json::View after = given["retryAfterSeconds"]; after.is_int()) {
    details.retry_after = std::chrono::seconds(after.as_int());
  }
  return {std::move(details), std::move(about)};
}

}  // namespace flyball::apiserver
