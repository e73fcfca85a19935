#include "flyball/client/subresources.hpp"

#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/client/detail/scripted_transport_for_test.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/authentication/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/policy/v1.hpp"
#include "flyball/kube/protobuf.hpp"

namespace flyball::client {
namespace {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;
using detail::json_answer;
using detail::protobuf_answer;

constexpr const char* kSuccess = R"({"kind":"Status","apiVersion":"v1","status":"Success","code":201})";

class SubresourcesTest : public testing::Test {
 public:
  ~SubresourcesTest() override { EXPECT_TRUE(transport.finished()) << "an answer was not asked for"; }
  const net::Request& sent() { return transport.requests.at(0); }

  ManualClock clock;
  Random random{1};
  detail::ScriptedTransport transport;
  Client client{transport, clock, random};
};

TEST_F(SubresourcesTest, Scales) {
  transport.answers(protobuf_answer(200, kube::to_protobuf(Scale{.spec = {.replicas = 3}})));
  EXPECT_EQ(scale<apps::Deployment>(client, {"shop", "web"}, 3).spec.replicas, 3);
  EXPECT_EQ(sent().target, "/apis/apps/v1/namespaces/shop/deployments/web/scale?fieldManager=flyball");
  EXPECT_EQ(sent().body, R"({"spec":{"replicas":3}})");
}

TEST_F(SubresourcesTest, ReadsAScale) {
  transport.answers(protobuf_answer(200, kube::to_protobuf(Scale{.status = {.replicas = 2}})));
  EXPECT_EQ(get_scale<apps::Deployment>(client, {"shop", "web"}).status.replicas, 2);
}

TEST_F(SubresourcesTest, EvictsAndDoesNotWaitForTheBudget) {
  transport.answers(json_answer(429, R"({"kind":"Status","reason":"TooManyRequests","code":429,
    "message":"Cannot evict pod as it would violate the pod's disruption budget.",
    "details":{"retryAfterSeconds":10}})"));
  EXPECT_THROW(evict(client, {"shop", "web-1"}, {.grace = std::chrono::seconds(5)}), ApiError);
  EXPECT_EQ(sent().target, "/api/v1/namespaces/shop/pods/web-1/eviction?fieldManager=flyball");
  const auto body = kube::from_protobuf<kube::policy::v1::Eviction>(sent().body);
  EXPECT_EQ(body.metadata.name, "web-1");
  EXPECT_EQ(body.deleteOptions->gracePeriodSeconds, 5);
}

TEST_F(SubresourcesTest, Binds) {
  transport.answers(json_answer(201, kSuccess));
  bind(client, {"shop", "web-1"}, "node-1");
  EXPECT_EQ(sent().target, "/api/v1/namespaces/shop/pods/web-1/binding?fieldManager=flyball");
  EXPECT_EQ(kube::from_protobuf<core::Binding>(sent().body).target.name, "node-1");
}

TEST_F(SubresourcesTest, AsksForATokenThatDoesNotPrint) {
  kube::authentication::v1::TokenRequest answer;
  answer.status.token = "hunter2";
  transport.answers(protobuf_answer(201, kube::to_protobuf(answer)));
  const IssuedToken issued =
      request_token(client, {"shop", "builder"}, {.audiences = {"vault"}, .expires = std::chrono::minutes(10)});
  EXPECT_EQ(issued.token.reveal(), "hunter2");
  EXPECT_EQ(sent().target, "/api/v1/namespaces/shop/serviceaccounts/builder/token?fieldManager=flyball");
  const auto body = kube::from_protobuf<kube::authentication::v1::TokenRequest>(sent().body);
  EXPECT_EQ(body.spec.expirationSeconds, 600);
}

}  // namespace
}  // namespace flyball::client
