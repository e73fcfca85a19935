#include "flyball/client/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/kube/meta/v1.hpp"
#include "flyball/kube/protobuf.hpp"

namespace flyball::client {
namespace {

using kube::meta::v1::Status;
using kube::meta::v1::StatusCause;
using kube::meta::v1::StatusDetails;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kInvalid = R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",
  "message":"Pod \"web\" is invalid: spec.containers: Required value","reason":"Invalid",
  "details":{"name":"web","kind":"Pod","causes":[
    {"reason":"FieldValueRequired","message":"Required value","field":"spec.containers"}]},"code":422})";

TEST(Refusal, SaysWhatTheStatusSays) {
  const Refusal refusal = read_refusal({.status = 422, .body = kInvalid}, "POST /api/v1/pods");
  EXPECT_TRUE(refusal.about_object());
  EXPECT_EQ(refusal.object, "web");
  EXPECT_EQ(refusal.details.reason, Reason::Invalid);
  EXPECT_EQ(refusal.details.code, 422);
  EXPECT_EQ(refusal.details.message, "Pod \"web\" is invalid: spec.containers: Required value");
  ASSERT_EQ(refusal.details.causes.size(), 1U);
  EXPECT_EQ(refusal.details.causes[0], (ApiError::Cause{"FieldValueRequired", "Required value", "spec.containers"}));
}

TEST(Refusal, ReadsAStatusInProtobuf) {
  Status status{.status = "Failure", .message = "slow down", .reason = "TooManyRequests", .code = 429};
  status.details = StatusDetails{.retryAfterSeconds = 3};
  const Refusal refusal = read_refusal({.status = 429, .body = kube::to_protobuf(status)}, "GET /api/v1/pods");
  EXPECT_EQ(refusal.details.reason, Reason::TooManyRequests);
  EXPECT_EQ(refusal.details.message, "slow down");
  EXPECT_EQ(refusal.details.retry_after, std::chrono::seconds(3));
}

TEST(Refusal, TheHeaderWinsOverTheStatus) {
  Status status{.reason = "TooManyRequests"};
  status.details = StatusDetails{.retryAfterSeconds = 3};
  const Refusal refusal =
      read_refusal({.status = 429, .headers = {{"Retry-After", "8"}}, .body = kube::to_protobuf(status)}, "GET /");
  EXPECT_EQ(refusal.details.retry_after, std::chrono::seconds(8));
}

TEST(Refusal, ARetryAfterThatIsNoNumberOfSecondsIsNone) {
  for (const char* text : {"", "soon", "-1", "1.5", "Wed, 21 Oct 2015 07:28:00 GMT", "99999999999999999999"}) {
    EXPECT_EQ(retry_after({{"Retry-After", text}}), std::nullopt) << text;
  }
}

TEST(Refusal, WhatAProxySaysIsKept) {
  const Refusal refusal = read_refusal(
      {.status = 502, .reason = "Bad Gateway", .body = "<html>\n  <h1>upstream\tis down</h1>\n</html>\n"}, "GET /api");
  EXPECT_FALSE(refusal.status);
  EXPECT_EQ(refusal.details.message,
            "GET /api: the answer is 502 Bad Gateway and not one of Kubernetes: <html> <h1>upstream is down</h1> "
            "</html>");
}

TEST(Refusal, OfALongBodyAnExcerptIsKept) {
  const Refusal refusal = read_refusal({.status = 500, .body = std::string(100'000, 'x')}, "GET /api");
  EXPECT_LT(refusal.details.message.size(), 700U);
  EXPECT_THAT(refusal.details.message, HasSubstr("xxx…"));
}

TEST(Refusal, AnExcerptIsAlwaysText) {
  std::string body;
  for (int i = 0; i < 300; ++i) body += "ä";  // cut off in the middle of one
  body = "x" + body + "\xff";
  const Refusal refusal = read_refusal({.status = 500, .body = body}, "GET /api");
  EXPECT_EQ(refusal.details.message.find('\xff'), std::string::npos);
  const Refusal binary = read_refusal({.status = 500, .body = std::string("k8s\0\xff\xff garbage", 14)}, "GET /api");
  EXPECT_FALSE(binary.status);
  EXPECT_THAT(binary.details.message, HasSubstr("garbage"));
}

TEST(Refusal, AnEmptyBodyIsSaidToBeEmpty) {
  EXPECT_EQ(read_refusal({.status = 503}, "GET /api").details.message,
            "GET /api: the answer is 503 Service Unavailable with an empty body");
}

TEST(Refusal, AMessageThatNamesNothingGetsTheRequest) {
  const Refusal refusal = read_refusal({.status = 422, .body = R"({"kind":"Status","reason":"Invalid",
        "message":"the server rejected our request due to an error in our request"})"},
                                       "PATCH /api/v1/pods/x");
  EXPECT_EQ(refusal.details.message,
            "the server rejected our request due to an error in our request (PATCH /api/v1/pods/x)");
}

TEST(Refusal, JsonThatIsNoStatusIsShown) {
  const Refusal refusal = read_refusal({.status = 401, .body = R"({"error":"token expired"})"}, "GET /api");
  EXPECT_FALSE(refusal.status);
  EXPECT_THAT(refusal.details.message, HasSubstr("token expired"));
  EXPECT_EQ(ApiError(refusal.details).reason(), Reason::Unauthorized);
}

}  // namespace
}  // namespace flyball::client
