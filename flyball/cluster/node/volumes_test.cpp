#include "flyball/cluster/node/volumes.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace flyball::cluster::node {
namespace {

namespace core = kube::core::v1;
namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StrEq;
using ::testing::ThrowsMessage;

struct VolumesTest : ::testing::Test {
  const fs::path base = fs::temp_directory_path() / ("flyball-volumes-" + std::to_string(::getpid()));
  const std::string folder = (base / "pod").string();
  std::map<std::string, std::string> settings{{"colour", "red"}, {"size", "9"}};
  core::Pod pod{.metadata = {.name = "web-0", .namespace_ = "shop", .labels = {{"app", "web"}}},
                .spec = {.serviceAccountName = "default"}};
  core::Container container{.name = "web"};
  PodSources sources{
      .config_map = [this](const std::string& name) -> std::optional<core::ConfigMap> {
        if (name != "settings") return std::nullopt;
        return core::ConfigMap{.data = settings};
      },
      .secret = [](const std::string& name) -> std::optional<core::Secret> {
        if (name != "keys") return std::nullopt;
        return core::Secret{.data = {{"password", "hunter2"}}};
      },
      .services = {},
      .token = [](const std::string& audience,
                  std::int64_t seconds) { return "a token for " + audience + ", " + std::to_string(seconds) + " s"; }};
  Volumes volumes{folder, (base / "claims").string()};

  ~VolumesTest() override {
    std::error_code none;
    fs::remove_all(base, none);
  }
  std::string content(const std::string& path) const {
    std::ifstream in(fs::path(folder) / "volumes" / path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
};

TEST_F(VolumesTest, ConfigMapsAreFilesAndChangeAllAtOnce) {
  pod.spec.volumes = {{.name = "v", .configMap = {{.name = "settings"}}}};
  volumes.make(pod, sources);
  EXPECT_EQ(content("v/colour"), "red");
  EXPECT_EQ(fs::read_symlink(folder + "/volumes/v/colour"), "..data/colour");
  const fs::path before = fs::read_symlink(folder + "/volumes/v/..data");
  volumes.make(pod, sources);
  EXPECT_EQ(fs::read_symlink(folder + "/volumes/v/..data"), before) << "nothing has changed";
  settings = {{"colour", "blue"}, {"taste", "sweet"}};
  volumes.make(pod, sources);
  EXPECT_EQ(content("v/colour"), "blue");
  EXPECT_EQ(content("v/taste"), "sweet");
  EXPECT_FALSE(fs::exists(fs::symlink_status(folder + "/volumes/v/size")));
  EXPECT_NE(fs::read_symlink(folder + "/volumes/v/..data"), before);
}

TEST_F(VolumesTest, KeysMayHaveOtherPathsAndModes) {
  pod.spec.volumes = {
      {.name = "v", .secret = {{.secretName = "keys", .items = {{.key = "password", .path = "a/b", .mode = 0400}}}}}};
  volumes.make(pod, sources);
  EXPECT_EQ(content("v/a/b"), "hunter2");
  EXPECT_EQ(fs::status(folder + "/volumes/v/a/b").permissions(), fs::perms::owner_read);
}

TEST_F(VolumesTest, ProjectedOnesHaveManySources) {
  pod.spec.volumes = {
      {.name = "v",
       .projected = {
           {.sources = {
                {.configMap = {{.name = "settings"}}},
                {.secret = {{.name = "nothing", .optional = true}}},
                {.downwardAPI = {{.items = {{.path = "labels", .fieldRef = {{.fieldPath = "metadata.labels"}}}}}}},
                {.serviceAccountToken = {{.path = "token", .audience = "vault", .expirationSeconds = 600}}}}}}}};
  volumes.make(pod, sources);
  EXPECT_EQ(content("v/colour"), "red");
  EXPECT_EQ(content("v/labels"), "app=\"web\"");
  EXPECT_EQ(content("v/token"), "a token for vault, 600 s");
}

TEST_F(VolumesTest, WhatIsNotThereIsAnError) {
  pod.spec.volumes = {{.name = "v", .configMap = {{.name = "nothing"}}}};
  EXPECT_THAT([&] { volumes.make(pod, sources); },
              ThrowsMessage<ConfigError>(StrEq("configmap \"nothing\" not found")));
  pod.spec.volumes = {{.name = "v", .configMap = {{.name = "settings", .items = {{.key = "no", .path = "x"}}}}}};
  EXPECT_THAT([&] { volumes.make(pod, sources); },
              ThrowsMessage<ConfigError>(StrEq("references non-existent config key: no")));
  pod.spec.volumes = {{.name = "v", .nfs = {{.server = "far"}}}};
  EXPECT_THAT([&] { volumes.make(pod, sources); }, ThrowsMessage<ConfigError>(HasSubstr("this node has emptyDir")));
}

TEST_F(VolumesTest, AClaimOutlivesItsPods) {
  pod.spec.volumes = {{.name = "data", .persistentVolumeClaim = {{.claimName = "disk"}}},
                      {.name = "scratch", .emptyDir = {{}}},
                      {.name = "v", .configMap = {{.name = "settings"}}}};
  container.volumeMounts = {{.name = "data", .mountPath = "/var/lib/data", .subPathExpr = "$(POD)"},
                            {.name = "scratch", .mountPath = "/scratch"},
                            {.name = "v", .mountPath = "/etc/v"}};
  volumes.make(pod, sources);
  const std::vector<Mount> mounts = volumes.mounts(pod, container, {{"POD", "web-0"}}, sources);
  ASSERT_THAT(mounts, SizeIs(3));
  EXPECT_EQ(mounts[0].target, "/etc/v");
  EXPECT_TRUE(mounts[0].read_only);
  EXPECT_EQ(mounts[1].source, folder + "/volumes/scratch");
  EXPECT_EQ(mounts[2].source, (base / "claims/shop/disk/web-0").string());
  EXPECT_FALSE(mounts[2].read_only);
  EXPECT_TRUE(fs::is_directory(mounts[2].source));
}

}  // namespace
}  // namespace flyball::cluster::node
