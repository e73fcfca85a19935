// AdmissionReview: what a webhook is told, and what it answers.
//
//   const json::Value request = review_request(caller, asked, seen, objects, uid);
//   const json::Value review = review_of(request, "v1");
//   const ReviewAnswer answer = read_answer(caller.post(…, review, …), "v1", uid, true);
//
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/admission/attributes.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

// The objects as a webhook sees them; absent ones are null.
struct ReviewedObjects {
  json::Value object = {};
  json::Value old = {};
};

// What stands under `request`. `seen` is the resource the webhook asked for: that of the request, or an equivalent one.
json::Value review_request(const net::PeerIdentity& caller, const Attributes& asked, const Resource& seen,
                           const ReviewedObjects& objects, std::string_view uid);

// The first version that both sides know; empty for none.
std::string_view review_version(const std::vector<std::string>& versions);
json::Value review_of(const json::Value& request, std::string_view version);

struct ReviewAnswer {
  bool allowed = false;
  json::Value status = {};  // why not
  std::vector<std::string> warnings = {};
  std::string patch = {};  // JSON
  std::string patch_type = {};
};

// Throws Error for an answer that is none: what was expected, and what came.
ReviewAnswer read_answer(const json::Value& review, std::string_view version, std::string_view uid, bool mutating);

// "admission webhook "x" denied the request: " and why, with the status the webhook chose.
Refusal denial(std::string_view webhook, json::View status);

}  // namespace flyball::apiserver
