#include "flyball/cluster/node/images.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/image/build.hpp"
#include "flyball/image/folder_for_test.hpp"
#include "flyball/image/program_for_test.hpp"

namespace flyball::cluster::node {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

TEST(Images, AreNamedWithoutRegistryTagAndDigest) {
  EXPECT_EQ(repository_of("memcached"), "memcached");
  EXPECT_EQ(repository_of("docker.io/library/memcached:1.6@sha256:abc"), "memcached");
  EXPECT_EQ(repository_of("localhost:5000/shop/web:2"), "localhost:5000/shop/web");
  EXPECT_EQ(repository_of("shop/web"), "shop/web");
}

TEST(Images, OfTheUsualKindStandForWhatIsInstalled) {
  const ImageTable images = ImageTable::usual();
  const Image shell = images.find("docker.io/library/busybox:1.36");
  EXPECT_THAT(shell.entrypoint, IsEmpty());
  EXPECT_THAT(shell.cmd, ElementsAre("sh"));
  EXPECT_THAT(images.find("registry.k8s.io/pause:3.10").entrypoint, ElementsAre(EndsWith("/sleep"), "infinity"));
}

TEST(Images, WhatWasMappedWins) {
  ImageTable images = ImageTable::usual();
  images.map("busybox", {.entrypoint = {"/bin/sh"}, .cmd = {"-c", "true"}});
  images.map("shop/web", {.entrypoint = {"/bin/cat"}});
  images.map("shop/web:2", {.entrypoint = {"/bin/ls"}});
  EXPECT_THAT(images.find("busybox").entrypoint, ElementsAre("/bin/sh"));
  EXPECT_THAT(images.find("shop/web:1").entrypoint, ElementsAre("/bin/cat"));
  EXPECT_THAT(images.find("shop/web:2").entrypoint, ElementsAre("/bin/ls"));
}

TEST(Images, AreReadFromAFile) {
  ImageTable images;
  images.add_yaml("shop/web: bin/sh\nshop/db: {entrypoint: [cat], cmd: [-u], env: {MODE: dev}, user: nobody}\n", "/");
  EXPECT_THAT(images.find("shop/web").entrypoint, ElementsAre("/bin/sh"));
  const Image db = images.find("shop/db:3");
  EXPECT_THAT(db.cmd, ElementsAre("-u"));
  EXPECT_EQ(db.env.at("MODE"), "dev");
  EXPECT_EQ(db.user, "nobody");
  EXPECT_THAT([&] { images.add_yaml("shop/web: 3\n"); }, ThrowsMessage<InputError>(HasSubstr("shop/web: expected")));
}

TEST(Images, ThatAreUnknownSayHowToMapThem) {
  ImageTable images;
  EXPECT_THAT([&] { (void)images.find("shop/web:2"); },
              ThrowsMessage<ImageError>(AllOf(HasSubstr("\"shop/web:2\""), HasSubstr("--image shop/web=PATH"))));
  images.map("shop/web", {.entrypoint = {"no-such-program"}, .package = "web"});
  EXPECT_THAT([&] { (void)images.find("shop/web:2"); },
              ThrowsMessage<ImageError>(AllOf(HasSubstr("no-such-program"), HasSubstr("apt-get install web"))));
}

TEST(Images, AreInstalledWhereThatIsAllowed) {
  ImageTable images;
  images.map("shop/web", {.entrypoint = {"sh"}, .needs = "no-such-program", .package = "web"});
  std::string asked;
  images.set_installer([&](const std::string& package) { asked = package; });
  EXPECT_THAT([&] { (void)images.find("shop/web"); }, ThrowsMessage<ImageError>(HasSubstr("no-such-program")));
  EXPECT_EQ(asked, "web");
  images.set_installer([](const std::string&) { throw Error("apt-get ended with status 100: no such package"); });
  EXPECT_THAT([&] { (void)images.find("shop/web"); },
              ThrowsMessage<ImageError>(AllOf(HasSubstr("Debian package web"), HasSubstr("status 100"))));
}

TEST(ImagesOfStores, AreUnpackedAndSayHowTheyRun) {
  const image::FolderForTest folder;
  const image::Image built =
      image::build_image(image::program_for_test("code", ""), {.name = "web", .arguments = {"run"}});
  ImageTable images = ImageTable::usual();
  images.add_store(folder / "store", folder / "unpacked");
  EXPECT_THROW(images.find("shop/web:1"), ImageError);
  image::write_layout(built, "shop/web:1", folder / "store");
  const Image web = images.find("shop/web:1");
  EXPECT_THAT(web.entrypoint, ElementsAre("/web"));
  EXPECT_THAT(web.cmd, ElementsAre("run"));
  EXPECT_EQ(web.user, "65532");
  EXPECT_TRUE(std::filesystem::exists(web.root + "/web"));
  EXPECT_TRUE(std::filesystem::exists(web.root + "/etc/passwd"));
  EXPECT_EQ(images.find("shop/web:1").root, web.root);
}

TEST(ImagesOfStores, AFileOrAFolderCanBeNamed) {
  const image::FolderForTest folder;
  image::write_file(
      folder / "web.tar",
      image::docker_archive(image::build_image(image::program_for_test("code", ""), {.name = "web"}), "x"));
  ImageTable images;
  images.add_store(folder / "none", folder / "unpacked");
  images.add_yaml("shop/web: {oci: web.tar, env: {MODE: dev}}\nshop/old: {root: rootfs, entrypoint: [/bin/old]}\n",
                  folder.path());
  const Image web = images.find("shop/web:2");
  EXPECT_THAT(web.entrypoint, ElementsAre("/web"));
  EXPECT_EQ(web.env.at("MODE"), "dev");
  EXPECT_TRUE(web.env.contains("PATH"));
  EXPECT_EQ(images.find("shop/old").root, folder / "rootfs");
  EXPECT_THAT(images.find("shop/old").entrypoint, ElementsAre("/bin/old"));
  image::write_file(folder / "web.tar", "rubbish");
  EXPECT_THROW(images.find("shop/web:2"), ImageError);
}

}  // namespace
}  // namespace flyball::cluster::node
