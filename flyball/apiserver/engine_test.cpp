#include "flyball/apiserver/engine.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "flyball/apiserver/frame_cache.hpp"
#include "flyball/apiserver/go_errors.hpp"
#include "flyball/base/manual_clock.hpp"
#include "flyball/base/random.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"

namespace flyball::apiserver {
namespace {

struct EngineByHand : ::testing::Test {
  ManualClock clock;
  Random random{1};
  Store store{clock};
  Engine engine{clock, random, store, {.namespace_defaults = false}};
  const net::PeerIdentity admin{.common_name = "admin", .organizations = {"system:masters"}};

  net::Response ask(std::string method, std::string target, std::string body = {}, std::string type = {}) {
    net::Request request{.method = std::move(method), .target = std::move(target), .body = std::move(body)};
    if (!type.empty()) request.headers.set("Content-Type", type);
    return engine.handle(request, admin, {});
  }
  net::Response protobuf(std::string method, std::string target, std::string body = {}) {
    net::Request request{.method = std::move(method), .target = std::move(target), .body = std::move(body)};
    request.headers.set("Accept", "application/vnd.kubernetes.protobuf");
    return engine.handle(request, admin, {});
  }
  net::Response make(const std::string& name, const std::string& metadata = {}) {
    return ask("POST", "/api/v1/namespaces/default/configmaps",
               R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name + "\"" + metadata + "}}");
  }
};

TEST_F(EngineByHand, DeleteOptionsInProtobufMayBeThoseOfAnyGroup) {
  const std::string path = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  ASSERT_EQ(ask("POST", path, R"({"metadata":{"name":"one"}})", "application/json").status, 201);
  const std::string options = kube::seal_envelope({.api_version = "coordination.k8s.io/v1", .kind = "DeleteOptions"});
  EXPECT_EQ(ask("DELETE", path + "/one", options, "application/vnd.kubernetes.protobuf").status, 200);
  EXPECT_EQ(ask("GET", path + "/one").status, 404);
}

TEST_F(EngineByHand, ForgetsThePastWhenItIsOlderThanTheOptionsAllow) {
  make("before");
  const std::string then = std::to_string(store.revision());
  make("after");
  const std::string old_list = "/api/v1/configmaps?resourceVersionMatch=Exact&resourceVersion=" + then;
  EXPECT_EQ(ask("GET", old_list).status, 200);
  // The revision of one period ago is the oldest: two periods make sure of it.
  for (int period = 0; period < 2; ++period) {
    clock.advance(std::chrono::minutes(5));
    ask("GET", "/api/v1/configmaps");
  }
  EXPECT_EQ(ask("GET", old_list).status, 410);
  const net::Response watch = ask("GET", "/api/v1/configmaps?watch=1&resourceVersion=" + then);
  EXPECT_EQ(json::parse(watch.body)["object"]["code"].as_int(), 410) << watch.body;
}

TEST_F(EngineByHand, ANamespaceThatWaitsForItsFinalizersStaysWhenItsStatusIsWritten) {
  ASSERT_EQ(
      ask("POST", "/api/v1/namespaces", R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"}})").status,
      201);
  const std::string path = "/api/v1/namespaces/shop";
  ASSERT_EQ(ask("DELETE", path).status, 200);
  const std::string condition = R"({"status":{"conditions":[{"type":"NamespaceContentRemaining","status":"True"}]}})";
  ASSERT_EQ(ask("PATCH", path + "/status", condition, "application/merge-patch+json").status, 200);
  const net::Response space = ask("GET", path);
  ASSERT_EQ(space.status, 200);
  std::string without = space.body;
  without.replace(without.find(R"("kubernetes")"), 12, "");
  EXPECT_EQ(ask("PUT", path + "/finalize", without, "application/json").status, 200);
  EXPECT_EQ(ask("GET", path).status, 404);
}

TEST_F(EngineByHand, ReleasesAnObjectWhoeverWritesBesides) {
  // One takes the last finalizer away without naming a version, the others change something at the same moment: nobody
  // is told to come back.
  constexpr int kThreads = 4;
  for (int round = 0; round < 20; ++round) {
    const std::string name = "held" + std::to_string(round);
    ASSERT_EQ(make(name, R"(,"finalizers":["example.com/hold"])").status, 201);
    const std::string path = "/api/v1/namespaces/default/configmaps/" + name;
    ASSERT_EQ(ask("DELETE", path).status, 200);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        const std::string body =
            i == 0 ? R"({"metadata":{"finalizers":null}})" : R"({"data":{"k":")" + std::to_string(i) + "\"}}";
        const int status = ask("PATCH", path, body, "application/merge-patch+json").status;
        EXPECT_TRUE(status == 200 || (i != 0 && status == 404)) << status;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(ask("GET", path).status, 404);
  }
}

TEST_F(EngineByHand, SelectsByTheFieldsOfTheVersionThatIsAskedFor) {
  const net::Response made = ask("POST", "/api/v1/namespaces/default/events", R"({"apiVersion":"v1","kind":"Event",
    "metadata":{"name":"e"},"involvedObject":{"kind":"Pod","namespace":"default","name":"web"},"reason":"Made",
    "type":"Normal"})");
  ASSERT_EQ(made.status, 201) << made.body;
  const auto count = [&](const std::string& path) { return json::parse(ask("GET", path).body)["items"].size(); };
  EXPECT_EQ(count("/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=web"), 1U);
  EXPECT_EQ(count("/apis/events.k8s.io/v1/namespaces/default/events?fieldSelector=regarding.name=web"), 1U);
  EXPECT_EQ(count("/apis/events.k8s.io/v1/namespaces/default/events?fieldSelector=regarding.name=other"), 0U);
}

