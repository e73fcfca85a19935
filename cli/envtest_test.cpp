#include "cli/envtest.hpp"

#include <filesystem>

#include "cli/io_for_test.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(Envtest, FlagsComeWithEqualsOrASpaceAndTheLastCounts) {
  EXPECT_THAT(program_flags({"--a=1", "--b", "2", "--on", "--a=3=4", "-v", "5", "--last"}, {"on"}),
              ElementsAre(Pair("a", "3=4"), Pair("b", "2"), Pair("last", "true"), Pair("on", "true"), Pair("v", "5")));
  EXPECT_THROW(program_flags({"--a=1", "word"}, {}), UsageError);
}

TEST(Envtest, TokensAreReadAsKubeApiserverDoes) {
  const auto users = read_tokens("# who\nsecret,ann,7,\"system:masters,dev\"\nother,bob,8\n");
  ASSERT_EQ(users.size(), 2U);
  EXPECT_EQ(users.at("secret").name, "ann");
  EXPECT_EQ(users.at("secret").uid, "7");
  EXPECT_THAT(users.at("secret").groups, ElementsAre("system:masters", "dev"));
  EXPECT_TRUE(users.at("other").groups.empty());
}

TEST(Envtest, AWrongLineOfTokensIsNamed) {
  try {
    read_tokens("secret,ann,7\nsecret\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "line 2: expected token,user,uid[,\"group,group\"]");
  }
}

TEST(Envtest, ThePathHoldsThePrograms) {
  TestIo io;
  ASSERT_EQ(io.run({"envtest", "path", "--folder", "assets"}), kOk) << io.err();
  EXPECT_THAT(io.out(), HasSubstr("/assets\n"));
  for (const char* name : {"kube-apiserver", "etcd"}) {
    EXPECT_EQ(std::filesystem::read_symlink(io.folder() / "assets" / name),
              std::filesystem::read_symlink("/proc/self/exe"));
  }
  EXPECT_EQ(io.run({"envtest", "path", "--folder", "assets"}), kOk) << "again: " << io.err();
}

}  // namespace
}  // namespace flyball::cli
