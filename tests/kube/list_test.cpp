// Lists: pages, versions, and what happens when the server has forgotten the version a list began with.
#include <atomic>
#include <set>
#include <thread>

#include "kube_test.hpp"

namespace flyball::kubetest {
namespace {

constexpr int kMany = 5000;

// All tests of this kind look at the same 5,000 objects.
struct Paging : KubeTest {
  Paging() {
    if (crowd.empty()) fill();
  }

  void fill() {
    const std::string into = ns;
    std::atomic<int> next = 0;
    std::vector<std::thread> workers;
    workers.reserve(6);
    for (int worker = 0; worker < 6; ++worker) {
      workers.emplace_back([&] {
        for (int number = next++; number < kMany; number = next++) {
          auto map = config_map("member-" + std::to_string(10000 + number), {{"number", std::to_string(number)}},
                                {{"parity", number % 2 == 0 ? "even" : "odd"}});
          map.metadata.namespace_ = into;
          client.create(map);
        }
      });
    }
    for (auto& worker : workers) worker.join();
    crowd = into;
  }

  // The rest of a list that has begun.
  static std::vector<std::string> rest(client::List<core::ConfigMap>::iterator at) {
    std::vector<std::string> names;
    for (; at != client::List<core::ConfigMap>::iterator(); ++at) names.push_back(at->metadata.name);
    return names;
  }

  static std::string crowd;  // the namespace they are in
};
std::string Paging::crowd;

TEST_F(Paging, EveryObjectComesOnceAndInOrder) {
  const auto names = names_of(client.list<core::ConfigMap>({.namespace_ = crowd, .page_size = 499}));
  ASSERT_THAT(names, SizeIs(kMany));
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), kMany);
}

TEST_F(Paging, ThePageSizeChangesNothingButTheNumberOfRequests) {
  EXPECT_THAT(client.list<core::ConfigMap>({.namespace_ = crowd, .page_size = 0}).all(), SizeIs(kMany));
  EXPECT_THAT(client.list<core::ConfigMap>({.namespace_ = crowd, .page_size = 5000}).all(), SizeIs(kMany));
  EXPECT_THAT(client.list<core::ConfigMap>({.namespace_ = crowd, .page_size = 4999}).all(), SizeIs(kMany));
}

TEST_F(Paging, TheFirstPageTellsHowManyRemain) {
  auto list = client.list<core::ConfigMap>({.namespace_ = crowd, .page_size = 100});
  EXPECT_EQ(list.metadata().remainingItemCount, kMany - 100);
  EXPECT_NE(list.metadata().continue_, "");
}

TEST_F(Paging, JsonPagesAreTheSame) {
  const Client json = connect({.protobuf = false});
  EXPECT_THAT(names_of(json.list<core::ConfigMap>({.namespace_ = crowd, .page_size = 1000})), SizeIs(kMany));
}

TEST_F(Paging, DynamicObjectsComeByPagesToo) {
  int count = 0;
  for (const json::Value& map :
       client.dynamic({"", "v1", "ConfigMap"}).list({.namespace_ = crowd, .page_size = 1000})) {
    count += map["data"]["number"].exists() ? 1 : 0;
  }
  EXPECT_EQ(count, kMany);
}

TEST_F(Paging, SelectorsHoldAcrossPages) {
  const auto odd =
      names_of(client.list<core::ConfigMap>({.namespace_ = crowd, .labels = {{"parity", "odd"}}, .page_size = 300}));
  EXPECT_THAT(odd, SizeIs(kMany / 2));
}

TEST_F(Paging, AllPagesAreOfOneMoment) {
  auto list = client.list<core::ConfigMap>({.namespace_ = crowd, .page_size = 2000});
  const std::string moment = list.resource_version();
  auto at = list.begin();
  auto late = config_map("member-99999");
  late.metadata.namespace_ = crowd;
  client.create(late);
  const auto names = rest(at);
  client.delete_<core::ConfigMap>({crowd, "member-99999"});
  EXPECT_THAT(names, SizeIs(kMany));
  EXPECT_THAT(names, Not(Contains("member-99999")));
  EXPECT_EQ(list.resource_version(), moment);
}

