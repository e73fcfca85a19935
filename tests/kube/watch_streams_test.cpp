// Watches of the real server: its WatchList, its pages, its bookmarks, its forgetting and its restarts.
#include <deque>
#include <map>
#include <set>

#include "kube_test.hpp"

#include "flyball/base/thread.hpp"
#include "flyball/client/detail/fault_proxy_for_test.hpp"
#include "flyball/client/watch.hpp"

namespace flyball::kubetest {
namespace {

using client::Extent;
using client::Resource;
using client::resource_of;
using client::TypedWatch;
using client::Watch;
using client::WatchEvent;
using client::WatchOptions;
using Kind = WatchEvent::Kind;

struct WatchStreams : KubeTest {
  using KubeTest::KubeTest;

  Watch watch(Resource resource, WatchOptions options = {}) {
    options.resource = std::move(resource);
    if (options.namespace_.empty() && options.resource.namespaced) options.namespace_ = ns;
    return {client.engine()->transport(), real_clock(), chance(), std::move(options)};
  }
  Watch maps(WatchOptions options = {}) { return watch(resource_of<core::ConfigMap>(), std::move(options)); }

  // "added a", until `last` has come or, without one, until synced.
  static std::vector<std::string> until(Watch& watch, const std::string& last = "synced") {
    std::vector<std::string> seen;
    while (seen.empty() || seen.back() != last) {
      const WatchEvent* event = watch.next(soon());
      if (event == nullptr) throw Error("the watch does not say \"" + last + "\": " + watch.status().trouble);
      if (event->kind == Kind::bookmark) continue;
      seen.push_back(std::string(to_string(event->kind)) +
                     (event->object.empty() ? "" : " " + std::string(event->metadata.name)));
    }
    return seen;
  }

