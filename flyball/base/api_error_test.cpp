#include "flyball/base/api_error.hpp"

#include <gtest/gtest.h>

namespace flyball {
namespace {

TEST(ApiError, EveryReasonSurvivesTheWire) {
  for (int i = 0; i <= static_cast<int>(Reason::Timeout); ++i) {
    const auto reason = static_cast<Reason>(i);
    EXPECT_EQ(reason_from(to_string(reason)), reason) << to_string(reason);
    EXPECT_GE(http_code(reason), 400);
  }
  EXPECT_EQ(to_string(Reason::Timeout), "Timeout");
  EXPECT_EQ(to_string(Reason::Conflict), "Conflict");
  EXPECT_EQ(reason_from("SomethingNew"), Reason::Unknown);
}

TEST(ApiError, ABareCodeMeansItsUsualReason) {
  EXPECT_EQ(reason_from_code(404), Reason::NotFound);
  EXPECT_EQ(reason_from_code(409), Reason::Conflict);
  EXPECT_EQ(reason_from_code(410), Reason::Gone);
  EXPECT_EQ(reason_from_code(422), Reason::Invalid);
  EXPECT_EQ(reason_from_code(500), Reason::InternalError);
  EXPECT_EQ(reason_from_code(504), Reason::Timeout);
  EXPECT_EQ(reason_from_code(418), Reason::Unknown);
  EXPECT_TRUE(ApiError({.code = 404, .message = "gone fishing"}).is_not_found());
}

TEST(ApiError, IsCaughtAsErrorAndCarriesWhatTheServerSaid) {
  // [snippet: api-error]
  try {
    throw ApiError({.reason = Reason::Invalid,
                    .message = "Memcached \"cache\" is invalid: spec.size: Invalid value: 12",
                    .causes = {{"FieldValueInvalid", "must be at most 10", "spec.size"}}});
  } catch (const ApiError& e) {
    EXPECT_TRUE(e.is_invalid());
    EXPECT_EQ(e.code(), 422);
    EXPECT_EQ(e.causes().front().field, "spec.size");
  }
  // [end]
  try {
    throw ApiError(Reason::NotFound, "pods \"a\" not found");
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "pods \"a\" not found");
  }
}

TEST(ApiError, SaysSomethingEvenWhenTheServerDidNot) {
  EXPECT_STREQ(ApiError({.code = 503}).what(), "the API server answered 503 ServiceUnavailable and no message");
  EXPECT_STREQ(ApiError({.code = 418}).what(), "the API server answered 418 without a reason and no message");
}

TEST(ApiError, OnlyHarmlessRefusalsAreRetriable) {
  EXPECT_TRUE(ApiError(Reason::TooManyRequests, "slow down").is_retriable());
  EXPECT_TRUE(ApiError({.reason = Reason::InternalError, .retry_after = std::chrono::seconds(1)}).is_retriable());
  EXPECT_FALSE(ApiError(Reason::Timeout, "maybe done").is_retriable());
  EXPECT_FALSE(ApiError(Reason::Conflict, "changed").is_retriable());
}

}  // namespace
}  // namespace flyball
