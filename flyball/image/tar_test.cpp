#include "flyball/image/tar.hpp"

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"

namespace flyball::image {
namespace {

std::string archive_of(const std::vector<TarEntry>& entries) {
  std::string archive;
  TarWriter tar(archive);
  for (const TarEntry& entry : entries) tar.add(entry);
  tar.finish();
  return archive;
}

std::string problem_of(const std::string& archive) {
  try {
    TarReader reader(archive);
    while (reader.next()) {
    }
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Tar, WhatIsWrittenIsReadBack) {
  const std::string archive = archive_of({{.name = "etc/", .kind = TarKind::folder, .mode = 0755, .mtime = 7},
                                          {.name = "etc/passwd", .mode = 0600, .uid = 3, .gid = 4, .data = "root"},
                                          {.name = "bin", .kind = TarKind::symlink, .mode = 0777, .link = "usr/bin"}});
  EXPECT_EQ(archive.size() % 512, 0U);
  TarReader reader(archive);
  const auto folder = reader.next();
  EXPECT_EQ(folder->kind, TarKind::folder);
  EXPECT_EQ(folder->mtime, 7);
  const auto file = reader.next();
  EXPECT_EQ(file->name, "etc/passwd");
  EXPECT_EQ(file->data, "root");
  EXPECT_EQ(file->mode, 0600U);
  EXPECT_EQ(file->uid, 3U);
  EXPECT_EQ(file->gid, 4U);
  const auto link = reader.next();
  EXPECT_EQ(link->kind, TarKind::symlink);
  EXPECT_EQ(link->link, "usr/bin");
  EXPECT_FALSE(reader.next());
}

TEST(Tar, LongNamesAndLinksSurvive) {
  for (const std::size_t length : {99U, 100U, 101U, 255U, 989U, 990U, 991U, 4000U}) {
    const std::string name(length, 'n');
    const std::string archive = archive_of({{.name = name, .kind = TarKind::symlink, .link = name + "2"}});
    TarReader reader(archive);
    const auto entry = reader.next();
    EXPECT_EQ(entry->name, name);
    EXPECT_EQ(entry->link, name + "2");
    EXPECT_FALSE(reader.next());
  }
}

TEST(Tar, ADamagedHeaderIsRefused) {
  std::string archive = archive_of({{.name = "a", .data = "text"}});
  archive[0] = 'b';
  EXPECT_EQ(problem_of(archive), "the tar archive is damaged: the checksum of a header is wrong");
}

TEST(Tar, AnArchiveThatEndsEarlyIsRefused) {
  const std::string archive = archive_of({{.name = "a", .data = std::string_view("text")}});
  EXPECT_EQ(problem_of(archive.substr(0, 514)), "the tar archive is damaged: it ends in the middle");
  EXPECT_EQ(problem_of(archive.substr(0, 100)), "the tar archive is damaged: it ends in the middle of a header");
  EXPECT_EQ(problem_of(archive.substr(0, 1024)), "") << "many writers leave the empty blocks out";
}

TEST(Tar, SafePathsStayBelowTheirFolder) {
  EXPECT_EQ(safe_path("./usr//bin/./sh"), "usr/bin/sh");
  EXPECT_EQ(safe_path("/etc/passwd"), "etc/passwd");
  EXPECT_EQ(safe_path("./"), "");
  EXPECT_EQ(safe_path("..a/b.."), "..a/b..");
  for (const char* name : {"..", "../x", "a/../../x", "a/.."}) EXPECT_THROW(safe_path(name), InputError) << name;
  EXPECT_THROW(safe_path(std::string_view("a\0b", 3)), InputError);
}

}  // namespace
}  // namespace flyball::image
