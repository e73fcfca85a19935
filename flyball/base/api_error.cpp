#include "flyball/base/api_error.hpp"

#include <utility>

namespace flyball {
namespace {

struct Row {  // NOLINT(clang-analyzer-optin.performance.Padding): in the order it reads
  Reason reason;
  std::string_view name;
  int code;
};

// In the order of the enum: to_string and http_code index it. The first row of a code is what the bare code means,
// except for 409 (see reason_from_code).
constexpr Row kRows[] = {
    {Reason::Unknown, "", 500},
    {Reason::BadRequest, "BadRequest", 400},
    {Reason::Unauthorized, "Unauthorized", 401},
    {Reason::Forbidden, "Forbidden", 403},
    {Reason::NotFound, "NotFound", 404},
    {Reason::MethodNotAllowed, "MethodNotAllowed", 405},
    {Reason::NotAcceptable, "NotAcceptable", 406},
    {Reason::AlreadyExists, "AlreadyExists", 409},
    {Reason::Conflict, "Conflict", 409},
    {Reason::Gone, "Gone", 410},
    {Reason::Expired, "Expired", 410},
    {Reason::RequestEntityTooLarge, "RequestEntityTooLarge", 413},
    {Reason::UnsupportedMediaType, "UnsupportedMediaType", 415},
    {Reason::Invalid, "Invalid", 422},
    {Reason::TooManyRequests, "TooManyRequests", 429},
    {Reason::InternalError, "InternalError", 500},
    {Reason::StorageReadError, "StorageReadError", 500},
    {Reason::ServerTimeout, "ServerTimeout", 500},
    {Reason::ServiceUnavailable, "ServiceUnavailable", 503},
    {Reason::Timeout, "Timeout", 504},
};

const Row& row(Reason reason) noexcept { return kRows[static_cast<std::size_t>(reason)]; }

std::string sentence(const ApiError::Details& details) {
  if (!details.message.empty()) return details.message;
  const std::string_view name = to_string(details.reason);
  return "the API server answered " + std::to_string(details.code) + " " +
         (name.empty() ? std::string("without a reason") : std::string(name)) + " and no message";
}

ApiError::Details complete(ApiError::Details details) {
  if (details.reason == Reason::Unknown && details.code != 0) details.reason = reason_from_code(details.code);
  if (details.code == 0) details.code = http_code(details.reason);
  details.message = sentence(details);
  return details;
}

}  // namespace

std::string_view to_string(Reason reason) noexcept { return row(reason).name; }

Reason reason_from(std::string_view wire_name) noexcept {
  for (const Row& row : kRows) {
    if (row.name == wire_name) return row.reason;
  }
  return Reason::Unknown;
}

int http_code(Reason reason) noexcept { return row(reason).code; }

Reason reason_from_code(int code) noexcept {
  // A bare 409 is not "already exists": only a create can say that, and it says so by name.
  if (code == 409) return Reason::Conflict;
  for (const Row& row : kRows) {
    if (row.reason != Reason::Unknown && row.code == code) return row.reason;
  }
  return Reason::Unknown;
}

ApiError::ApiError(Details details) : Error(sentence(complete(details))), details_(complete(std::move(details))) {}

bool ApiError::is_retriable() const noexcept {
  return is_too_many_requests() || is_server_timeout() || is_service_unavailable() || details_.retry_after.has_value();
}

}  // namespace flyball
