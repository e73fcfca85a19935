// Refusal: what an answer of 400 and above says. A Status of Kubernetes, in JSON or protobuf; or, from whatever stands
// between us and the server, anything else, of which an excerpt is kept.
//
//   const Refusal refusal = read_refusal(answer, "GET /api/v1/pods");
//   throw ApiError(refusal.details);
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "flyball/base/api_error.hpp"
#include "flyball/net/http.hpp"

namespace flyball::client {

struct Refusal {
  ApiError::Details details = {};
  bool status = false;              // it was a Status
  std::string object = {};          // the name of the object the Status is about
  std::string continue_token = {};  // how a list whose token has expired may go on
  bool about_object() const { return status && !object.empty(); }
};

// `about` is the request, for messages.
Refusal read_refusal(const net::Response& answer, std::string_view about);

// The pause the answer asks for: of the header, or else of the Status.
std::optional<std::chrono::seconds> retry_after(const net::Headers& headers);

}  // namespace flyball::client
