#include "flyball/image/unpack.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/image/folder_for_test.hpp"
#include "flyball/image/tar.hpp"

namespace flyball::image {
namespace {

namespace fs = std::filesystem;

struct Unpack : ::testing::Test {
  const FolderForTest folder;
  const std::string root = folder / "root";

  void layer(const std::vector<TarEntry>& entries) const {
    std::string tar;
    TarWriter writer(tar);
    for (const TarEntry& entry : entries) writer.add(entry);
    writer.finish();
    unpack_layer(tar, root);
  }
  static TarEntry file(const std::string& name, std::string_view text) { return {.name = name, .data = text}; }
  static TarEntry link(const std::string& name, const std::string& to) {
    return {.name = name, .kind = TarKind::symlink, .link = to};
  }
  bool there(const std::string& name) const { return fs::exists(fs::symlink_status(root + "/" + name)); }
};

TEST_F(Unpack, UpperLayersReplaceLowerOnes) {
  layer({file("etc/a", "old"), file("etc/b", "b")});
  layer({file("etc/a", "new")});
  EXPECT_EQ(read_file(root + "/etc/a"), "new");
  EXPECT_EQ(read_file(root + "/etc/b"), "b");
}

TEST_F(Unpack, WhiteoutsTakeAwayWhatLowerLayersBroughtAndNothingOfTheirOwn) {
  layer({file("etc/a", ""), file("etc/b", ""), file("var/x/y", ""), file("var/x/z", "")});
  layer({file("etc/.wh.a", ""), file("var/x/new", ""), file("var/x/.wh..wh..opq", "")});
  EXPECT_FALSE(there("etc/a"));
  EXPECT_TRUE(there("etc/b"));
  EXPECT_FALSE(there("var/x/y"));
  EXPECT_TRUE(there("var/x/new"));
  EXPECT_FALSE(there("etc/.wh.a"));
  layer({file("nowhere/.wh.a", "")});
}

TEST_F(Unpack, KeepsModesAndDropsSetUserId) {
  layer({{.name = "bin/su", .mode = 04755, .data = "x"},
         {.name = "locked/", .kind = TarKind::folder, .mode = 0500},
         file("locked/in", "x")});
  EXPECT_EQ(fs::status(root + "/bin/su").permissions(), fs::perms(0755));
  EXPECT_EQ(fs::status(root + "/locked").permissions(), fs::perms(0500));
  EXPECT_TRUE(there("locked/in"));
  fs::permissions(root + "/locked", fs::perms::owner_all);
}

TEST_F(Unpack, FollowsLinksAsIfTheFolderWereTheRoot) {
  write_file(folder / "outside/secret", "untouched");
  layer(
      {file("usr/bin/sh", "sh"), link("bin", "usr/bin"), link("out", folder / "outside"), link("up", "../../outside")});
  layer({file("bin/ls", "ls"), file("out/secret", "mine"), file("up/secret", "mine")});
  EXPECT_EQ(read_file(root + "/usr/bin/ls"), "ls");
  EXPECT_EQ(read_file(folder / "outside/secret"), "untouched");
  EXPECT_EQ(read_file(root + folder.path() + "/outside/secret"), "mine");
  EXPECT_EQ(read_file(root + "/outside/secret"), "mine");
}

TEST_F(Unpack, AFileReplacesALinkAndDoesNotWriteThroughIt) {
  write_file(folder / "outside", "untouched");
  layer({link("etc/passwd", folder / "outside")});
  layer({file("etc/passwd", "mine")});
  EXPECT_EQ(read_file(folder / "outside"), "untouched");
  EXPECT_FALSE(fs::is_symlink(root + "/etc/passwd"));
}

TEST_F(Unpack, HardLinksStayInside) {
  write_file(folder / "outside", "untouched");
  layer({file("a", "text"), {.name = "b", .kind = TarKind::hard_link, .link = "a"}});
  EXPECT_EQ(read_file(root + "/b"), "text");
  EXPECT_THROW(layer({{.name = "c", .kind = TarKind::hard_link, .link = "../outside"}}), Error);
  EXPECT_THROW(layer({{.name = "c", .kind = TarKind::hard_link, .link = "nothing"}}), Error);
}

TEST_F(Unpack, NamesThatClimbAreRefused) {
  EXPECT_THROW(layer({file("../x", "")}), Error);
  EXPECT_THROW(layer({file("a/../../x", "")}), Error);
  EXPECT_THROW(layer({file("a/.wh...", "")}), Error);
  EXPECT_FALSE(fs::exists(folder / "x"));
}

TEST_F(Unpack, LinksInACircleEnd) {
  layer({link("a", "b"), link("b", "a")});
  EXPECT_THROW(layer({file("a/x", "")}), Error);
}

}  // namespace
}  // namespace flyball::image
