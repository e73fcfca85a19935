#include "flyball/client/write_guard.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/client/client.hpp"
#include "flyball/client/detail/scripted_transport_for_test.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::client {
namespace {

namespace core = kube::core::v1;
using detail::json_answer;
using ::testing::HasSubstr;

constexpr const char* kMap =
    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings","namespace":"shop","resourceVersion":"7"}})";

core::ConfigMap settings() { return {.metadata = {.name = "settings", .namespace_ = "shop"}}; }

struct WriteGuardTest : ::testing::Test {
  WriteGuardTest() { me.bind(); }

  std::string error_of(const std::function<void()>& call) {
    try {
      call();
    } catch (const ApiError& error) {
      EXPECT_TRUE(error.is_forbidden());
      return error.what();
    }
    return "";
  }

  ManualClock clock{{.auto_advance = true}};
  Participant me{clock, "test"};
  Random random{1};
  detail::ScriptedTransport transport;
  Client client{transport, clock, random};
  bool open = true;
  int asked = 0;
  Client guarded = client.guarded([this](const net::Request& request) {
    ++asked;
    if (!open) throw ApiError(Reason::Forbidden, request.method + " is not to be sent");
  });
};

TEST_F(WriteGuardTest, IsAskedBeforeEveryWriteAndNoRead) {
  transport.answers(json_answer(200, kMap));
  (void)guarded.get<core::ConfigMap>({"shop", "settings"});
  EXPECT_EQ(asked, 0);
  transport.answers(json_answer(201, kMap));
  (void)guarded.create(settings());
  EXPECT_EQ(asked, 1);
  transport.answers(json_answer(200, kMap));
  guarded.delete_<core::ConfigMap>({"shop", "settings"});
  EXPECT_EQ(asked, 2);
}

TEST_F(WriteGuardTest, WhatItRefusesIsNotSentAndNotTriedAgain) {
  open = false;
  EXPECT_THAT(error_of([&] { guarded.create(settings()); }), HasSubstr("POST is not to be sent"));
  EXPECT_THAT(error_of([&] { guarded.apply(settings()); }), HasSubstr("PATCH is not to be sent"));
  EXPECT_THAT(
      error_of([&] { guarded.raw({.method = "PUT", .target = "/api/v1/namespaces/shop/configmaps/settings"}); }),
      HasSubstr("PUT is not to be sent"));
  EXPECT_EQ(asked, 3);
  EXPECT_TRUE(transport.requests.empty());
}

TEST_F(WriteGuardTest, ATryThatFollowsAFailureIsAskedAboutAgain) {
  transport.does([this](const net::Request&, const Stop&) -> net::Response {
    open = false;
    throw net::NetError(net::NetError::Kind::kConnect, "the connection to server:6443 broke");
  });
  EXPECT_THAT(error_of([&] { guarded.create(settings()); }), HasSubstr("is not to be sent"));
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(transport.requests.size(), 1U);
}

TEST_F(WriteGuardTest, TheClientItWasMadeFromIsNotGuarded) {
  open = false;
  transport.answers(json_answer(201, kMap));
  EXPECT_EQ(client.create(settings()).metadata.name, "settings");
  EXPECT_EQ(asked, 0);
}

TEST_F(WriteGuardTest, QuestionsThatAreAskedByPostAreNoWrites) {
  EXPECT_FALSE(may_write({.method = "POST", .target = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"}));
  EXPECT_FALSE(may_write({.method = "POST", .target = "/apis/authentication.k8s.io/v1/tokenreviews"}));
  EXPECT_FALSE(may_write({.method = "HEAD", .target = "/"}));
  EXPECT_TRUE(may_write({.method = "DELETE", .target = "/api/v1/namespaces/shop"}));
  EXPECT_TRUE(may_write({.method = "POST", .target = "/api/v1/namespaces/shop/pods/web/eviction"}));
}

}  // namespace
}  // namespace flyball::client
