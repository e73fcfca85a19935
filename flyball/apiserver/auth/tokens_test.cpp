#include "flyball/apiserver/auth/tokens.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace flyball::apiserver {
namespace {

using namespace std::chrono_literals;

const TokenClaims kClaims{.audiences = {"https://kubernetes.default.svc.cluster.local", "other"},
                          .subject = "system:serviceaccount:shop:web",
                          .namespace_ = "shop",
                          .account = {.name = "web", .uid = "1"},
                          .pod = {.name = "web-0", .uid = "2"},
                          .node = {.name = "flyball", .uid = "3"},
                          .id = "4",
                          .issued = 1'000'000,
                          .expires = 1'003'600};

WallTime at(std::int64_t seconds) { return WallTime(std::chrono::seconds(seconds)); }

TEST(ServiceAccountTokens, SayWhatWasSignedAndNothingElse) {
  const TokenAuthority tokens(net::SigningKey::make());
  const std::string token = tokens.issue(kClaims);
  EXPECT_EQ(tokens.read(token, at(1'000'001)), kClaims);
  EXPECT_THROW(TokenAuthority(net::SigningKey::make()).read(token, at(1'000'001)), TokenError);
}

TEST(ServiceAccountTokens, AreGoodFromTheirFirstSecondToTheirLast) {
  const TokenAuthority tokens(net::SigningKey::make());
  const std::string token = tokens.issue(kClaims);
  EXPECT_NO_THROW(tokens.read(token, at(1'000'000)));
  EXPECT_NO_THROW(tokens.read(token, at(1'003'600)));
  EXPECT_THROW(tokens.read(token, at(1'003'700)), TokenError);
  EXPECT_THROW(tokens.read(token, at(999'000)), TokenError);
}

TEST(ServiceAccountTokens, AnyByteThatIsAnotherMakesThemWorthless) {
  const TokenAuthority tokens(net::SigningKey::make());
  const std::string token = tokens.issue(kClaims);
  for (std::size_t i = 0; i + 1 < token.size(); i += 7) {
    std::string other = token;
    other[i] = other[i] == 'A' ? 'B' : 'A';
    EXPECT_THROW(tokens.read(other, at(1'000'001)), TokenError) << i;
  }
  for (const char* wrong : {"", ".", "..", "a.b.c", "a", "eyJhbGciOiJub25lIn0.e30."}) {
    EXPECT_THROW(tokens.read(wrong, at(1'000'001)), TokenError) << wrong;
  }
}

TEST(ServiceAccountTokens, TheKeyIsToldToThoseWhoVerifyThemselves) {
  const json::Value keys = TokenAuthority(net::SigningKey::make()).keys();
  EXPECT_EQ(keys["keys"][0]["kty"].as_string(), "EC");
  EXPECT_EQ(keys["keys"][0]["x"].as_string().size(), 43U);
}

}  // namespace
}  // namespace flyball::apiserver
