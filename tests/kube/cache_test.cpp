// The cache over the real server: protobuf and JSON, WatchList, own writes, forgetting, restarts, kinds that come late.
#include "flyball/cache/cache.hpp"

#include <atomic>
#include <mutex>
#include <optional>

#include "kube_test.hpp"

#include "flyball/kube/apiextensions/v1.hpp"
#include "flyball/kube/crd.hpp"
#include "flyball/kube/custom_resource.hpp"

namespace flyball::kubetest {

struct KiteSpec {
  std::int32_t length = 10;
};
FLYBALL_DESCRIBE(KiteSpec, (length, "Of the string, in metres."))
using Kite = CustomResource<"toys.example.com", "v1", "Kite", KiteSpec>;

namespace {

using cache::Change;
using cache::Object;
using cache::Query;
using cache::ReadView;
using cache::Scope;

struct CachedKube : KubeTest {
  CachedKube() { cache.emplace(client, cache::CacheOptions{.namespaces = {ns}, .park = 100ms, .metrics = &metrics}); }

  template <class T>
  std::string list(const Query& query = {}) {
    std::string names;
    cache->view().each<T>(query, [&](const Object& object) { names += object.key().name + " "; });
    return names;
  }
  void sync() const { ASSERT_TRUE(cache->wait_for_sync(soon())); }
  bool has(const std::string& name, const std::string& is) const {
    const auto map = cache->find<core::ConfigMap>({ns, name});
    return map && map->data.contains("is") && map->data.at("is") == is;
  }

