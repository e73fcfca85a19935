#include "flyball/cache/cache.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/cache/detail/tiny_server_for_test.hpp"
#include "flyball/client/local_transport.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::cache {
namespace {

using namespace std::chrono_literals;
namespace core = kube::core::v1;
using detail::Made;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

struct CacheTest : testing::Test {
  ~CacheTest() override {
    cache.reset();
    clock.settle();
  }

  void start(CacheOptions options = {}) {
    options.log = Logger(logs, "cache");
    options.metrics = &metrics;
    cache.emplace(client, std::move(options));
  }
  // "shop/a@101" of all that match.
  std::string list(const Query& query = {}) {
    std::string text;
    cache->view().each<core::ConfigMap>(query, [&](const Object& object) {
      text +=
          (text.empty() ? "" : ",") + object.key().to_string() + "@" + std::string(object.metadata().resource_version);
    });
    return text;
  }
  std::function<void(const Change&)> hears() {
    return [this](const Change& change) {
      heard.push_back(std::string(to_string(change.type())) + " " + change.key().to_string());
    };
  }

  ManualClock clock;
  Random random{1};
  Metrics metrics;
  CapturingSink sink;
  std::shared_ptr<LogCore> logs = std::make_shared<LogCore>(clock, sink);
  detail::TinyServer server{clock};
  client::LocalTransport transport{clock, server};
  Client client{transport, clock, random};
  std::vector<std::string> heard;
  std::optional<Cache> cache;
};

TEST_F(CacheTest, reads_what_is_there_and_what_changes) {
  server.put({.name = "a", .labels = {{"app", "web"}}, .data = "one"});
  start();
  const auto maps = cache->watch<core::ConfigMap>();
  clock.settle();
  ASSERT_TRUE(cache->wait_for_sync({}));
  EXPECT_EQ(cache->get<core::ConfigMap>({"shop", "a"}).data.at("text"), "one");
  server.put({.name = "a", .data = "two"});
  server.put({.name = "b", .labels = {{"app", "web"}}});
  clock.settle();
  EXPECT_EQ(cache->get<core::ConfigMap>({"shop", "a"}).data.at("text"), "two");
  const auto web = cache->list<core::ConfigMap>({.namespace_ = "shop", .labels = {{"app", "web"}}});
  ASSERT_EQ(web.size(), 1);
  EXPECT_EQ(web.front().metadata.name, "b");
  server.remove("a");
  clock.settle();
  EXPECT_FALSE(cache->find<core::ConfigMap>({"shop", "a"}));
}

TEST_F(CacheTest, what_is_not_there_is_not_found_and_what_nobody_watches_is_an_error) {
  start();
  {
    const auto maps = cache->watch<core::ConfigMap>();
    clock.settle();
    try {
      cache->get<core::ConfigMap>({"shop", "none"});
      FAIL();
    } catch (const ApiError& error) {
      EXPECT_TRUE(error.is_not_found());
      EXPECT_THAT(error.what(), HasSubstr("configmaps \"none\" not found"));
    }
  }
  try {
    cache->list<core::ConfigMap>();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("nothing watches v1 ConfigMap"));
  }
}

TEST_F(CacheTest, users_share_one_watch_which_ends_with_the_last) {
  start();
  auto first = cache->watch<core::ConfigMap>();
  auto second = cache->watch<core::ConfigMap>();
  auto other = cache->watch<core::ConfigMap>({.labels = {{"app", "web"}}});
  clock.settle();
  EXPECT_THAT(server.open_streams(), UnorderedElementsAre("configmaps", "configmaps"));
  first = {};
  clock.settle();
  EXPECT_EQ(server.open_streams().size(), 2);
  second = {};
  other = {};
  clock.settle();
  EXPECT_THAT(server.open_streams(), IsEmpty());
}

TEST_F(CacheTest, selectors_are_the_servers_work) {
  server.put({.name = "a", .labels = {{"app", "web"}}});
  server.put({.name = "b", .labels = {{"app", "db"}}});
  start();
  const auto maps = cache->watch<core::ConfigMap>({.labels = {{"app", "web"}}});
  clock.settle();
  EXPECT_EQ(list(), "shop/a@101");
  server.put({.name = "a", .labels = {{"app", "db"}}});
  server.put({.name = "b", .labels = {{"app", "web"}}});
  clock.settle();
  EXPECT_EQ(list(), "shop/b@104");
}

TEST_F(CacheTest, a_kind_with_several_scopes_is_read_from_the_widest) {
  server.put({.name = "a", .labels = {{"app", "web"}}});
  server.put({.name = "b"});
  start();
  const auto narrow = cache->watch<core::ConfigMap>({.labels = {{"app", "web"}}});
  const auto partial = cache->watch<core::ConfigMap>({.extent = client::Extent::metadata});
  const auto wide = cache->watch<core::ConfigMap>();
  clock.settle();
  EXPECT_EQ(list(), "shop/a@101,shop/b@102");
  EXPECT_EQ(narrow.store().count(), 1);
}