  // A ConfigMap that says which of many it is.
  void put(const std::string& name, int number) const {
    client.apply(config_map(name, {{"number", std::to_string(number)}}), {.force = true});
  }
};

// The same in every format and by every road to the present state.
struct Way {
  std::string name;
  bool protobuf;
  bool watch_list;
  Extent extent = Extent::whole;
};

class EveryWatch : public WatchStreams, public ::testing::WithParamInterface<Way> {};

TEST_P(EveryWatch, FirstComesWhatIsThereThenWhatChanges) {
  for (const char* name : {"a", "b", "c", "d", "e"}) client.create(config_map(name, {{"is", name}}, {{"app", "x"}}));
  Resource resource = resource_of<core::ConfigMap>();
  resource.protobuf = GetParam().protobuf;
  Watch watch =
      this->watch(resource, {.extent = GetParam().extent, .watch_list = GetParam().watch_list, .page_size = 2});
  EXPECT_THAT(until(watch),
              ElementsAre("resync_begin", "added a", "added b", "added c", "added d", "added e", "synced"));
  EXPECT_TRUE(watch.status().synced);

  client.create(config_map("f", {{"is", "f"}}, {{"app", "x"}}));
  client.edit<core::ConfigMap>({.name = "a"}, [](auto& map) { map.data["is"] = "A"; });
  client.delete_<core::ConfigMap>({.name = "b"});
  std::vector<std::string> seen;
  for (const std::string last : {"added f", "modified a", "deleted b"}) {
    for (const std::string& event : until(watch, last)) seen.push_back(event);
  }
  EXPECT_THAT(seen, ElementsAre("added f", "modified a", "deleted b"));
}

TEST_P(EveryWatch, ObjectsDecode) {
  client.create(config_map("a", {{"is", "a"}}, {{"app", "x"}}));
  Resource resource = resource_of<core::ConfigMap>();
  resource.protobuf = GetParam().protobuf;
  Watch watch = this->watch(resource, {.extent = GetParam().extent, .watch_list = GetParam().watch_list});
  int objects = 0;
  const auto look = [&](const WatchEvent& event) {
    ++objects;
    EXPECT_EQ(event.format, GetParam().protobuf ? client::Format::protobuf : client::Format::json);
    EXPECT_EQ(event.metadata.namespace_, ns);
    EXPECT_EQ(event.metadata.label("app"), "x");
    EXPECT_NE(event.resource_version, "");
    const json::Value dynamic = to_json(event);
    EXPECT_EQ(dynamic["metadata"]["name"].string_or(""), event.metadata.name);
    if (GetParam().extent == Extent::metadata) {
      EXPECT_EQ(dynamic["kind"].string_or(""), "PartialObjectMetadata");
      EXPECT_EQ(event.as<PartialObjectMetadata>().metadata.labels.at("app"), "x");
      return;
    }
    EXPECT_EQ(dynamic["kind"].string_or(""), "ConfigMap");
    EXPECT_EQ(dynamic["data"]["is"].string_or(""), event.as<core::ConfigMap>().data.at("is"));
  };
  while (const WatchEvent* event = watch.next(soon())) {
    if (event->kind == Kind::synced) break;
    if (event->kind == Kind::added) look(*event);
  }
  client.create(config_map("b", {{"is", "b"}}, {{"app", "x"}}));
  while (const WatchEvent* event = watch.next(soon())) {
    if (event->kind != Kind::added) continue;
    look(*event);
    break;
  }
  EXPECT_EQ(objects, 2);
}

INSTANTIATE_TEST_SUITE_P(Watch, EveryWatch,
                         ::testing::Values(Way{"ProtobufWatchList", true, true}, Way{"ProtobufPages", true, false},
                                           Way{"JsonWatchList", false, true}, Way{"JsonPages", false, false},
                                           Way{"MetadataWatchList", true, true, Extent::metadata},
                                           Way{"MetadataPages", true, false, Extent::metadata}),
                         [](const auto& way) { return way.param.name; });

TEST_F(WatchStreams, ATypedWatchGivesValues) {
  client.create(config_map("a", {{"is", "blue"}}));
  TypedWatch<core::ConfigMap> watch(client.engine()->transport(), real_clock(), chance(), {.namespace_ = ns});
  std::string found;
  while (const auto event = watch.next(soon())) {
    if (event->kind() == Kind::added) found = event->object().data.at("is");
    if (event->kind() == Kind::synced) break;
  }
  EXPECT_EQ(found, "blue");
}

TEST_F(WatchStreams, AnObjectThatLeavesTheSelectionIsDeletedAndOneThatEntersItAdded) {
  client.create(config_map("in", {}, {{"app", "web"}}));
  client.create(config_map("out", {}, {{"app", "db"}}));
  Watch watch = maps({.labels = {{"app", "web"}}});
  EXPECT_THAT(until(watch), ElementsAre("resync_begin", "added in", "synced"));
  client.edit<core::ConfigMap>({.name = "in"}, [](auto& map) { map.metadata.labels["app"] = "db"; });
  client.edit<core::ConfigMap>({.name = "out"}, [](auto& map) { map.metadata.labels["app"] = "web"; });
  EXPECT_THAT(until(watch, "added out"), ElementsAre("deleted in", "added out"));
}

TEST_F(WatchStreams, OneObjectByName) {
  client.create(config_map("this"));
  client.create(config_map("that"));
  Watch watch = maps({.name = "this"});
  EXPECT_THAT(until(watch), ElementsAre("resync_begin", "added this", "synced"));
  client.delete_<core::ConfigMap>({.name = "that"});
  client.delete_<core::ConfigMap>({.name = "this"});
  EXPECT_THAT(until(watch, "deleted this"), ElementsAre("deleted this"));
}

TEST_F(WatchStreams, PodsByTheFieldsTheServerKnows) {
  auto bound = pod("bound");
  bound.spec.nodeName = "paper";
  client.create(bound);
  client.create(pod("free"));
  Watch watch = this->watch(resource_of<core::Pod>(), {.fields = kube::FieldSelector::parse("spec.nodeName=paper")});
  EXPECT_THAT(until(watch), ElementsAre("resync_begin", "added bound", "synced"));
}

TEST_F(WatchStreams, AVersionToBeginWithGivesOnlyWhatCameAfterIt) {
  const auto first = client.create(config_map("first"));
  client.create(config_map("second"));
  Watch watch = maps({.resource_version = first.metadata.resourceVersion});
  EXPECT_THAT(until(watch, "added second"), ElementsAre("added second"));
}

TEST_F(WatchStreams, WhatHasNoNamespaceAndWhatIsInAll) {
  Watch namespaces = watch(resource_of<core::Namespace>());
  EXPECT_THAT(until(namespaces), AllOf(Contains("added default"), Contains("added " + ns)));
  client.create(config_map("everywhere"));
  Watch all(client.engine()->transport(), real_clock(), chance(), {.resource = resource_of<core::ConfigMap>()});
  EXPECT_THAT(until(all), Contains("added everywhere"));
}

// The server keeps no watch cache of these.
TEST_F(WatchStreams, EventsAreStreamedThoughTheServerDoesNotCacheThem) {
  const auto make = [&](const std::string& name) {
    client.create(core::Event{.metadata = {.name = name},
                              .involvedObject = {.kind = "Pod", .name = "x", .namespace_ = ns},
                              .reason = "Testing"});
  };
  make("first");
  Watch watch = this->watch(resource_of<core::Event>());
  EXPECT_THAT(until(watch), ElementsAre("resync_begin", "added first", "synced"));
  make("second");
  EXPECT_THAT(until(watch, "added second"), ElementsAre("added second"));
}

// Life of a stream

TEST_F(WatchStreams, BookmarksComeBeforeTheStreamEndsAndTheNextOneGoesOnThere) {
  Metrics metrics;
  Watch watch = maps({.shortest_life = 4s, .metrics = &metrics});
  until(watch);
  // A version that the watch has not seen: without one the server sends no bookmark.
  auto elsewhere = config_map(ns);
  elsewhere.metadata.namespace_ = "default";
  const std::string version = client.create(elsewhere).metadata.resourceVersion;
  const WatchEvent* bookmark = watch.next(soon());
  ASSERT_NE(bookmark, nullptr);
  EXPECT_EQ(bookmark->kind, Kind::bookmark);
  EXPECT_GE(std::stoul(std::string(bookmark->resource_version)), std::stoul(version));

  const std::string restarts = R"(flyball_watch_restarts_total{resource="configmaps",reason="ended"} )";
  eventually("the server ends the stream in time", [&] {
    const WatchEvent* event = watch.next(Stop().with_deadline(real_clock(), real_clock().after(100ms)));
    EXPECT_TRUE(event == nullptr || event->kind == Kind::bookmark);
    return metrics.text().find(restarts) != std::string::npos;
  });
  client.create(config_map("b"));
  EXPECT_THAT(until(watch, "added b"), ElementsAre("added b"));
  EXPECT_THAT(metrics.text(), Not(HasSubstr("reason=\"broken\"")));
}

TEST_F(WatchStreams, HistoryThatTheServerForgotIsMadeUpForByAResync) {
  const auto old = client.create(config_map("old"));
  client.create(config_map("gone"));
  client.delete_<core::ConfigMap>({.name = "gone"});
  client.create(config_map("new"));
  forget();
  Watch watch = maps({.resource_version = old.metadata.resourceVersion});
  EXPECT_THAT(until(watch), ElementsAre("resync_begin", "added new", "added old", "synced"));
}

TEST_F(WatchStreams, ARestartOfTheServerLosesAndDoublesNothing) {
  Watch watch = maps();
  until(watch);
  client.create(config_map("before"));
  EXPECT_THAT(until(watch, "added before"), ElementsAre("added before"));
  server_.kill_apiserver();
  server_.start_apiserver(soon());
  client.create(config_map("after"));
  client.delete_<core::ConfigMap>({.name = "before"});
  EXPECT_THAT(until(watch, "deleted before"), ElementsAre("added after", "deleted before"));
}

TEST_F(WatchStreams, AResyncAfterTheServerForgotMidWatchLeavesNothingBehind) {
  client.create(config_map("stays"));
  client.create(config_map("goes"));
  Watch watch = maps();
  until(watch);
  // Nobody reads the stream meanwhile; what it has said by then still counts.
  server_.kill_apiserver();
  server_.start_apiserver(soon());
  client.delete_<core::ConfigMap>({.name = "goes"});
  client.create(config_map("comes"));
  forget();
  std::set<std::string> have = {"stays", "goes"};
  std::set<std::string> marked;
  bool resynced = false;
  while (const WatchEvent* event = watch.next(soon())) {
    const std::string name(event->metadata.name);
    if (event->kind == Kind::resync_begin) marked.clear();
    if (event->kind == Kind::added || event->kind == Kind::modified) marked.insert(name);
    if (event->kind == Kind::deleted) marked.erase(name);
    if (event->kind == Kind::synced) {
      have = marked;
      resynced = true;
      break;
    }
  }
  EXPECT_TRUE(resynced);
  EXPECT_THAT(have, UnorderedElementsAre("stays", "comes"));
}

TEST_F(WatchStreams, AServerWithoutWatchListIsListed) {
  testing::KubernetesServer old(real_clock(), {.feature_gates = {{"WatchList", false}}});
  const Client there = connect(old.config());
  const auto make = [&](const std::string& name) {
    auto map = config_map(name);
    map.metadata.namespace_ = "default";
    there.create(map);
  };
  make("a");
  CapturingSink sink;
  const auto log = std::make_shared<LogCore>(real_clock(), sink);
  Watch watch(there.engine()->transport(), real_clock(), chance(),
              {.resource = resource_of<core::ConfigMap>(), .namespace_ = "default", .log = Logger(log, "client")});
  EXPECT_THAT(until(watch), ElementsAre("resync_begin", "added a", "synced"));
  EXPECT_THAT(sink.take(), HasSubstr("the server does not stream its present state; its lists are read instead"));
  make("b");
  EXPECT_THAT(until(watch, "added b"), ElementsAre("added b"));
}

// Refusals

TEST_F(WatchStreams, WhoMayNotWatchIsToldSo) {
  const Client jane = connect(server_.config_for("jane"));
  Watch watch(jane.engine()->transport(), real_clock(), chance(),
              {.resource = resource_of<core::ConfigMap>(), .namespace_ = ns});
  EXPECT_EQ(watch.next(soon())->kind, Kind::resync_begin);
  const ApiError error = refusal([&] { (void)watch.next(soon()); });
  EXPECT_TRUE(error.is_forbidden());
  EXPECT_THAT(error.what(), HasSubstr("User \"jane\" cannot watch resource \"configmaps\""));
}

TEST_F(WatchStreams, AKindThatIsInstalledLaterIsWatchedThen) {
  const Resource gadgets{.kind = {"watch.example.com", "v1", "Gadget"}, .plural = "gadgets"};
  Watch watch = this->watch(gadgets);
  EXPECT_EQ(watch.next(soon())->kind, Kind::resync_begin);
  EXPECT_TRUE(refusal([&] { (void)watch.next(soon()); }).is_not_found());
  client.raw({.method = "POST",
              .target = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
              .headers = {{"Content-Type", "application/json"}},
              .body = R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
                "metadata":{"name":"gadgets.watch.example.com"},"spec":{"group":"watch.example.com",
                "names":{"kind":"Gadget","plural":"gadgets"},"scope":"Namespaced","versions":[{"name":"v1",
                "served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",
                "x-kubernetes-preserve-unknown-fields":true}}}]}})"});
  eventually("the kind is served", [&] {
    try {
      return watch.next(soon())->kind == Kind::synced;
    } catch (const ApiError&) {
      return false;
    }
  });
  const std::string path = "/apis/watch.example.com/v1/namespaces/" + ns + "/gadgets";
  client.raw({.method = "POST",
              .target = path,
              .headers = {{"Content-Type", "application/json"}},
              .body = R"({"apiVersion":"watch.example.com/v1","kind":"Gadget","metadata":{"name":"g"},"size":3})"});
  while (const WatchEvent* event = watch.next(soon())) {
    if (event->kind != Kind::added) continue;
    EXPECT_EQ(to_json(*event)["size"].as_int(), 3);
    break;
  }
  Watch partial = this->watch(gadgets, {.extent = Extent::metadata});
  EXPECT_THAT(until(partial), ElementsAre("resync_begin", "added g", "synced"));
}

