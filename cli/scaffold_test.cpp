// Every scaffold, byte for byte: tests/scaffold/variants.txt says how each is made, tests/scaffold/golden what comes
// out. After a change on purpose: FLYBALL_UPDATE_GOLDEN=1 build/bin/flyball_cli_tests --gtest_filter='Scaffold.*'
#include "cli/scaffold.hpp"

#include <cstdlib>

#include "cli/io_for_test.hpp"
#include "cli/template.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::cli {
namespace {

using ::testing::HasSubstr;

using Line = std::vector<std::string>;
struct Variant {
  std::string name = {};
  std::vector<Line> commands = {};
};

std::vector<Variant> variants() {
  std::vector<Variant> all;
  std::istringstream file(read_file("tests/scaffold/variants.txt"));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    Variant variant{.name = line.substr(0, line.find(':')), .commands = {{}}};
    std::istringstream words(line.substr(line.find(':') + 1));
    for (std::string word; words >> word;) {
      if (word == ";")
        variant.commands.emplace_back();
      else
        variant.commands.back().push_back(word);
    }
    all.push_back(variant);
  }
  return all;
}

void make(const Variant& variant, TestIo& io) {
  for (const Line& command : variant.commands) ASSERT_EQ(io.run(command), kOk) << variant.name << ": " << io.err();
}

std::string text_of(const TestIo& io) {
  std::string text;
  for (const auto& [path, content] : io.files()) text += "==> " + path + " <==\n" + content;
  return text;
}

TEST(Scaffold, EveryVariantIsWhatItWas) {
  const bool update = std::getenv("FLYBALL_UPDATE_GOLDEN") != nullptr;
  ASSERT_GE(variants().size(), 12U);
  for (const Variant& variant : variants()) {
    TestIo io;
    make(variant, io);
    const std::string golden = "tests/scaffold/golden/" + variant.name + ".txt";
    if (update) std::ofstream(golden) << text_of(io);
    EXPECT_EQ(text_of(io), read_file(golden)) << golden;
  }
}

TEST(Scaffold, TheSameCommandsGiveTheSameBytes) {
  for (const Variant& variant : variants()) {
    TestIo first;
    TestIo second;
    make(variant, first);
    make(variant, second);
    EXPECT_EQ(first.files(), second.files()) << variant.name;
  }
}

TEST(Scaffold, DeletingAKindLeavesNoTrace) {
  TestIo with;
  TestIo without;
  for (TestIo* io : {&with, &without}) ASSERT_EQ(io->run({"init", "--domain", "example.com", "--name", "shop"}), kOk);
  ASSERT_EQ(with.run({"create", "api", "--group", "a", "--version", "v1", "--kind", "Shop"}), kOk);
  ASSERT_EQ(with.run({"create", "api", "--group", "a", "--version", "v2", "--kind", "Shop"}), kOk);
  ASSERT_EQ(with.run({"delete", "api", "--kind", "Shop", "--version", "v2"}), kOk) << with.err();
  ASSERT_EQ(with.run({"delete", "api", "--kind", "Shop"}), kOk) << with.err();
  EXPECT_EQ(with.files(), without.files());
}

TEST(Scaffold, AsksAPersonForWhatIsMissing) {
  TestIo io;
  io.terminal = true;
  io.input = "example.com\n";
  ASSERT_EQ(io.run({"init", "--name", "shop"}), kOk) << io.err();
  io.input = "cache\nv1\nCache\ny\nn\n";
  ASSERT_EQ(io.run({"create", "api"}), kOk) << io.err();
  EXPECT_THAT(io.out(), HasSubstr("Create the controller? (y or n) [y]: "));
  EXPECT_THAT(io.read("flyball.yaml"), HasSubstr("kind: Cache\n  namespaced: true\n  controller: false\n"));
}

TEST(Scaffold, WorksInAFolderOfTheProjectToo) {
  TestIo io;
  ASSERT_EQ(io.run({"init", "--domain", "example.com", "--name", "shop"}), kOk);
  io.inside = "src";
  EXPECT_EQ(io.run({"create", "api", "--group", "a", "--version", "v1", "--kind", "Shop"}), kOk) << io.err();
  EXPECT_TRUE(io.files().contains("tests/shop_test.cpp"));
}

TEST(Scaffold, AFurtherVersionBeginsAsACopyOfTheFirst) {
  TestIo io;
  ASSERT_EQ(io.run({"init", "--domain", "example.com", "--name", "shop"}), kOk);
  ASSERT_EQ(io.run({"create", "api", "--group", "a", "--version", "v1", "--kind", "Shop"}), kOk);
  std::string types = io.read("src/shop_v1.hpp");
  types.replace(types.find("std::string foo;"), 16, "std::string mine;");
  io.write("src/shop_v1.hpp", types);
  ASSERT_EQ(io.run({"create", "api", "--group", "a", "--version", "v2", "--kind", "Shop"}), kOk) << io.err();
  EXPECT_THAT(io.read("src/shop_v2.hpp"), HasSubstr("namespace v2 {"));
  EXPECT_THAT(io.read("src/shop_v2.hpp"), HasSubstr("std::string mine;"));
  EXPECT_THAT(io.read("src/apis.cpp"), HasSubstr("op.serves<v1::Shop, v2::Shop>();"));
}

TEST(Template, HolesAreFilledAndBracesOfCppAreLeftAlone) {
  EXPECT_EQ(fill_text("a = {{{name}}}; b = {{.x = 1}};\n", {{"name", "n"}}), "a = {n}; b = {{.x = 1}};\n");
  EXPECT_EQ(fill_text("{{?yes}}kept {{yes}}\n{{?no}}gone\nlast", {{"yes", "1"}, {"no", ""}}), "kept 1\nlast");
  EXPECT_THROW(fill_text("{{unknown}}", {}), Error);
}

}  // namespace
}  // namespace flyball::cli