TEST_F(CacheTest, listeners_hear_of_everything_in_order) {
  server.put({.name = "a"});
  start();
  const auto maps = cache->watch<core::ConfigMap>();
  clock.settle();
  auto listening = cache->subscribe<core::ConfigMap>({}, hears());
  EXPECT_THAT(heard, ElementsAre("added shop/a")) << "before subscribe returned";
  server.put({.name = "b"});
  server.put({.name = "a"});
  server.remove("b");
  clock.settle();
  EXPECT_THAT(heard, ElementsAre("added shop/a", "added shop/b", "modified shop/a", "deleted shop/b"));
  listening = {};
  server.put({.name = "c"});
  clock.settle();
  EXPECT_EQ(heard.size(), 4);
}

TEST_F(CacheTest, a_listener_that_throws_does_not_stop_the_others) {
  start();
  const auto bad = cache->subscribe<core::ConfigMap>({}, [](const Change&) { throw Error("no"); });
  const auto good = cache->subscribe<core::ConfigMap>({}, hears());
  server.put({.name = "a"});
  clock.settle();
  EXPECT_THAT(heard, ElementsAre("added shop/a"));
  EXPECT_THAT(sink.take(), HasSubstr("a listener of the cache failed"));
}

TEST_F(CacheTest, after_410_it_resyncs_and_tells_of_the_difference) {
  server.put({.name = "a"});
  server.put({.name = "b"});
  start();
  const auto maps = cache->subscribe<core::ConfigMap>({}, hears());
  clock.settle();
  heard.clear();
  server.refuse("configmaps", 503);
  server.cut();
  clock.settle();
  server.remove("a");
  server.put({.name = "c"});
  server.compact();
  server.allow("configmaps");
  clock.advance(2min);
  EXPECT_EQ(list(), "shop/b@102,shop/c@104");
  EXPECT_THAT(heard, UnorderedElementsAre("deleted shop/a", "added shop/c"));
}

TEST_F(CacheTest, a_stream_that_was_cut_is_taken_up_without_a_resync) {
  server.put({.name = "a"});
  start();
  const auto maps = cache->subscribe<core::ConfigMap>({}, hears());
  clock.settle();
  clock.advance(2s);
  server.take_requests();
  server.cut();
  server.put({.name = "b"});
  clock.settle();
  EXPECT_EQ(list(), "shop/a@101,shop/b@102");
  const auto requests = server.take_requests();
  ASSERT_FALSE(requests.empty());
  EXPECT_THAT(requests.front(), HasSubstr("configmaps@10"));
}

TEST_F(CacheTest, a_kind_that_is_not_there_parks_and_starts_when_it_appears) {
  server.refuse("configmaps", 404);
  server.put({.name = "a"});
  start();
  const auto maps = cache->watch<core::ConfigMap>();
  clock.settle();
  EXPECT_TRUE(cache->wait_for_sync({})) << "it does not hold the others up";
  EXPECT_TRUE(cache->status().front().watches.front().parked);
  EXPECT_EQ(list(), "");
  clock.advance(1min);
  server.allow("configmaps");
  clock.advance(7s);
  EXPECT_EQ(list(), "shop/a@101");
  EXPECT_FALSE(cache->status().front().watches.front().parked);
  const std::string log = sink.take();
  EXPECT_EQ(log.find("waiting for it"), log.rfind("waiting for it")) << "it is said once: " << log;
}

TEST_F(CacheTest, a_forbidden_kind_is_said_and_mended) {
  server.refuse("configmaps", 403);
  start();
  const auto maps = cache->watch<core::ConfigMap>();
  clock.settle();
  EXPECT_FALSE(maps.is_synced());
  EXPECT_THAT(cache->status().front().watches.front().trouble, Not(IsEmpty()));
  EXPECT_THAT(sink.take(), HasSubstr("does not let us watch"));
  server.allow("configmaps");
  clock.advance(5s);
  EXPECT_TRUE(maps.is_synced());
  EXPECT_THAT(cache->status().front().watches.front().trouble, IsEmpty());
}

