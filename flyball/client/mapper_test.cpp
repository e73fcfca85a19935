#include "flyball/client/mapper.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/client/client.hpp"
#include "flyball/client/detail/scripted_transport_for_test.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::client {
namespace {

using namespace std::chrono_literals;
using detail::json_answer;
using testing::ElementsAre;
using testing::HasSubstr;

// As kube-apiserver answers, shortened.
constexpr const char* kApi = R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},
 "items":[{"metadata":{"creationTimestamp":null},"versions":[{"version":"v1","resources":[
  {"resource":"pods","responseKind":{"group":"","version":"v1","kind":"Pod"},"scope":"Namespaced",
   "singularResource":"pod","verbs":["get","list"],"shortNames":["po"],"categories":["all"],"subresources":[
    {"subresource":"status","responseKind":{"group":"","version":"v1","kind":"Pod"},"verbs":["get"]},
    {"subresource":"eviction","responseKind":{"group":"policy","version":"v1","kind":"Eviction"},"verbs":["create"]}]},
  {"resource":"nodes","responseKind":{"group":"","version":"v1","kind":"Node"},"scope":"Cluster",
   "singularResource":"node","verbs":["get"]}],"freshness":"Current"}]}]})";

constexpr const char* kApis = R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},
 "items":[{"metadata":{"name":"apps"},"versions":[{"version":"v1","resources":[
  {"resource":"deployments","responseKind":{"group":"","version":"","kind":"Deployment"},"scope":"Namespaced",
   "singularResource":"deployment","verbs":["get"],"shortNames":["deploy"]}]},
  {"version":"v1beta1","resources":[
  {"resource":"deployments","responseKind":{"kind":"Deployment"},"scope":"Namespaced","singularResource":"deployment"}]}
 ]}]})";

constexpr const char* kApisWithWidgets = R"({"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"example.com"},
 "versions":[{"version":"v1","resources":[{"resource":"widgets","responseKind":{"kind":"Widget"},"scope":"Namespaced",
 "singularResource":"widget"}]}]}]})";

class MapperTest : public testing::Test {
 public:
  ~MapperTest() override { EXPECT_TRUE(transport.finished()) << "an answer was not asked for"; }

  void discovers(const char* apis) {
    transport.answers(json_answer(200, kApi));
    transport.answers(json_answer(200, apis));
  }

  ManualClock clock;
  Random random{1};
  detail::ScriptedTransport transport;
  Client client{transport, clock, random};
  RestMapper& mapper = client.mapper();
};

template <class Call>
std::string not_found(Call call) {
  try {
    call();
  } catch (const ApiError& error) {
    EXPECT_TRUE(error.is_not_found());
    return error.what();
  }
  return "none";
}

TEST_F(MapperTest, FindsTheResourceOfAKind) {
  discovers(kApis);
  const Resource pods = mapper.resource({"", "v1", "Pod"}, {});
  EXPECT_EQ(pods.plural, "pods");
  EXPECT_TRUE(pods.namespaced);
  EXPECT_TRUE(pods.status);
  EXPECT_FALSE(mapper.resource({"", "v1", "Node"}, {}).namespaced);
  EXPECT_EQ(mapper.kind({"apps", "v1beta1", "deployments"}, {}), (GroupVersionKind{"apps", "v1beta1", "Deployment"}));
  EXPECT_EQ(transport.requests.size(), 2U) << "it remembers";
  EXPECT_THAT(std::string(transport.requests[0].headers.get("Accept")), HasSubstr("as=APIGroupDiscoveryList"));
}

TEST_F(MapperTest, WithoutAVersionTheServersChoiceIsTaken) {
  discovers(kApis);
  EXPECT_EQ(mapper.resource({.group = "apps", .kind = "Deployment"}, {}).kind.version, "v1");
}

TEST_F(MapperTest, ResolvesWhatPeopleType) {
  discovers(kApis);
  for (const char* name : {"deploy", "deployment", "deployments", "Deployment", "DEPLOYMENTS", "deployments.apps",
                           "deploy.apps", "deployments.v1.apps"}) {
    EXPECT_EQ(mapper.resolve(name, {}).kind, (GroupVersionKind{"apps", "v1", "Deployment"})) << name;
  }
  EXPECT_EQ(mapper.resolve("deployments.v1beta1.apps", {}).kind.version, "v1beta1");
  EXPECT_EQ(mapper.resolve("po", {}).kind.kind, "Pod");
  EXPECT_EQ(mapper.resolve("pods.v1", {}).kind.kind, "Pod");
  EXPECT_THAT(not_found([&] { mapper.resolve("deployments.batch", {}); }), HasSubstr("\"deployments.batch\""));
}

TEST_F(MapperTest, LearnsAKindThatCameLater) {
  discovers(kApis);
  mapper.resource({"", "v1", "Pod"}, {});
  clock.jump(2s);
  discovers(kApisWithWidgets);
  EXPECT_EQ(mapper.resource({"example.com", "v1", "Widget"}, {}).plural, "widgets");
}

TEST_F(MapperTest, DoesNotAskAgainForEveryMiss) {
  discovers(kApis);
  for (int i = 0; i < 3; ++i) not_found([&] { mapper.resource({"example.com", "v1", "Widget"}, {}); });
  EXPECT_EQ(transport.requests.size(), 2U);
  clock.jump(2s);
  discovers(kApis);
  for (int i = 0; i < 3; ++i) not_found([&] { mapper.resource({"example.com", "v1", "Widget"}, {}); });
}