TEST_F(EngineByHand, AnswersAWriteInProtobufWithWhatIsReadAfterwards) {
  const std::string pod = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","annotations":{"note":"<&> ü"}},
    "spec":{"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"0.5","memory":"1e3"}}}]}})";
  const std::string pods = "/api/v1/namespaces/default/pods";
  const std::string event_text = R"({"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"e"},
    "eventTime":"2026-01-02T03:04:05.000006Z","reportingController":"c","reportingInstance":"i","action":"a",
    "reason":"r","type":"Normal","regarding":{"kind":"Pod","namespace":"default","name":"web"}})";
  const std::string events = "/apis/events.k8s.io/v1/namespaces/default/events";
  const net::Response made = protobuf("POST", pods, pod);
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.body, protobuf("GET", pods + "/web").body);
  const net::Response put = protobuf("PUT", pods + "/web", ask("GET", pods + "/web").body);
  EXPECT_EQ(put.body, protobuf("GET", pods + "/web").body);
  // Stored in another version than it was sent in.
  const net::Response event = protobuf("POST", events, event_text);
  ASSERT_EQ(event.status, 201) << event.body;
  EXPECT_EQ(event.body, protobuf("GET", events + "/e").body);
}

TEST_F(EngineByHand, ListsInProtobufWhatItListsInJson) {
  const std::string list = "/api/v1/namespaces/default/configmaps";
  for (const std::size_t bytes : {0U, 1U, 200U, 20'000U}) {
    // Byte for byte, with lengths of one, two and three bytes.
    EXPECT_EQ(protobuf("GET", list).body, kube::json_to_protobuf(json::parse(ask("GET", list).body)));
    EXPECT_EQ(make("c" + std::to_string(bytes), R"(,"annotations":{"a":")" + std::string(bytes, 'x') + "\"}").status,
              201);
  }
  for (const std::string& target : {list, list + "?limit=2"}) {
    EXPECT_EQ(protobuf("GET", target).body, kube::json_to_protobuf(json::parse(ask("GET", target).body)));
  }
}

TEST(FrameCacheTest, MakesAFrameOnceAndForgetsTheOldestBeyondItsBytes) {
  FrameCache frames;
  int made = 0;
  const auto get = [&](Revision revision, std::size_t bytes) {
    return frames.get({.revision = revision, .resource = nullptr, .form = "ADDED/j"}, [&] {
      ++made;
      return std::string(bytes, 'x');
    });
  };
  get(1, 10);
  get(1, 10);
  EXPECT_EQ(made, 1);
  const FrameCache::Frame held = get(2, std::size_t{17} << 20U);  // more than all may take: nothing stays
  EXPECT_EQ(held->size(), std::size_t{17} << 20U);
  get(1, 10);
  EXPECT_EQ(made, 3);
}

TEST(GoErrors, AreWordedAsGoWordsThem) {
  EXPECT_EQ(go_syntax_error(""), "unexpected end of JSON input");
  EXPECT_EQ(go_syntax_error(R"({"a": 1,)"), "unexpected end of JSON input");
  EXPECT_EQ(go_syntax_error("hello"), "invalid character 'h' looking for beginning of value");
  EXPECT_EQ(go_syntax_error("nope"), "invalid character 'o' in literal null (expecting 'u')");
  EXPECT_EQ(go_syntax_error("{a: 1}"), "invalid character 'a' looking for beginning of object key string");
  EXPECT_EQ(go_syntax_error(R"({"a" 1})"), "invalid character '1' after object key");
  EXPECT_EQ(go_syntax_error(R"({"a":1 "b"})"), "invalid character '\"' after object key:value pair");
  EXPECT_EQ(go_syntax_error("[1 2]"), "invalid character '2' after array element");
  EXPECT_EQ(go_syntax_error("1 {}"), "invalid character '{' after top-level value");
  EXPECT_EQ(go_syntax_error("[1.x]"), "invalid character 'x' after decimal point in numeric literal");
  EXPECT_EQ(go_syntax_error(R"(["\q"])"), "invalid character 'q' in string escape code");
  EXPECT_EQ(go_syntax_error("[1]"), "");
}

}  // namespace
}  // namespace flyball::apiserver
