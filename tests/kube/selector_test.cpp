// Label and field selectors, as the server understands them.
#include "kube_test.hpp"

namespace flyball::kubetest {
namespace {

struct Selecting : KubeTest {
  Selecting() {
    client.create(config_map("cache", {}, {{"tier", "cache"}, {"size", "3"}}));
    client.create(config_map("db", {}, {{"tier", "db"}, {"size", "10"}, {"canary", ""}}));
    client.create(config_map("plain"));
  }
  std::vector<std::string> by(const std::string& selector) const {
    return names_of(client.list<core::ConfigMap>({.namespace_ = ns, .selector = kube::Selector::parse(selector)}));
  }
  std::vector<std::string> by_field(const std::string& selector) const {
    return names_of(client.list<core::ConfigMap>({.namespace_ = ns, .fields = kube::FieldSelector::parse(selector)}));
  }
};

TEST_F(Selecting, ByEqualLabels) {
  EXPECT_THAT(by("tier=cache"), ElementsAre("cache"));
  EXPECT_THAT(names_of(client.list<core::ConfigMap>({.namespace_ = ns, .labels = {{"tier", "db"}}})),
              ElementsAre("db"));
}
TEST_F(Selecting, ByUnequalLabelsTakesThoseWithout) { EXPECT_THAT(by("tier!=cache"), ElementsAre("db", "plain")); }
TEST_F(Selecting, BySets) {
  EXPECT_THAT(by("tier in (cache,db)"), ElementsAre("cache", "db"));
  EXPECT_THAT(by("tier notin (cache)"), ElementsAre("db", "plain"));
}
TEST_F(Selecting, ByPresence) {
  EXPECT_THAT(by("canary"), ElementsAre("db"));
  EXPECT_THAT(by("!tier"), ElementsAre("plain"));
}
TEST_F(Selecting, ByNumbers) {
  EXPECT_THAT(by("size>5"), ElementsAre("db"));
  EXPECT_THAT(by("size<5"), ElementsAre("cache"));
}
TEST_F(Selecting, BySeveralAtOnce) {
  EXPECT_THAT(by("tier in (cache,db),!canary"), ElementsAre("cache"));
  EXPECT_THAT(names_of(client.list<core::ConfigMap>(
                  {.namespace_ = ns, .labels = {{"tier", "db"}}, .selector = kube::Selector::parse("size=3")})),
              IsEmpty());
}
TEST_F(Selecting, ByName) {
  EXPECT_THAT(by_field("metadata.name=db"), ElementsAre("db"));
  EXPECT_THAT(by_field("metadata.name!=db"), ElementsAre("cache", "plain"));
}
TEST_F(Selecting, ByAFieldTheKindHasNoIndexForIsABadRequest) {
  const auto error = refusal([&] { (void)by_field("data.colour=blue"); });
  EXPECT_TRUE(error.is_bad_request());
  EXPECT_THAT(error.what(), HasSubstr("data.colour"));
}
TEST_F(Selecting, PodsByNodeAndPhase) {
  auto placed = pod("placed");
  placed.spec.nodeName = "node-1";
  client.create(placed);
  client.create(pod("waiting"));
  const auto pods = [&](const char* selector) {
    return names_of(client.list<core::Pod>({.namespace_ = ns, .fields = kube::FieldSelector::parse(selector)}));
  };
  EXPECT_THAT(pods("spec.nodeName=node-1"), ElementsAre("placed"));
  EXPECT_THAT(pods("spec.nodeName="), ElementsAre("waiting"));
  EXPECT_THAT(pods("status.phase=Pending,spec.nodeName!=node-1"), ElementsAre("waiting"));
}
TEST_F(Selecting, ADeleteCollectionTakesFieldsToo) {
  client.delete_collection<core::ConfigMap>(
      {.namespace_ = ns, .fields = kube::FieldSelector::parse("metadata.name!=plain")});
  EXPECT_THAT(names_of(client.list<core::ConfigMap>({.namespace_ = ns})), ElementsAre("plain"));
}

}  // namespace
}  // namespace flyball::kubetest
