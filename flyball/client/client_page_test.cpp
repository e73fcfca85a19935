// The code of docs/client.md and docs/errors.md.
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/client/client.hpp"
#include "flyball/client/detail/scripted_transport_for_test.hpp"
#include "flyball/client/load_config.hpp"
#include "flyball/client/subresources.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::client {
namespace {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;
using namespace std::chrono_literals;
using detail::json_answer;
using detail::protobuf_answer;
using testing::ElementsAre;

// [snippet: connect]
[[maybe_unused]] void greet(Clock& clock, Random& random, const Logger& log, Metrics& metrics, std::ostream& out) {
  const Config config = load_config(clock);  // $KUBECONFIG, the pod's service account, ~/.kube/config
  const Client client =
      Client::connect(config, clock, random, {.field_manager = "greeter", .log = log, .metrics = &metrics});
  for (const core::Pod& pod : client.list<core::Pod>({.namespace_ = "kube-system"})) {
    out << pod.metadata.name << ": " << pod.status.phase << "\n";
  }
}
// [end]

class ClientPage : public testing::Test {
 public:
  ~ClientPage() override { EXPECT_TRUE(transport.finished()) << "an answer was not asked for"; }

  template <class T>
  void gives(const T& object) {
    transport.answers(protobuf_answer(200, kube::to_protobuf(object)));
  }
  void refuses(int code, const std::string& reason, const std::string& rest = "") {
    transport.answers(json_answer(code, R"({"kind":"Status","reason":")" + reason +
                                            R"(","message":"so it is","details":{"name":"web")" + rest + "}}"));
  }
  static apps::Deployment web() {
    return {.metadata = {.name = "web", .namespace_ = "shop", .resourceVersion = "7"}, .spec = {.replicas = 1}};
  }

  ManualClock clock{{.auto_advance = true}};
  Random random{1};
  detail::ScriptedTransport transport;
  Client client{transport, clock, random};
};

TEST_F(ClientPage, Read) {
  gives(web());
  refuses(404, "NotFound");
  // [snippet: read]
  const auto deployment = client.get<apps::Deployment>({"shop", "web"});   // throws when it is not there
  const auto config = client.find<core::ConfigMap>({.name = "settings"});  // in the client's own namespace
  const std::string mode = config ? config->data.at("mode") : "fast";
  // [end]
  EXPECT_EQ(deployment.spec.replicas, 1);
  EXPECT_EQ(mode, "fast");
}

TEST_F(ClientPage, List) {
  const core::PodList pods{.items = {{.metadata = {.name = "a"}}, {.metadata = {.name = "b"}}}};
  gives(pods);
  gives(pods);
  std::vector<std::string> names;
  // [snippet: list]
  for (const core::Pod& pod : client.list<core::Pod>({.namespace_ = "shop", .labels = {{"app", "web"}}})) {
    names.push_back(pod.metadata.name);
  }
  const std::vector<core::Pod> on_node =
      client.list<core::Pod>({.fields = kube::FieldSelector::parse("spec.nodeName=node-1")}).all();
  // [end]
  EXPECT_THAT(names, ElementsAre("a", "b"));
  EXPECT_EQ(on_node.size(), 2U);
}

TEST_F(ClientPage, Create) {
  const core::ConfigMap stored{.metadata = {.name = "settings", .uid = "1"}};
  gives(stored);
  // [snippet: create]
  const core::ConfigMap made = client.create(
      core::ConfigMap{.metadata = {.name = "settings", .namespace_ = "shop"}, .data = {{"mode", "fast"}}});
  EXPECT_FALSE(made.metadata.uid.empty());
  // [end]
}

TEST_F(ClientPage, Update) {
  gives(web());
  gives(web());
  gives(web());
  gives(web());
  // [snippet: update]
  const auto read = client.get<apps::Deployment>({"shop", "web"});
  auto changed = read;
  changed.spec.replicas = 3;
  client.update(read, changed);  // sends {"spec":{"replicas":3}}, and the version that was read

  client.edit<apps::Deployment>({"shop", "web"}, [](apps::Deployment& deployment) {
    deployment.metadata.labels["team"] =
        "checkout";  // may run again: reads, changes and updates until nobody was faster
  });
  // [end]
  EXPECT_EQ(transport.requests[1].body, R"({"spec":{"replicas":3},"metadata":{"resourceVersion":"7"}})");
}

