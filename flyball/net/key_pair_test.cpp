#include "flyball/net/key_pair.hpp"

#include <gtest/gtest.h>

#include "flyball/base/clock.hpp"
#include "flyball/net/certificate.hpp"

namespace flyball::net {
namespace {

struct KeyPairs : ::testing::Test {
  RealClock clock;
  CertificateAuthority authority = CertificateAuthority::make({.common_name = "authority", .from = clock.wall_now()});
  KeyPair pair = authority.issue({.common_name = "one", .from = clock.wall_now()});
  KeyPair other = authority.issue({.common_name = "other", .from = clock.wall_now()});
};

TEST_F(KeyPairs, ThoseMadeTogetherBelongTogether) {
  EXPECT_EQ(key_pair_problem(pair.certificate, pair.key.reveal()), "");
  EXPECT_EQ(key_pair_problem("a comment\n" + pair.certificate + authority.certificate(), pair.key.reveal()), "");
}

TEST_F(KeyPairs, WhatIsWrongIsToldInTheWordsOfGo) {
  const std::string& key = pair.key.reveal();
  EXPECT_EQ(key_pair_problem(pair.certificate, other.key.reveal()), "tls: private key does not match public key");
  EXPECT_EQ(key_pair_problem("", key), "tls: failed to find any PEM data in certificate input");
  EXPECT_EQ(key_pair_problem(pair.certificate, "x"), "tls: failed to find any PEM data in key input");
  EXPECT_EQ(key_pair_problem(key, pair.certificate),
            "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may "
            "have been switched");
  EXPECT_EQ(key_pair_problem(pair.certificate, pair.certificate),
            "tls: found a certificate rather than a key in the PEM for the private key");
  EXPECT_EQ(
      key_pair_problem("-----BEGIN A-----\nAAAA\n-----END A-----\n-----BEGIN B-----\nAAAA\n-----END B-----\n", key),
      "tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping PEM blocks of the "
      "following types: [A B]");
  EXPECT_EQ(key_pair_problem("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", key),
            "x509: malformed certificate");
  EXPECT_EQ(key_pair_problem(pair.certificate, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
            "tls: failed to parse private key");
}

}  // namespace
}  // namespace flyball::net
