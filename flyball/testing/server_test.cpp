#include "flyball/testing/server.hpp"

#include <gtest/gtest.h>

#include "flyball/base/thread.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::testing {
namespace {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;

TEST(TestServer, TakesWhatAClientWritesAndGivesItBack) {
  // [snippet: server]
  RealClock clock;
  testing::Server server(clock);
  server.client().create(
      core::ConfigMap{.metadata = {.name = "settings", .namespace_ = "default"}, .data = {{"a", "1"}}});
  const auto settings = server.client().get<core::ConfigMap>({"default", "settings"});
  EXPECT_EQ(settings.data.at("a"), "1");
  // [end]
}

TEST(TestServer, DefaultsAndRefusesAsKubernetesDoes) {
  RealClock clock;
  Server server(clock);
  apps::Deployment web{.metadata = {.name = "web", .namespace_ = "default"}};
  web.spec.selector.matchLabels = {{"app", "web"}};
  web.spec.template_.metadata.labels = {{"app", "web"}};
  web.spec.template_.spec.containers = {{.name = "web", .image = "nginx"}};
  const auto made = server.client().create(web);
  EXPECT_EQ(made.spec.replicas, 1);
  EXPECT_EQ(made.spec.template_.spec.containers[0].imagePullPolicy, "Always");
  web.metadata.name = "other";
  web.spec.template_.metadata.labels = {{"app", "else"}};
  try {
    server.client().create(web);
    FAIL() << "a selector that does not match was taken";
  } catch (const ApiError& error) {
    EXPECT_TRUE(error.is_invalid()) << error.what();
  }
}

TEST(TestServer, GoesBackToASnapshot) {
  RealClock clock;
  Server server(clock);
  const apiserver::Snapshot before = server.store().snapshot();
  server.client().create(core::ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}});
  server.store().restore(before);
  EXPECT_FALSE(server.client().find<core::ConfigMap>({"default", "a"}).has_value());
}

TEST(TestServer, ADeleteIsDoneAlsoWhenSomebodyWhoSawItsMarkIsFaster) {
  RealClock clock;
  Server server(clock);
  StopSource end;
  // As a kubelet does: what is marked is taken away.
  Thread kubelet(clock, "kubelet", [&, stop = end.stop()] {
    while (!stop.stopped()) {
      for (const auto& pod : server.client().list<core::Pod>()) {
        if (!pod.metadata.deletionTimestamp) continue;
        try {
          server.client().delete_<core::Pod>(
              {"default", "one"}, {.grace = std::chrono::seconds(0), .uid = pod.metadata.uid, .missing_is_fine = true});
        } catch (const ApiError& error) {
          EXPECT_TRUE(error.is_conflict()) << error.what();  // the next one has its name already
        }
      }
    }
  });
  for (int i = 0; i < 1000; ++i) {
    server.client().create(core::Pod{.metadata = {.name = "one", .namespace_ = "default"},
                                     .spec = {.containers = {{.name = "a", .image = "b"}}}});
    EXPECT_NO_THROW(server.client().delete_<core::Pod>({"default", "one"}));
    EXPECT_FALSE(server.client().find<core::Pod>({"default", "one"}));
  }
  end.request_stop("enough");
}

TEST(TestServer, GivesTheSameUidsFromTheSameSeed) {
  RealClock clock;
  const auto uid = [&] {
    Server server(clock, {.seed = 7});
    return server.client().create(core::ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}).metadata.uid;
  };
  EXPECT_EQ(uid(), uid());
}

}  // namespace
}  // namespace flyball::testing
