#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/image/build.hpp"
#include "flyball/image/folder_for_test.hpp"
#include "flyball/image/gzip.hpp"
#include "flyball/image/image.hpp"
#include "flyball/image/program_for_test.hpp"
#include "flyball/image/tar.hpp"

namespace flyball::image {
namespace {

using ::testing::HasSubstr;

struct Layout : ::testing::Test {
  const Image web = build_image(program_for_test("web", ""), {.name = "web"});
  const Image db = build_image(program_for_test("db", ""), {.name = "db"});
  const FolderForTest folder;

  std::string problem(const std::string& path, const std::string& name = {}) const {
    try {
      read_image(path, name);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(Layout, AFolderReadsBackAsTheImage) {
  write_layout(web, "shop/web:1", folder / "oci");
  const Image read = read_image(folder / "oci");
  EXPECT_EQ(read.digest(), web.digest());
  EXPECT_EQ(read.layers, web.layers);
  EXPECT_EQ(read.config.config.Entrypoint, web.config.config.Entrypoint);
}

TEST_F(Layout, SeveralImagesShareAFolderAndOneOfTheSameNameIsReplaced) {
  write_layout(web, "shop/web:1", folder / "oci");
  write_layout(db, "shop/db:1", folder / "oci");
  EXPECT_EQ(read_image(folder / "oci", "shop/web:1").digest(), web.digest());
  EXPECT_EQ(read_image(folder / "oci", "shop/db:1").digest(), db.digest());
  write_layout(db, "shop/web:1", folder / "oci");
  EXPECT_EQ(read_image(folder / "oci", "shop/web:1").digest(), db.digest());
  EXPECT_THAT(problem(folder / "oci", "shop/shop:1"),
              HasSubstr("has no image \"shop/shop:1\"; it has shop/db:1, shop/web:1"));
}

TEST_F(Layout, DoesNotWriteIntoAFolderOfSomethingElse) {
  write_file(folder / "home/letter.txt", "dear");
  EXPECT_THROW(write_layout(web, "", folder / "home"), Error);
}

TEST_F(Layout, ArchivesOfBothKindsReadBack) {
  write_file(folder / "oci.tar", layout_archive(web, "shop/web:1"));
  EXPECT_EQ(read_image(folder / "oci.tar").digest(), web.digest());
  write_file(folder / "docker.tar", docker_archive(web, "shop/web:1"));
  EXPECT_EQ(read_image(folder / "docker.tar").digest(), web.digest());
  write_file(folder / "docker.tgz", gzip(docker_archive(web, "shop/web:1")));
  EXPECT_EQ(read_image(folder / "docker.tgz", "shop/web:1").digest(), web.digest());
}

TEST_F(Layout, ADamagedBlobIsNoticed) {
  write_layout(web, "", folder / "oci");
  for (const auto& blob : std::filesystem::directory_iterator(folder / "oci/blobs/sha256")) {
    const std::string good = read_file(blob.path().string());
    write_file(blob.path().string(), good + "x");
    EXPECT_THAT(problem(folder / "oci"), HasSubstr("is damaged: its digest should be sha256:"));
    write_file(blob.path().string(), good);
  }
}

TEST_F(Layout, WhatIsNoImageIsSaidSo) {
  write_file(folder / "empty/x", "");
  EXPECT_THAT(problem(folder / "empty"), HasSubstr("is no image: expected an OCI layout"));
  EXPECT_THAT(problem(folder / "none"), HasSubstr("none: No such file or directory"));
  write_file(folder / "rubbish.tar", std::string(600, 'x'));
  EXPECT_THAT(problem(folder / "rubbish.tar"), HasSubstr("the tar archive is damaged"));
}

TEST_F(Layout, AnIndexIsFollowedToThisMachine) {
  const Index index{
      .manifests = {
          {.digest = "a", .platform = Platform{.architecture = "vax", .os = "linux"}},
          {.digest = "b", .platform = Platform{.architecture = std::string(this_architecture()), .os = "linux"}}}};
  EXPECT_EQ(choose(index, "web").digest, "b");
  try {
    choose({.manifests = {index.manifests[0]}}, "web");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("it has linux/vax"));
  }
}

}  // namespace
}  // namespace flyball::image