TEST_F(CacheTest, an_object_that_cannot_be_kept_does_not_keep_the_others_out) {
  server.put({.name = std::string(70'000, 'x')});
  server.put({.name = "y"});
  start();
  const auto maps = cache->watch<core::ConfigMap>();
  clock.settle();
  EXPECT_EQ(list(), "shop/y@102");
  EXPECT_THAT(sink.take(), HasSubstr("an object cannot be kept"));
}

TEST_F(CacheTest, waiting_for_the_sync_ends_at_the_stop) {
  server.refuse("configmaps", 403);
  start();
  const auto maps = cache->watch<core::ConfigMap>();
  StopSource stop;
  stop.request_stop();
  EXPECT_FALSE(cache->wait_for_sync(stop.stop()));
}

TEST_F(CacheTest, over_budget_at_the_start_is_an_error_with_sizes) {
  for (int i = 0; i < 50; ++i) server.put({.name = "a" + std::to_string(i), .data = std::string(500, 'x')});
  start();
  const auto maps = cache->watch<core::ConfigMap>({.budget = 1000});
  clock.settle();
  EXPECT_THROW(cache->wait_for_sync({}), BudgetError);
  EXPECT_TRUE(cache->status().front().over_budget);
}

TEST_F(CacheTest, namespaces_change_at_run_time) {
  server.put({.namespace_ = "a", .name = "x"});
  server.put({.namespace_ = "b", .name = "y"});
  server.put({.namespace_ = "c", .name = "z"});
  start({.namespaces = {"a", "b"}});
  const auto maps = cache->subscribe<core::ConfigMap>({}, hears());
  const auto all = cache->watch<core::ConfigMap>({.all_namespaces = true});
  clock.settle();
  EXPECT_EQ(list(), "a/x@101,b/y@102");
  EXPECT_EQ(all.store().count(), 3);
  EXPECT_THAT(server.open_streams(), UnorderedElementsAre("a/configmaps", "b/configmaps", "configmaps"));
  heard.clear();
  cache->set_namespaces({"b", "c"});
  clock.settle();
  EXPECT_EQ(list(), "b/y@102,c/z@103");
  EXPECT_THAT(heard, ElementsAre("deleted a/x", "added c/z"));
  EXPECT_THAT(server.open_streams(), UnorderedElementsAre("b/configmaps", "c/configmaps", "configmaps"));
  cache->set_namespaces({});
  clock.settle();
  EXPECT_EQ(list(), "a/x@101,b/y@102,c/z@103");
}

core::ConfigMap map_of(const Made& made) {
  return Object(client::resource_of<core::ConfigMap>().kind, Format::json, detail::json_of(made)).as<core::ConfigMap>();
}

TEST_F(CacheTest, a_view_reads_one_moment_and_its_own_writes) {
  server.put({.name = "a"});
  start();
  const auto maps = cache->watch<core::ConfigMap>();
  clock.settle();
  ReadView view = cache->view();
  server.put({.name = "a"});
  server.put({.name = "b"});
  clock.settle();
  EXPECT_EQ(view.get<core::ConfigMap>({"shop", "a"}).metadata.resourceVersion, "101");
  EXPECT_THAT(view.keys<core::ConfigMap>(), ElementsAre(kube::ObjectKey{"shop", "a"}));
  view.observe_write(map_of({.name = "c", .version = 110, .data = "mine"}));
  EXPECT_EQ(view.get<core::ConfigMap>({"shop", "c"}).data.at("text"), "mine");
  EXPECT_EQ(view.list<core::ConfigMap>().size(), 2);
  EXPECT_EQ(list(), "shop/a@102,shop/b@103,shop/c@110") << "others see it too";
  view.observe_delete(map_of({.name = "a", .version = 101}));
  EXPECT_FALSE(view.find<core::ConfigMap>({"shop", "a"}));
}

TEST_F(CacheTest, a_write_that_leaves_the_scope_is_gone_from_it_at_once) {
  server.put({.name = "a", .labels = {{"app", "web"}}});
  start({.namespaces = {"shop"}});
  const auto maps = cache->watch<core::ConfigMap>({.labels = {{"app", "web"}}});
  clock.settle();
  cache->observe_write(map_of({.name = "a", .version = 105, .labels = {{"app", "db"}}}));
  cache->observe_write(map_of({.namespace_ = "lab", .name = "b", .version = 106, .labels = {{"app", "web"}}}));
  EXPECT_EQ(list(), "");
  cache->observe_write(map_of({.name = "c", .version = 107, .labels = {{"app", "web"}}}));
  EXPECT_EQ(list(), "shop/c@107");
}

TEST_F(CacheTest, own_writes_are_still_heard_of_when_the_watch_tells) {
  start();
  const auto maps = cache->subscribe<core::ConfigMap>({}, hears());
  clock.settle();
  cache->observe_write(map_of({.name = "a", .version = 101}));
  EXPECT_THAT(heard, IsEmpty());
  server.put({.name = "a"});
  clock.settle();
  EXPECT_THAT(heard, ElementsAre("added shop/a"));
  EXPECT_EQ(list(), "shop/a@101");
}

TEST_F(CacheTest, metrics_tell_bytes_objects_and_sync) {
  server.put({.name = "a"});
  start();
  const auto maps = cache->watch<core::ConfigMap>();
  clock.settle();
  const std::string page = metrics.text();
  EXPECT_THAT(page, HasSubstr("flyball_cache_objects{resource=\"configmaps\",scope=\"\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("flyball_cache_synced{resource=\"configmaps\",scope=\"\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("flyball_cache_pending_writes{resource=\"configmaps\",scope=\"\"} 0\n"));
  EXPECT_THAT(page, HasSubstr("flyball_cache_bytes{resource=\"configmaps\",scope=\"\"} " +
                              std::to_string(maps.store().bytes()) + "\n"));
}

}  // namespace
}  // namespace flyball::cache
