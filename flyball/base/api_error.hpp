// ApiError: what the API server said no with. One type, told apart by `reason()`, which mirrors the reasons of
// Kubernetes' Status object.
//
//   try {
//     client.create(pod);
//   } catch (const ApiError& e) {
//     if (!e.is_already_exists()) throw;
//   }
//
// Where absence is normal there is no exception: `find()` returns an empty optional.
//
// Thread-safety: exceptions are values; share them as you share strings.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/error.hpp"

namespace flyball {

// Why the server refused, as Status.reason names it. The comment is the HTTP code that goes with it.
enum class Reason {
  Unknown,                // 500: the server gave no reason, or one we do not know
  BadRequest,             // 400
  Unauthorized,           // 401: who are you?
  Forbidden,              // 403: you may not
  NotFound,               // 404
  MethodNotAllowed,       // 405
  NotAcceptable,          // 406
  AlreadyExists,          // 409: on create
  Conflict,               // 409: the object changed since it was read, or a field has another owner
  Gone,                   // 410: it was here and will not come back
  Expired,                // 410: the resource version or the continue token is too old
  RequestEntityTooLarge,  // 413
  UnsupportedMediaType,   // 415
  Invalid,                // 422: the object broke validation; `causes()` names the fields
  TooManyRequests,        // 429
  InternalError,          // 500
  StorageReadError,       // 500: the server could not read or decode what it had stored
  ServerTimeout,          // 500: the server could not finish in time; it is known that nothing was done
  ServiceUnavailable,     // 503
  Timeout,                // 504: it is not known whether it was done
};

// The wire name ("NotFound"); empty for Unknown, as Kubernetes writes it.
std::string_view to_string(Reason reason) noexcept;

// The reason of a wire name; Unknown for a name we do not know.
Reason reason_from(std::string_view wire_name) noexcept;

// The HTTP code Kubernetes sends with a reason, and the likeliest reason behind an HTTP code (a proxy's bare 503).
int http_code(Reason reason) noexcept;
Reason reason_from_code(int code) noexcept;

class ApiError : public Error {
 public:
  // One detail of the refusal: for Invalid, one per wrong field.
  struct Cause {
    std::string reason;   // "FieldValueRequired"
    std::string message;  // "Required value: must name an image"
    std::string field;    // "spec.containers[0].image"
    friend bool operator==(const Cause&, const Cause&) = default;
  };

  struct Details {
    Reason reason = Reason::Unknown;
    int code = 0;              // the HTTP code; 0 means the one that goes with the reason
    std::string message = {};  // for a person; empty means one is made from reason and code
    std::vector<Cause> causes = {};
    std::optional<std::chrono::seconds> retry_after = {};  // the server asks for this pause before the next try
  };

  // A reason of Unknown with a code takes the reason that code stands for.
  explicit ApiError(Details details);
  ApiError(Reason reason, std::string message) : ApiError(Details{.reason = reason, .message = std::move(message)}) {}

  Reason reason() const noexcept { return details_.reason; }
  int code() const noexcept { return details_.code; }
  const std::string& message() const noexcept { return details_.message; }
  const std::vector<Cause>& causes() const noexcept { return details_.causes; }
  std::optional<std::chrono::seconds> retry_after() const noexcept { return details_.retry_after; }

  bool is_not_found() const noexcept { return is(Reason::NotFound); }
  bool is_already_exists() const noexcept { return is(Reason::AlreadyExists); }
  bool is_conflict() const noexcept { return is(Reason::Conflict); }
  bool is_invalid() const noexcept { return is(Reason::Invalid); }
  bool is_bad_request() const noexcept { return is(Reason::BadRequest); }
  bool is_unauthorized() const noexcept { return is(Reason::Unauthorized); }
  bool is_forbidden() const noexcept { return is(Reason::Forbidden); }
  bool is_gone() const noexcept { return is(Reason::Gone); }
  bool is_expired() const noexcept { return is(Reason::Expired); }
  bool is_too_many_requests() const noexcept { return is(Reason::TooManyRequests); }
  bool is_timeout() const noexcept { return is(Reason::Timeout); }
  bool is_server_timeout() const noexcept { return is(Reason::ServerTimeout); }
  bool is_internal_error() const noexcept { return is(Reason::InternalError); }
  bool is_service_unavailable() const noexcept { return is(Reason::ServiceUnavailable); }

  // The server asks for, or clearly allows, the same request again later.
  bool is_retriable() const noexcept;

 private:
  bool is(Reason reason) const noexcept { return details_.reason == reason; }

  Details details_;
};

}  // namespace flyball