TEST_F(ClientPage, Apply) {
  gives(web());
  const apps::Deployment wanted = web();
  // [snippet: apply]
  client.apply(wanted, {.force = true});  // creates or changes; owns the fields that `wanted` sets
  // [end]
}

TEST_F(ClientPage, Patch) {
  gives(web());
  gives(web());
  // [snippet: patch]
  client.patch<apps::Deployment>({"shop", "web"}, Patch::merge(json::parse(R"({"spec": {"paused": true}})")));
  client.patch<apps::Deployment>({"shop", "web"},
                                 Patch::json(json::parse(R"([{"op": "remove", "path": "/metadata/labels/team"}])")));
  // [end]
}

TEST_F(ClientPage, Delete) {
  transport.answers(json_answer(200, R"({"kind":"Status","status":"Success"})"));
  refuses(404, "NotFound");
  transport.answers(json_answer(200, R"({"kind":"PodList"})"));
  // [snippet: delete]
  client.delete_<apps::Deployment>({"shop", "web"}, {.propagation = Propagation::foreground});
  const bool was_there = client.delete_<core::Pod>({"shop", "web-1"}, {.grace = 0s, .missing_is_fine = true});
  client.delete_collection<core::Pod>({.namespace_ = "shop", .labels = {{"app", "web"}}});
  // [end]
  EXPECT_FALSE(was_there);
}

TEST_F(ClientPage, Subresources) {
  gives(Scale{.spec = {.replicas = 5}});
  transport.answers(json_answer(201, R"({"kind":"Status","status":"Success"})"));
  // [snippet: subresources]
  scale<apps::Deployment>(client, {"shop", "web"}, 5);
  evict(client, {"shop", "web-1"});
  // [end]
}

TEST_F(ClientPage, Dynamic) {
  transport.answers(json_answer(200, R"({"kind":"APIGroupDiscoveryList","items":[]})"));
  transport.answers(json_answer(200, R"({"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"example.com"},
    "versions":[{"version":"v1","resources":[{"resource":"widgets","responseKind":{"kind":"Widget"},
    "scope":"Namespaced","shortNames":["wd"]}]}]}]})"));
  transport.answers(json_answer(200, R"({"kind":"WidgetList","items":[{"spec":{"size":2}},{"spec":{"size":3}}]})"));
  kube::meta::v1::PartialObjectMetadataList partial{.items = {{.metadata = {.name = "a"}}}};
  gives(partial);
  std::int64_t total = 0;
  // [snippet: dynamic]
  const auto widgets = client.dynamic({"example.com", "v1", "Widget"});
  for (const json::Value& widget : widgets.list()) total += widget["spec"]["size"].as_int();

  for (const PartialObjectMetadata& pod : client.metadata<core::Pod>().list()) EXPECT_EQ(pod.metadata.name, "a");

  EXPECT_EQ(client.mapper().resolve("wd", client.stop()).kind.kind, "Widget");  // as kubectl would read it
  // [end]
  EXPECT_EQ(total, 5);
}

TEST_F(ClientPage, Stop) {
  gives(web());
  // [snippet: stop]
  const Client hurried = client.with(Stop().with_deadline(clock, clock.after(2s)));
  hurried.get<apps::Deployment>({"shop", "web"});  // throws Stopped after two seconds
  // [end]
}

TEST_F(ClientPage, Errors) {
  refuses(409, "AlreadyExists");
  gives(web());
  bool made = true;
  // [snippet: errors]
  try {
    client.create(web());
  } catch (const ApiError& error) {
    if (!error.is_already_exists()) throw;
    made = false;
  }
  // [end]
  EXPECT_FALSE(made);
  EXPECT_EQ(client.get<apps::Deployment>({"shop", "web"}).metadata.name, "web");
}

TEST_F(ClientPage, Causes) {
  refuses(422, "Invalid",
          R"(,"causes":[{"reason":"FieldValueInvalid","message":"must be at least 0","field":"spec.replicas"}])");
  std::ostringstream out;
  // [snippet: causes]
  try {
    client.create(web());
  } catch (const ApiError& error) {
    for (const ApiError::Cause& cause : error.causes()) out << cause.field << ": " << cause.message << "\n";
  }
  // [end]
  EXPECT_EQ(out.str(), "spec.replicas: must be at least 0\n");
}

}  // namespace
}  // namespace flyball::client