  Metrics metrics;
  std::optional<Cache> cache;
};

TEST_F(CachedKube, ReadsWhatTheServerHasInEveryView) {
  client.create(config_map("a", {{"is", "a"}}, {{"app", "x"}}));
  client.create(config_map("b", {{"is", "b"}}));
  const auto maps = cache->watch<core::ConfigMap>();
  sync();
  EXPECT_EQ(cache->get<core::ConfigMap>({ns, "a"}), client.get<core::ConfigMap>({ns, "a"}));
  EXPECT_EQ(list<core::ConfigMap>({.labels = {{"app", "x"}}}), "a ");
  const auto object = cache->find(client::resource_of<core::ConfigMap>(), {ns, "a"});
  ASSERT_TRUE(object);
  EXPECT_EQ(object->format(), cache::Format::protobuf);
  EXPECT_EQ(object->json(), client.dynamic({"", "v1", "ConfigMap"}).get({ns, "a"}));
  EXPECT_EQ(object->metadata().label("app"), "x");
}

TEST_F(CachedKube, FollowsChanges) {
  const auto maps = cache->watch<core::ConfigMap>();
  sync();
  client.create(config_map("a", {{"is", "1"}}));
  eventually("a is there", [&] { return has("a", "1"); });
  client.edit<core::ConfigMap>({.name = "a"}, [](auto& map) { map.data["is"] = "2"; });
  eventually("a has changed", [&] { return has("a", "2"); });
  client.delete_<core::ConfigMap>({.name = "a"});
  eventually("a is gone", [&] { return !cache->find<core::ConfigMap>({ns, "a"}); });
}

TEST_F(CachedKube, AViewSeesItsOwnWritesAndNothingElse) {
  client.create(config_map("a", {{"is", "1"}}));
  const auto maps = cache->watch<core::ConfigMap>();
  sync();
  ReadView view = cache->view();
  const auto others = client.create(config_map("b"));
  eventually("b has come", [&] { return cache->find<core::ConfigMap>({ns, "b"}).has_value(); });
  EXPECT_FALSE(view.find<core::ConfigMap>({ns, "b"}));
  const auto mine = client.create(config_map("c", {{"is", "mine"}}));
  view.observe_write(mine);
  EXPECT_EQ(view.get<core::ConfigMap>({ns, "c"}), mine);
  EXPECT_EQ(cache->get<core::ConfigMap>({ns, "c"}), mine) << "without waiting for the watch";
  client.delete_<core::ConfigMap>({.name = "c"});
  view.observe_delete(mine);
  EXPECT_FALSE(view.find<core::ConfigMap>({ns, "c"}));
  EXPECT_FALSE(cache->find<core::ConfigMap>({ns, "c"}));
}

TEST_F(CachedKube, OwnWritesAreNeverTakenBackByTheWatch) {
  client.create(config_map("a", {{"is", "0"}}));
  const auto maps = cache->watch<core::ConfigMap>();
  sync();
  for (int i = 1; i <= 100; ++i) {
    const std::string is = std::to_string(i);
    cache->observe_write(client.edit<core::ConfigMap>({.name = "a"}, [&](auto& map) { map.data["is"] = is; }));
    ASSERT_TRUE(has("a", is)) << i;
  }
  eventually("all are told of", [&] { return maps.store().pending_writes() == 0; });
  EXPECT_TRUE(has("a", "100"));
}

TEST_F(CachedKube, SelectorsAreTheServers) {
  client.create(config_map("a", {}, {{"app", "x"}}));
  client.create(config_map("b", {}, {{"app", "y"}}));
  const auto labelled = cache->watch<core::ConfigMap>({.labels = {{"app", "x"}}});
  const auto named = cache->watch<core::ConfigMap>({.fields = kube::FieldSelector::parse("metadata.name=b")});
  sync();
  EXPECT_EQ(labelled.store().count(), 1);
  EXPECT_EQ(named.store().count(), 1);
  client.edit<core::ConfigMap>({.name = "a"}, [](auto& map) { map.metadata.labels["app"] = "y"; });
  eventually("a has left", [&] { return labelled.store().count() == 0; });
}

TEST_F(CachedKube, MetadataAloneIsEnoughForIndexes) {
  client.create(config_map("a", {{"is", std::string(5000, 'x')}}, {{"app", "x"}}));
  const auto maps = cache->watch<core::ConfigMap>({.extent = client::Extent::metadata});
  sync();
  EXPECT_EQ(list<core::ConfigMap>({.labels = {{"app", "x"}}}), "a ");
  const auto object = cache->find(client::resource_of<core::ConfigMap>(), {ns, "a"});
  ASSERT_TRUE(object);
  EXPECT_LT(object->bytes().size(), 2000);
}

TEST_F(CachedKube, ManagedFieldsCanBeLeftOut) {
  client.create(config_map("a", {{"is", "a"}}));
  const auto maps = cache->watch<core::ConfigMap>({.managed_fields = false});
  sync();
  auto expected = client.get<core::ConfigMap>({ns, "a"});
  EXPECT_FALSE(expected.metadata.managedFields.empty());
  expected.metadata.managedFields.clear();
  EXPECT_EQ(cache->get<core::ConfigMap>({ns, "a"}), expected);
}

TEST_F(CachedKube, HealsWhenTheServerHasForgottenAndRestarted) {
  client.create(config_map("a", {{"is", "1"}}));
  client.create(config_map("b"));
  std::atomic<int> deleted = 0;
  const auto maps = cache->subscribe<core::ConfigMap>({}, [&](const Change& change) {
    if (change.type() == Change::Type::deleted) ++deleted;
  });
  sync();
  client.delete_<core::ConfigMap>({.name = "b"});
  client.edit<core::ConfigMap>({.name = "a"}, [](auto& map) { map.data["is"] = "2"; });
  forget();
  eventually("it is as the server has it", [&] { return has("a", "2") && !cache->find<core::ConfigMap>({ns, "b"}); });
  EXPECT_EQ(deleted, 1);
}

TEST_F(CachedKube, AKindThatComesLaterIsWaitedFor) {
  const auto kites = cache->watch<Kite>();
  sync();
  EXPECT_THAT(cache->list<Kite>(), IsEmpty());
  const json::Value definition = kube::crd<Kite>();
  client.dynamic({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}).apply(definition, {.force = true});
  eventually("a kite can be made", [&] {
    try {
      client.create(Kite{.metadata = {.name = "red"}, .spec = {.length = 30}});
      return true;
    } catch (const ApiError& error) {
      return error.is_already_exists();
    }
  });
  eventually("it is in the cache", [&] { return cache->find<Kite>({ns, "red"}).has_value(); });
  EXPECT_EQ(cache->get<Kite>({ns, "red"}).spec.length, 30);
  EXPECT_EQ(cache->find(client::resource_of<Kite>(), {ns, "red"})->format(), cache::Format::json);
}

TEST_F(CachedKube, NamespacesChangeAtRunTime) {
  const std::string other = ns + "2";
  client.create(core::Namespace{.metadata = {.name = other}});
  client.create(config_map("a"));
  client.create(core::ConfigMap{.metadata = {.name = "b", .namespace_ = other}});
  const auto maps = cache->watch<core::ConfigMap>();
  sync();
  EXPECT_EQ(list<core::ConfigMap>(), "a ");
  cache->set_namespaces({other});
  sync();
  EXPECT_EQ(list<core::ConfigMap>(), "b ");
}

TEST_F(CachedKube, ListsByOwner) {
  const auto owner = client.create(config_map("owner"));
  core::ConfigMap child = config_map("child");
  child.metadata.ownerReferences = {
      {.apiVersion = "v1", .kind = "ConfigMap", .name = "owner", .uid = owner.metadata.uid}};
  client.create(child);
  const auto maps = cache->watch<core::ConfigMap>();
  sync();
  EXPECT_EQ(list<core::ConfigMap>({.owner = owner.metadata.uid}), "child ");
}

TEST_F(CachedKube, AForbiddenKindIsNotSyncedAndSaysWhy) {
  auto config = server_.config();
  const Client jane = connect([&] {
    auto as = config;
    as.impersonate.user = "nobody-at-all";
    return as;
  }());
  Cache forbidden(jane, {.namespaces = {ns}});
  const auto secrets = forbidden.watch<core::Secret>();
  eventually("it is said", [&] { return !forbidden.status().front().watches.front().trouble.empty(); });
  EXPECT_FALSE(secrets.is_synced());
  EXPECT_THAT(forbidden.status().front().watches.front().trouble, HasSubstr("secrets is forbidden"));
}

}  // namespace
}  // namespace flyball::kubetest
