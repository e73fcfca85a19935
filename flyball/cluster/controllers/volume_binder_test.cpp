#include "flyball/cluster/controllers/volume_binder.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "flyball/cluster/controllers/kubelet_for_test.hpp"
#include "flyball/cluster/controllers/scheduler.hpp"
#include "flyball/cluster/controllers/volume_protection.hpp"

using namespace flyball;
using namespace flyball::cluster;
namespace core = kube::core::v1;

namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct VolumeBinder : public ::testing::Test {
  std::string directory = ::testing::TempDir() + "flyball-volumes-" + std::to_string(::getpid());
  TestEnvironment env{[this](Operator& op) {
    declare_volume_binder(op, {.directory = directory});
    declare_volume_protection(op);
    declare_scheduler(op);
  }};

  void TearDown() override { std::filesystem::remove_all(directory); }

  void make_claim(std::optional<std::string> storage_class = {}) {
    env.create(core::PersistentVolumeClaim{.metadata = {.name = "data", .namespace_ = "default"},
                                           .spec = {.storageClassName = std::move(storage_class),
                                                    .accessModes = {"ReadWriteOnce"},
                                                    .resources = {.requests = {{"storage", "1Gi"}}}}});
    env.settle();
  }
  void make_pod() {
    env.create(core::Pod{.metadata = {.name = "db", .namespace_ = "default"},
                         .spec = {.containers = {{.name = "c", .image = "i"}},
                                  .volumes = {{.name = "data", .persistentVolumeClaim = {{.claimName = "data"}}}}}});
    env.settle();
  }
  void make_node() { cluster::make_node(env, "node-1", {{"pods", 10}}, {{"kubernetes.io/hostname", "node-1"}}); }
  void make_volume(const std::string& name, const std::string& size) {
    env.create(core::PersistentVolume{.metadata = {.name = name},
                                      .spec = {.capacity = {{"storage", size}},
                                               .accessModes = {"ReadWriteOnce"},
                                               .persistentVolumeReclaimPolicy = "Retain",
                                               .hostPath = {{.path = "/somewhere"}}}});
    env.settle();
  }
  core::PersistentVolumeClaim claim() { return env.get<core::PersistentVolumeClaim>("data"); }
};

TEST_F(VolumeBinder, AClaimOfTheDefaultClassWaitsForItsFirstConsumer) {
  env.create(local_storage_class());
  make_claim();
  EXPECT_EQ(claim().spec.storageClassName, "standard");
  EXPECT_EQ(claim().status.phase, "Pending");
  EXPECT_THAT(env.events(),
              Contains("Normal WaitForFirstConsumer: waiting for first consumer to be created before binding"));
  make_node();
  make_pod();
  EXPECT_EQ(claim().status.phase, "Bound");
  const auto volume = env.get<core::PersistentVolume>("pvc-" + claim().metadata.uid);
  EXPECT_EQ(claim().spec.volumeName, volume.metadata.name);
  EXPECT_EQ(volume.status.phase, "Bound");
  EXPECT_EQ(volume.spec.claimRef->uid, claim().metadata.uid);
  EXPECT_EQ(volume.spec.hostPath->path, directory + "/" + volume.metadata.name + "_default_data");
  EXPECT_EQ(claim().status.capacity.at("storage"), kube::Quantity("1Gi"));
  EXPECT_EQ(env.get<core::Pod>("db").spec.nodeName, "node-1");
}

TEST_F(VolumeBinder, AVolumeThatFitsIsTakenTheSmallestFirst) {
  make_volume("large", "10Gi");
  make_volume("fitting", "2Gi");
  make_volume("small", "1Mi");
  make_claim("");
  EXPECT_EQ(claim().spec.volumeName, "fitting");
  EXPECT_EQ(claim().status.phase, "Bound");
  EXPECT_EQ(env.get<core::PersistentVolume>("fitting").status.phase, "Bound");
  EXPECT_EQ(env.get<core::PersistentVolume>("large").status.phase, "Available");
}

TEST_F(VolumeBinder, WithoutAClassOrAVolumeAClaimWaits) {
  make_claim("");
  EXPECT_EQ(claim().status.phase, "Pending");
  EXPECT_THAT(env.events(), Contains("Normal FailedBinding: no persistent volumes available for this claim and no "
                                     "storage class is set"));
  make_volume("late", "1Gi");
  EXPECT_EQ(claim().status.phase, "Bound");
}

TEST_F(VolumeBinder, AClaimStaysWhileAPodUsesItAndItsVolumeGoesWithIt) {
  env.create(local_storage_class());
  make_node();
  make_claim();
  make_pod();
  const std::string path = env.get<core::PersistentVolume>(claim().spec.volumeName).spec.hostPath->path;
  std::filesystem::create_directories(path);
  std::ofstream(path + "/file") << "kept";
  env.delete_<core::PersistentVolumeClaim>("data");
  env.settle();
  EXPECT_TRUE(env.find<core::PersistentVolumeClaim>("data"));
  env.delete_<core::Pod>("db");
  env.settle();
  end_pods(env);
  EXPECT_FALSE(env.find<core::PersistentVolumeClaim>("data"));
  EXPECT_THAT(env.list<core::PersistentVolume>(), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(VolumeBinder, AVolumeThatIsRetainedIsReleased) {
  make_volume("kept", "1Gi");
  make_claim("");
  env.delete_<core::PersistentVolumeClaim>("data");
  env.settle();
  EXPECT_THAT(env.list<core::PersistentVolume>(), SizeIs(1));
  EXPECT_EQ(env.get<core::PersistentVolume>("kept").status.phase, "Released");
}

}  // namespace
