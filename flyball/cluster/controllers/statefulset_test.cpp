#include "flyball/cluster/controllers/statefulset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/cluster/controllers/kubelet_for_test.hpp"
#include "flyball/cluster/controllers/statefulset_pods.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/reflect/decode_yaml.hpp"

using namespace flyball;
using namespace flyball::cluster;
using namespace std::chrono_literals;
namespace apps = kube::apps::v1;
namespace core = kube::core::v1;

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kDb = R"(
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 3
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "db:1", volumeMounts: [{name: data, mountPath: /data}]}]}
  volumeClaimTemplates:
    - metadata: {name: data}
      spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
)";

struct StatefulSets : public ::testing::Test {
  TestEnvironment env{declare_statefulsets};

  void begin(const std::function<void(apps::StatefulSet&)>& change = [](apps::StatefulSet&) {}) {
    auto set = reflect_from(kDb);
    change(set);
    env.create(set);
    env.settle();
  }
  static apps::StatefulSet reflect_from(std::string_view yaml) { return reflect::decode_yaml<apps::StatefulSet>(yaml); }
  void edit(const std::function<void(apps::StatefulSet&)>& change) {
    env.edit<apps::StatefulSet>("db", change);
    env.settle();
  }
  void set_image(const std::string& image) {
    edit([&](auto& set) { set.spec.template_.spec.containers[0].image = image; });
  }
  void run_all() {
    for (int i = 0; i < 12; ++i) run_pods(env);
  }
  apps::StatefulSetStatus status() { return env.get<apps::StatefulSet>("db").status; }
  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto& pod : env.list<core::Pod>()) all.push_back(pod.metadata.name);
    return all;
  }
  std::vector<std::string> images() {
    std::vector<std::string> all;
    for (const auto& pod : env.list<core::Pod>()) all.push_back(pod.spec.containers[0].image);
    return all;
  }
};

TEST_F(StatefulSets, MakesPodsOneAfterTheOther) {
  begin();
  EXPECT_THAT(names(), ElementsAre("db-0"));
  run_pods(env, false);
  EXPECT_THAT(names(), ElementsAre("db-0"));
  set_pod(env, env.get<core::Pod>("db-0"), "Running", true);
  env.settle();
  EXPECT_THAT(names(), ElementsAre("db-0", "db-1"));
  run_all();
  EXPECT_THAT(names(), ElementsAre("db-0", "db-1", "db-2"));
  EXPECT_EQ(status().replicas, 3);
  EXPECT_EQ(status().readyReplicas, 3);
  EXPECT_EQ(status().availableReplicas, 3);
  EXPECT_EQ(status().currentReplicas, 3);
  EXPECT_EQ(status().updatedReplicas, 3);
  EXPECT_EQ(status().currentRevision, status().updateRevision);
  EXPECT_EQ(status().collisionCount, 0);
  EXPECT_THAT(env.writes_of_a_second_pass(), IsEmpty());
}

TEST_F(StatefulSets, EveryPodHasANameAPlaceAndAVolumeOfItsOwn) {
  begin();
  const auto pod = env.get<core::Pod>("db-0");
  EXPECT_EQ(pod.spec.hostname, "db-0");
  EXPECT_EQ(pod.spec.subdomain, "db");
  EXPECT_EQ(pod.metadata.labels.at("statefulset.kubernetes.io/pod-name"), "db-0");
  EXPECT_EQ(pod.metadata.labels.at("apps.kubernetes.io/pod-index"), "0");
  EXPECT_EQ(pod.metadata.labels.at("controller-revision-hash"), status().updateRevision);
  EXPECT_EQ(pod.spec.volumes.at(0).persistentVolumeClaim->claimName, "data-db-0");
  EXPECT_TRUE(kube::is_controlled_by(pod, env.get<apps::StatefulSet>("db")));
  const auto claim = env.get<core::PersistentVolumeClaim>("data-db-0");
  EXPECT_EQ(claim.metadata.labels, (Labels{{"app", "db"}}));
  EXPECT_THAT(claim.metadata.ownerReferences, IsEmpty());
  EXPECT_THAT(env.events(),
              ElementsAre("Normal SuccessfulCreate: Create Claim data-db-0 Pod db-0 in StatefulSet db success",
                          "Normal SuccessfulCreate: Create Pod db-0 in StatefulSet db successful"));
}

