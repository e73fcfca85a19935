#include "flyball/image/reference.hpp"

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/image/challenge.hpp"

namespace flyball::image {
namespace {

TEST(Reference, IsTakenApart) {
  const auto local = Reference::parse("localhost:5000/shop/web:1.2");
  EXPECT_EQ(local.host, "localhost:5000");
  EXPECT_EQ(local.repository, "shop/web");
  EXPECT_EQ(local.tag, "1.2");
  EXPECT_EQ(Reference::parse("memcached").text(), "docker.io/library/memcached:latest");
  EXPECT_EQ(Reference::parse("shop/web").text(), "docker.io/shop/web:latest");
  EXPECT_EQ(Reference::parse("ghcr.io/shop/web").text(), "ghcr.io/shop/web:latest");
  const std::string digest = "sha256:" + std::string(64, 'a');
  EXPECT_EQ(Reference::parse("ghcr.io/web@" + digest).version(), digest);
  EXPECT_EQ(Reference::parse("ghcr.io/web:1@" + digest).version(), digest);
}

TEST(Reference, WrongNamesAreRefused) {
  for (const char* name :
       {"", "Web", "web:", "web:-x", "a//b", "/a", "a/", "web@sha256:12", "-web", "a b", "localhost:5000/"}) {
    EXPECT_THROW(Reference::parse(name), InputError) << name;
  }
}

TEST(Challenge, IsTakenApart) {
  const auto bearer = parse_challenge(
      R"(Bearer realm="https://auth.example.com/token", Service=registry,scope="repository:a/b:pull,push")");
  EXPECT_EQ(bearer.scheme, "bearer");
  EXPECT_EQ(bearer.parameters.at("realm"), "https://auth.example.com/token");
  EXPECT_EQ(bearer.parameters.at("service"), "registry");
  EXPECT_EQ(bearer.parameters.at("scope"), "repository:a/b:pull,push");
  EXPECT_EQ(parse_challenge(R"(Basic realm="a \"b\"")").parameters.at("realm"), "a \"b\"");
  EXPECT_EQ(parse_challenge("").scheme, "");
  EXPECT_EQ(parse_challenge(R"(Bearer realm="open)").parameters.at("realm"), "open");
}

}  // namespace
}  // namespace flyball::image