TEST_F(Paging, AListThatWasForgottenFailsAsExpired) {
  auto list = client.list<core::ConfigMap>({.namespace_ = crowd, .page_size = 2000});
  auto at = list.begin();
  forget();
  const auto error = refusal([&] { (void)rest(at); });
  EXPECT_TRUE(error.is_expired()) << error.what();
  EXPECT_EQ(error.code(), 410);
}

TEST_F(Paging, AListThatWasForgottenCanGoOn) {
  auto list =
      client.list<core::ConfigMap>({.namespace_ = crowd, .page_size = 2000, .on_expired = client::OnExpired::go_on});
  auto at = list.begin();
  forget();
  const auto names = rest(at);
  EXPECT_THAT(names, SizeIs(kMany));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), kMany) << "something came twice";
}

class Versions : public KubeTest {};

TEST_F(Versions, AGetAtAnyVersionMayComeFromTheServersCache) {
  const auto made = client.create(config_map("a"));
  EXPECT_EQ(client.get<core::ConfigMap>({.name = "a"}, {.resource_version = made.metadata.resourceVersion}), made);
  eventually("the cache has it", [&] {
    try {
      return client.get<core::ConfigMap>({.name = "a"}, {.resource_version = "0"}) == made;
    } catch (const ApiError& error) {
      return !error.is_not_found();
    }
  });
}

TEST_F(Versions, AListNotOlderThanAVersionHasWhatWasWrittenBefore) {
  const auto made = client.create(config_map("a"));
  auto list = client.list<core::ConfigMap>({.namespace_ = ns,
                                            .resource_version = made.metadata.resourceVersion,
                                            .match = client::ResourceVersionMatch::not_older_than});
  EXPECT_THAT(list.all(), SizeIs(1));
}

TEST_F(Versions, AListAtExactlyAVersionShowsThePast) {
  const auto first = client.create(config_map("a"));
  client.create(config_map("b"));
  auto list = client.list<core::ConfigMap>({.namespace_ = ns,
                                            .resource_version = first.metadata.resourceVersion,
                                            .match = client::ResourceVersionMatch::exact});
  EXPECT_THAT(names_of(list), ElementsAre("a"));
  EXPECT_EQ(list.resource_version(), first.metadata.resourceVersion);
}

TEST_F(Versions, AListAtAForgottenVersionIsExpired) {
  const auto first = client.create(config_map("a"));
  client.create(config_map("b"));
  forget();
  const auto error = refusal([&] {
    (void)client
        .list<core::ConfigMap>({.namespace_ = ns,
                                .resource_version = first.metadata.resourceVersion,
                                .match = client::ResourceVersionMatch::exact})
        .all();
  });
  EXPECT_TRUE(error.is_expired()) << error.what();
}

TEST_F(Versions, AVersionOfTheFutureIsRefusedAfterAWhile) {
  const Client impatient = connect({.retry = {.attempts = 1}});
  const auto error = refusal([&] {
    (void)impatient
        .list<core::ConfigMap>({.namespace_ = ns,
                                .resource_version = "999999999999",
                                .match = client::ResourceVersionMatch::not_older_than})
        .all();
  });
  EXPECT_THAT(error.what(), HasSubstr("Too large resource version"));
  EXPECT_TRUE(error.is_retriable());
}

TEST_F(Versions, AVersionThatIsNoneIsABadRequest) {
  const auto error =
      refusal([&] { (void)client.get<core::ConfigMap>({.name = "a"}, {.resource_version = "yesterday"}); });
  EXPECT_THAT(error.what(), HasSubstr("yesterday"));
}

TEST_F(Versions, EveryWriteGivesANewVersionAndOnlyTheSpecANewGeneration) {
  const auto first = client.create(deployment("web", 1));
  const auto labelled = client.edit<apps::Deployment>({.name = "web"}, [](auto& d) { d.metadata.labels["a"] = "b"; });
  EXPECT_NE(labelled.metadata.resourceVersion, first.metadata.resourceVersion);
  EXPECT_EQ(labelled.metadata.generation, 1);
  EXPECT_EQ(client.edit<apps::Deployment>({.name = "web"}, [](auto& d) { d.spec.replicas = 2; }).metadata.generation,
            2);
}

}  // namespace
}  // namespace flyball::kubetest