TEST_F(StatefulSets, InParallelAllComeAtOnce) {
  begin([](auto& set) { set.spec.podManagementPolicy = "Parallel"; });
  EXPECT_THAT(names(), SizeIs(3));
}

TEST_F(StatefulSets, TheHighestGoesFirstAndItsClaimStays) {
  begin();
  run_all();
  edit([](auto& set) { set.spec.replicas = 1; });
  EXPECT_THAT(names(), ElementsAre("db-0"));
  EXPECT_TRUE(env.find<core::PersistentVolumeClaim>("data-db-2"));
  EXPECT_THAT(env.events(), Contains("Normal SuccessfulDelete: Delete Pod db-2 in StatefulSet db successful"));
}

TEST_F(StatefulSets, APodThatIsDeletedComesBackByItsName) {
  begin();
  run_all();
  const std::string uid = env.get<core::Pod>("db-1").metadata.uid;
  env.delete_<core::Pod>("db-1");
  env.settle();
  EXPECT_NE(env.get<core::Pod>("db-1").metadata.uid, uid);
}

TEST_F(StatefulSets, APodThatFailsIsMadeAgain) {
  begin();
  run_all();
  const std::string uid = env.get<core::Pod>("db-1").metadata.uid;
  set_pod(env, env.get<core::Pod>("db-1"), "Failed", false);
  env.settle();
  EXPECT_NE(env.get<core::Pod>("db-1").metadata.uid, uid);
  EXPECT_THAT(env.events(), Contains("Normal SuccessfulDelete: Delete Pod db-1 in StatefulSet db successful"));
}

TEST_F(StatefulSets, ANewTemplateReplacesPodsFromTheHighestDown) {
  begin();
  run_all();
  const std::string before = status().currentRevision;
  set_image("db:2");
  EXPECT_THAT(images(), ElementsAre("db:1", "db:1", "db:2"));
  EXPECT_EQ(status().currentRevision, before);
  EXPECT_EQ(status().updatedReplicas, 1);
  run_pods(env);
  EXPECT_THAT(images(), ElementsAre("db:1", "db:2", "db:2"));
  run_all();
  EXPECT_THAT(images(), ElementsAre("db:2", "db:2", "db:2"));
  EXPECT_NE(status().currentRevision, before);
  EXPECT_EQ(status().currentRevision, status().updateRevision);
  EXPECT_THAT(env.list<apps::ControllerRevision>(), SizeIs(2));
}

TEST_F(StatefulSets, PodsBelowThePartitionKeepTheOldTemplate) {
  begin([](auto& set) { set.spec.updateStrategy = {.type = "RollingUpdate", .rollingUpdate = {{.partition = 2}}}; });
  run_all();
  set_image("db:2");
  run_all();
  EXPECT_THAT(images(), ElementsAre("db:1", "db:1", "db:2"));
  env.delete_<core::Pod>("db-0");
  env.settle();
  run_all();
  EXPECT_THAT(images(), ElementsAre("db:1", "db:1", "db:2"));
}

TEST_F(StatefulSets, WithOnDeletePodsAreReplacedWhenSomebodyDeletesThem) {
  begin([](auto& set) { set.spec.updateStrategy = {.type = "OnDelete"}; });
  run_all();
  set_image("db:2");
  run_all();
  EXPECT_THAT(images(), ElementsAre("db:1", "db:1", "db:1"));
  env.delete_<core::Pod>("db-1");
  env.settle();
  EXPECT_THAT(images(), ElementsAre("db:1", "db:2", "db:1"));
}

TEST_F(StatefulSets, ATemplateThatComesBackIsTheSameRevision) {
  begin();
  run_all();
  const std::string first = status().currentRevision;
  set_image("db:2");
  run_all();
  set_image("db:1");
  run_all();
  EXPECT_EQ(status().currentRevision, first);
  EXPECT_EQ(env.get<apps::ControllerRevision>(first).revision, 3);
  EXPECT_THAT(env.list<apps::ControllerRevision>(), SizeIs(2));
}

TEST_F(StatefulSets, AvailableMeansReadyForLongEnough) {
  begin([](auto& set) { set.spec.minReadySeconds = 10; });
  run_pods(env);
  EXPECT_THAT(names(), ElementsAre("db-0"));
  env.advance(11s);
  EXPECT_THAT(names(), ElementsAre("db-0", "db-1"));
}

}  // namespace
