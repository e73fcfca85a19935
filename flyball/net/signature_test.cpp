#include "flyball/net/signature.hpp"

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"

namespace flyball::net {
namespace {

TEST(SigningKey, WhatItSignsVerifiesAndNothingElseDoes) {
  const SigningKey key = SigningKey::make();
  std::string signature = key.sign("header.claims");
  ASSERT_EQ(signature.size(), 64U);
  EXPECT_TRUE(verify_signature(key.public_pem(), "header.claims", signature));
  EXPECT_FALSE(verify_signature(key.public_pem(), "header.claimz", signature));
  EXPECT_FALSE(verify_signature(SigningKey::make().public_pem(), "header.claims", signature));
  signature[40] = static_cast<char>(signature[40] ^ 1);
  EXPECT_FALSE(verify_signature(key.public_pem(), "header.claims", signature));
}

TEST(SigningKey, WhatIsNoSignatureIsNone) {
  const SigningKey key = SigningKey::make();
  EXPECT_FALSE(verify_signature(key.public_pem(), "text", ""));
  EXPECT_FALSE(verify_signature(key.public_pem(), "text", "short"));
  EXPECT_FALSE(verify_signature(key.public_pem(), "text", std::string(64, '\0')));
  EXPECT_FALSE(verify_signature(key.public_pem(), "text", std::string(64, '\xff')));
}

TEST(SigningKey, ComesBackFromItsText) {
  const SigningKey key = SigningKey::make();
  const SigningKey same(key.private_pem());
  EXPECT_EQ(same.public_pem(), key.public_pem());
  EXPECT_EQ(key.x().size(), 32U);
  EXPECT_EQ(same.x(), key.x());
  EXPECT_EQ(same.y(), key.y());
  EXPECT_TRUE(verify_signature(key.public_pem(), "text", same.sign("text")));
}

TEST(SigningKey, WhatIsNoKeyIsRefused) {
  EXPECT_THROW(SigningKey(Secret("no key")), InputError);
  EXPECT_THROW(verify_signature("no key", "text", std::string(64, 'a')), InputError);
}

}  // namespace
}  // namespace flyball::net
