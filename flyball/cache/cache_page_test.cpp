// The code of docs/cache.md.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/cache/cache.hpp"
#include "flyball/cache/detail/tiny_server_for_test.hpp"
#include "flyball/client/local_transport.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::cache {
namespace {

namespace core = kube::core::v1;
using testing::ElementsAre;

struct CachePage : testing::Test {
  ManualClock clock;
  Random random{1};
  detail::TinyServer server{clock};
  client::LocalTransport transport{clock, server};
  Client client{transport, clock, random};
  StopSource stopping;
  Stop stop = stopping.stop();
  std::vector<std::string> seen;
};

TEST_F(CachePage, start_and_read) {
  server.put({.name = "colours", .labels = {{"app", "web"}}});
  // [snippet: start]
  Cache cache(client);
  const auto maps = cache.watch<core::ConfigMap>();  // as long as somebody holds one, the kind is watched
  cache.wait_for_sync(stop);
  // [end]
  // [snippet: read]
  const auto colours = cache.get<core::ConfigMap>({"shop", "colours"});     // throws when it is not there
  const auto settings = cache.find<core::ConfigMap>({"shop", "settings"});  // an empty optional then
  for (const core::ConfigMap& map : cache.list<core::ConfigMap>({.namespace_ = "shop", .labels = {{"app", "web"}}})) {
    seen.push_back(map.metadata.name);
  }
  // [end]
  EXPECT_EQ(colours.metadata.name, "colours");
  EXPECT_FALSE(settings);
  EXPECT_THAT(seen, ElementsAre("colours"));
  seen.clear();
  // [snippet: views]
  if (const auto object = cache.find(client::resource_of<core::ConfigMap>(), {"shop", "colours"})) {
    const kube::Metadata metadata = object->metadata();  // reads nothing but the metadata
    const json::Value dynamic = object->json();          // the whole, by field names
    const auto typed = object->as<core::ConfigMap>();    // the whole, as a struct
    seen = {std::string(metadata.name), std::string(dynamic["kind"].string_or("")), typed.metadata.namespace_};
  }
  // [end]
  EXPECT_THAT(seen, ElementsAre("colours", "ConfigMap", "shop"));
}

TEST_F(CachePage, view) {
  server.put({.name = "colours"});
  Cache cache(client);
  const auto maps = cache.watch<core::ConfigMap>();
  cache.wait_for_sync(stop);
  const auto apply = [&](core::ConfigMap map) {
    map.metadata.resourceVersion = "205";
    return map;
  };
  // [snippet: view]
  ReadView view = cache.view();
  const auto before = view.list<core::ConfigMap>();
  view.observe_write(apply({.metadata = {.name = "shapes", .namespace_ = "shop"}}));  // what the server answered
  const auto after = view.list<core::ConfigMap>();                                    // sees it, without a request
  // [end]
  EXPECT_EQ(before.size(), 1);
  EXPECT_EQ(after.size(), 2);
}

TEST_F(CachePage, subscribe) {
  server.put({.name = "colours"});
  Cache cache(client);
  // [snippet: subscribe]
  const auto listening = cache.subscribe<core::ConfigMap>({}, [&](const Change& change) {
    const kube::Metadata* old = change.old_metadata();  // null when it came; unpacked when asked for
    if (old != nullptr && old->labels == change.metadata().labels) return;
    seen.push_back(std::string(to_string(change.type())) + " " + change.key().to_string());
  });
  // [end]
  clock.settle();
  server.put({.name = "colours", .data = "more"});
  server.put({.name = "colours", .labels = {{"app", "web"}}});
  clock.settle();
  EXPECT_THAT(seen, ElementsAre("added shop/colours", "modified shop/colours"));
}

TEST_F(CachePage, scope) {
  server.put({.name = "colours", .labels = {{"app", "web"}}, .node = "n1"});
  server.put({.name = "shapes", .node = "n1"});
  Cache cache(client);
  // [snippet: scope]
  const auto maps = cache.watch<core::ConfigMap>(
      {.namespaces = {"shop", "lab"},
       .labels = {{"app", "web"}},
       .managed_fields = false,  // nobody here reads them
       .indexes = {{"node", [](const Object& map) { return std::vector{map.as<core::ConfigMap>().data.at("node")}; }}},
       .budget = std::size_t{200} << 20U});
  cache.wait_for_sync(stop);
  const auto there = cache.list<core::ConfigMap>({.index = "node", .value = "n1"});
  // [end]
  EXPECT_EQ(there.size(), 1);
}

}  // namespace
}  // namespace flyball::cache