TEST_F(MapperTest, AMissSaysInWhichVersionsTheKindIsThere) {
  discovers(kApis);
  EXPECT_EQ(not_found([&] { mapper.resource({"apps", "v2", "Deployment"}, {}); }),
            "the server has no kind Deployment in apps/v2, but it has one in apps/v1, apps/v1beta1");
}

TEST_F(MapperTest, AFailedQuestionIsAskedAgain) {
  transport.answers(json_answer(403, R"({"kind":"Status","reason":"Forbidden","code":403})"));
  EXPECT_THROW(mapper.resource({"", "v1", "Pod"}, {}), ApiError);
  discovers(kApis);
  EXPECT_EQ(mapper.resource({"", "v1", "Pod"}, {}).plural, "pods");
}

// Answers discovery, from any thread, when everybody has asked who will.
class SlowDiscovery final : public Transport {
 public:
  explicit SlowDiscovery(ManualClock& clock) : answer_(clock) {}

  net::Response send(net::Request request, const Stop& stop) override {
    MutexLock lock(mutex_);
    ++asked;
    answer_.wait(mutex_, stop, [&]() FLYBALL_REQUIRES(mutex_) { return open_; });
    return json_answer(200, request.target == "/api" ? kApi : kApis);
  }
  std::unique_ptr<BodyStream> open(net::Request, const Stop&, const OpenOptions&) override { return nullptr; }

  void let_go() {
    const MutexLock lock(mutex_);
    open_ = true;
    answer_.notify_all();
  }

  std::atomic<int> asked = 0;

 private:
  Mutex mutex_;
  Condition answer_;
  bool open_ FLYBALL_GUARDED_BY(mutex_) = false;
};

TEST_F(MapperTest, OneAsksAndTheOthersWaitForWhatItLearns) {
  SlowDiscovery server(clock);
  const Client shared(server, clock, random, {.timeout = {}});
  std::atomic<int> found = 0;
  {
    std::vector<std::unique_ptr<Thread>> threads;
    for (int i = 0; i < 4; ++i) {
      threads.push_back(std::make_unique<Thread>(clock, "asks", [&] {
        if (shared.mapper().resource({"", "v1", "Pod"}, {}).plural == "pods") ++found;
      }));
    }
    clock.settle();
    EXPECT_EQ(server.asked, 1);
    server.let_go();
    clock.settle();
  }
  EXPECT_EQ(found, 4);
  EXPECT_EQ(server.asked, 2) << "/api and /apis, once";
}

TEST_F(MapperTest, ForgottenThingsAreAskedAgain) {
  discovers(kApis);
  mapper.resource({"", "v1", "Pod"}, {});
  mapper.forget();
  discovers(kApis);
  EXPECT_EQ(mapper.all({}).size(), 4U);
}

TEST_F(MapperTest, OldServersAreAskedGroupByGroup) {
  transport.answers(json_answer(200, R"({"kind":"APIVersions","versions":["v1"]})"));
  transport.answers(json_answer(200, R"({"kind":"APIResourceList","groupVersion":"v1","resources":[
    {"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["get"],"shortNames":["po"]},
    {"name":"pods/status","singularName":"","namespaced":true,"kind":"Pod","verbs":["get"]}]})"));
  transport.answers(json_answer(200, R"({"kind":"APIGroupList","groups":[
    {"name":"apps","versions":[{"groupVersion":"apps/v1beta1"},{"groupVersion":"apps/v1"}],
     "preferredVersion":{"groupVersion":"apps/v1"}},
    {"name":"metrics.k8s.io","versions":[{"groupVersion":"metrics.k8s.io/v1beta1"}],
     "preferredVersion":{"groupVersion":"metrics.k8s.io/v1beta1"}}]})"));
  const char* deployments = R"({"kind":"APIResourceList","groupVersion":"apps/v1","resources":[
    {"name":"deployments","singularName":"deployment","namespaced":true,"kind":"Deployment"}]})";
  transport.answers(json_answer(200, deployments));
  transport.answers(json_answer(404, R"({"kind":"Status","reason":"NotFound","code":404})"));  // gone meanwhile
  transport.answers(
      json_answer(500, R"({"kind":"Status","reason":"InternalError","code":500})"));  // its server is down
  EXPECT_EQ(mapper.resource({.group = "apps", .kind = "Deployment"}, {}).kind.version, "v1");
  EXPECT_TRUE(mapper.resolve("po", {}).status);
  EXPECT_EQ(transport.requests[3].target, "/apis/apps/v1");
  EXPECT_EQ(transport.requests[4].target, "/apis/apps/v1beta1");
}

TEST_F(MapperTest, TheDynamicViewFindsItsResourceByItself) {
  discovers(kApisWithWidgets);
  transport.answers(json_answer(200, R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"}})"));
  const json::Value widget = client.dynamic({"example.com", "v1", "Widget"}).get({"shop", "w"});
  EXPECT_EQ(widget["metadata"]["name"].as_string(), "w");
  EXPECT_EQ(transport.requests[2].target, "/apis/example.com/v1/namespaces/shop/widgets/w");
}

}  // namespace
}  // namespace flyball::client