// Faults between us and the server

TEST_F(WatchStreams, WhateverTheNetworkDoesTheCopyIsTheServersInTheEnd) {
  using client::Fault;
  client::FaultProxy proxy(real_clock(), server_.url().port);
  client::Config config = server_.config();
  config.server.port = proxy.port();
  const Client through = connect(config);
  std::deque<Fault> plan;
  Random random(4);
  for (int i = 0; i < 25; ++i) {
    const auto kind = random.chance(0.1)   ? Fault::Kind::half_open
                      : random.chance(0.6) ? Fault::Kind::reset
                                           : Fault::Kind::garbage;
    plan.push_back({kind, static_cast<std::size_t>(1500 + random.below(12000))});
  }
  proxy.plan(std::move(plan));
  Watch watch(through.engine()->transport(), real_clock(), chance(),
              {.resource = resource_of<core::ConfigMap>(),
               .namespace_ = ns,
               .idle_timeout = 1s,
               .first_pause = 1ms,
               .longest_pause = 20ms});
  Thread writer(real_clock(), "writer", [&] {
    for (int i = 0; i < 400; ++i) {
      const std::string name = "map-" + std::to_string(i % 10);
      if (i % 7 == 6) {
        client.delete_<core::ConfigMap>({.name = name}, {.missing_is_fine = true});
      } else {
        put(name, i);
      }
    }
    client.create(config_map("the-end"));
  });
  std::map<std::string, std::string> copy;
  std::set<std::string> marked;
  std::set<std::string> versions;
  bool syncing = false;
  while (!copy.contains("the-end") || syncing) {
    const WatchEvent* event = watch.next(soon());
    ASSERT_NE(event, nullptr) << watch.status().trouble;
    const std::string name(event->metadata.name);
    const std::string version(event->resource_version);
    if (event->kind == Kind::resync_begin) {
      syncing = true;
      marked.clear();
    }
    if (event->kind == Kind::synced) {
      std::erase_if(copy, [&](const auto& entry) { return !marked.contains(entry.first); });
      syncing = false;
    }
    if (event->object.empty()) continue;
    marked.insert(name);
    EXPECT_TRUE(syncing || versions.insert(version).second) << version << " came twice";
    event->kind == Kind::deleted ? static_cast<void>(copy.erase(name)) : static_cast<void>(copy[name] = version);
  }
  std::map<std::string, std::string> truth;
  for (const auto& map : client.list<core::ConfigMap>({.namespace_ = ns})) {
    truth[map.metadata.name] = map.metadata.resourceVersion;
  }
  EXPECT_EQ(copy, truth);
  EXPECT_LT(proxy.planned(), 20U) << "too few of the faults have befallen it to say anything";
}

}  // namespace
}  // namespace flyball::kubetest
