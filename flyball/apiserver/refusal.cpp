#include "flyball/apiserver/refusal.hpp"

#include <utility>

#include "flyball/json/builder.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver {
namespace {

std::string quoted(std::string_view text) { return kube::go::quote(text); }

RefusalDetails about(const GroupName& what, std::string_view name) {
  return {.name = std::string(name), .group = what.group, .kind = what.name};
}

RefusalDetails no_details() { return {.present = false}; }

void write_text(json::Builder& to, std::string_view key, std::string_view text) {
  if (!text.empty()) to.key(key).string(text);
}

void write_causes(json::Builder& to, const std::vector<ApiError::Cause>& causes) {
  if (causes.empty()) return;
  to.key("causes").begin_array();
  for (const ApiError::Cause& cause : causes) {
    to.begin_object();
    write_text(to, "reason", cause.reason);
    write_text(to, "message", cause.message);
    write_text(to, "field", cause.field);
    to.end();
  }
  to.end();
}

}  // namespace

Refusal::Refusal(Details details, RefusalDetails about, std::string continue_token)
    : ApiError(std::move(details)), about_(std::move(about)), continue_(std::move(continue_token)) {}

json::Value Refusal::status() const {
  json::Builder to(512);
  to.begin_object();
  to.key("kind").string("Status");
  to.key("apiVersion").string("v1");
  to.key("metadata").begin_object();
  write_text(to, "continue", continue_);
  to.end();
  to.key("status").string("Failure");
  write_text(to, "message", message());
  if (about_.reason) {
    write_text(to, "reason", about_.reason_text.empty() ? to_string(reason()) : about_.reason_text);
  }
  if (about_.present) {
    to.key("details").begin_object();
    write_text(to, "name", about_.name);
    write_text(to, "group", about_.group);
    write_text(to, "kind", about_.kind);
    write_text(to, "uid", about_.uid);
    write_causes(to, causes());
    if (retry_after()) to.key("retryAfterSeconds").integer(retry_after()->count());
    to.end();
  }
  to.key("code").integer(code());
  to.end();
  return to.finish();
}

Refusal refusal_of(const std::exception& error) {
  if (const auto* refusal = dynamic_cast<const Refusal*>(&error)) return *refusal;
  if (const auto* api = dynamic_cast<const ApiError*>(&error)) {
    return {{.reason = api->reason(), .code = api->code(), .message = api->message(), .causes = api->causes()},
            {.present = !api->causes().empty(), .reason = api->code() != 500}};
  }
  return refuse::internal(error.what());
}

namespace refuse {

Refusal bad_request(std::string message) {
  return {{.reason = Reason::BadRequest, .message = std::move(message)}, no_details()};
}

Refusal not_found(const GroupName& resource, std::string_view name) {
  return {{.reason = Reason::NotFound, .message = resource.text() + " " + quoted(name) + " not found"},
          about(resource, name)};
}

Refusal no_such_path() {
  return {{.reason = Reason::NotFound, .message = "the server could not find the requested resource"}, {}};
}

Refusal already_exists(const GroupName& resource, std::string_view name) {
  return {{.reason = Reason::AlreadyExists, .message = resource.text() + " " + quoted(name) + " already exists"},
          about(resource, name)};
}

Refusal generated_name_taken(const GroupName& resource, std::string_view name) {
  return {{.reason = Reason::AlreadyExists,
           .message = resource.text() + " " + quoted(name) +
                      " already exists, the server was not able to generate a unique name for the object",
           .retry_after = std::chrono::seconds(1)},
          about(resource, name)};
}

Refusal conflict(const GroupName& resource, std::string_view name, std::string_view why) {
  return {
      {.reason = Reason::Conflict,
       .message = "Operation cannot be fulfilled on " + resource.text() + " " + quoted(name) + ": " + std::string(why)},
      about(resource, name)};
}

Refusal invalid(const GroupName& kind, std::string_view name, const Problems& problems) {
  std::string message = kind.text() + " " + quoted(name) + " is invalid";
  if (!problems.empty()) message += ": " + problems.text();
  return {{.reason = Reason::Invalid, .message = std::move(message), .causes = problems.causes()}, about(kind, name)};
}

Refusal forbidden(const GroupName& resource, std::string_view name, std::string_view why,
                  std::vector<ApiError::Cause> causes) {
  std::string message = resource.text();
  if (message.empty()) {
    message = "forbidden: ";
  } else {
    message += (name.empty() ? "" : " " + quoted(name)) + " is forbidden: ";
  }
  return {{.reason = Reason::Forbidden, .message = message + std::string(why), .causes = std::move(causes)},
          about(resource, name)};
}

Refusal unauthorized() { return {{.reason = Reason::Unauthorized, .message = "Unauthorized"}, no_details()}; }

Refusal wrong_method() {
  return {{.reason = Reason::MethodNotAllowed,
           .message = "the server does not allow this method on the requested resource"},
          {}};
}

Refusal not_acceptable(std::string_view supported) {
  return {{.reason = Reason::NotAcceptable,
           .message = "only the following media types are accepted: " + std::string(supported)},
          no_details()};
}

Refusal unsupported_media_type(std::string_view supported) {
  return {{.reason = Reason::UnsupportedMediaType,
           .message = "the body of the request was in an unknown format - accepted media types include: " +
                      std::string(supported)},
          no_details()};
}

Refusal expired(std::string message, std::string continue_token) {
  return {{.reason = Reason::Expired, .message = std::move(message)}, no_details(), std::move(continue_token)};
}

Refusal too_large_version(long long asked, long long now) {
  return {
      {.reason = Reason::Timeout,
       .message = "Timeout: Too large resource version: " + std::to_string(asked) + ", current: " + std::to_string(now),
       .causes = {{.reason = "ResourceVersionTooLarge", .message = "Too large resource version", .field = {}}},
       .retry_after = std::chrono::seconds(1)},
      {}};
}

Refusal request_too_large(std::string message) {
  return {{.reason = Reason::RequestEntityTooLarge, .message = "Request entity too large: " + std::move(message)},
          no_details()};
}

Refusal too_many_requests(std::string message, int retry_after, std::vector<ApiError::Cause> causes) {
  ApiError::Details details{
      .reason = Reason::TooManyRequests, .message = std::move(message), .causes = std::move(causes)};
  if (retry_after > 0) details.retry_after = std::chrono::seconds(retry_after);
  return {std::move(details), {}};
}

Refusal internal(std::string_view message) {
  return {{.reason = Reason::InternalError,
           .message = "Internal error occurred: " + std::string(message),
           .causes = {{.reason = {}, .message = std::string(message), .field = {}}}},
          {}};
}

}  // namespace refuse
}  // namespace flyball::apiserver
