// Without the real programs: those are tried in tests/kube.
#include "flyball/testing/kubernetes.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "flyball/base/process.hpp"
#include "flyball/testing/detail/scratch.hpp"

namespace flyball::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

class KubernetesServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "flyball-programs-XXXXXX";
    programs_ = ::mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(programs_); }

  void program(const std::string& name, const std::string& script) const {
    std::ofstream(programs_ + "/" + name) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(programs_ + "/" + name, fs::perms::owner_all);
  }

  std::string error_of_start(KubernetesOptions options = {}) {
    options.programs = programs_;
    try {
      const KubernetesServer server(clock_, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  RealClock clock_;
  std::string programs_;
};

TEST_F(KubernetesServerTest, TheProgramsAreThoseOfMakeKube) {
  // The versions are known to both: the library has no go.mod to look into.
  const RunResult where =
      run(clock_, {"tools/kube/build", "--where"}, {}, Stop().with_deadline(clock_, clock_.after(60s)));
  ASSERT_TRUE(where.status.ok()) << where.error;
  EXPECT_EQ(kubernetes_programs() + "\n", where.out);
}

TEST_F(KubernetesServerTest, AMissingProgramIsNamedWithWhatToDo) {
  const std::string error = error_of_start();
  EXPECT_THAT(error, HasSubstr("there is no program " + programs_ + "/etcd"));
  EXPECT_THAT(error, HasSubstr("make kube"));
}

TEST_F(KubernetesServerTest, AProgramThatEndsIsToldWithTheEndOfItsLog) {
  program("etcd", "echo a word before; echo the disk is made of cheese >&2; exit 3");
  EXPECT_EQ(error_of_start(),
            "etcd ended with status 3. The end of its log:\na word before\nthe disk is made of cheese");
}

TEST_F(KubernetesServerTest, AProgramThatNeverAnswersIsGivenUp) {
  program("etcd", "echo thinking; sleep 1000");
  EXPECT_EQ(error_of_start({.ready_within = 200ms}),
            "etcd does not answer /health (the deadline passed). The end of its log:\nthinking");
}

TEST_F(KubernetesServerTest, AStopEndsTheWait) {
  program("etcd", "sleep 1000");
  StopSource source;
  source.request_stop("the test was interrupted");
  try {
    const KubernetesServer server(clock_, {.programs = programs_}, source.stop());
    FAIL() << "it started";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the test was interrupted"));
  }
}

TEST(ScratchDirectory, IsGoneAfterwards) {
  std::string path;
  {
    const detail::ScratchDirectory scratch(false);
    path = scratch.path();
    scratch.write("secret", "text");
    EXPECT_EQ(fs::status(scratch.file("secret")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchDirectory, WhatAKilledProgramLeftIsRemovedAndALivingOneIsNot) {
  const detail::ScratchDirectory living(false);
  const fs::path dead = fs::path(living.path()).parent_path() / "flyball-kube-of-a-killed-program";
  fs::create_directory(dead);
  std::ofstream(dead / "lock") << "";
  const detail::ScratchDirectory next(false);
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(living.path()));
}

TEST(ScratchDirectory, IsKeptOnDemandAlsoByTheNext) {
  fs::path path;
  {
    const detail::ScratchDirectory kept(true);
    path = kept.path();
  }
  const detail::ScratchDirectory next(false);
  EXPECT_TRUE(fs::exists(path));
  fs::remove_all(path);
}

TEST(ReservedPort, IsOursAlone) {
  const detail::ReservedPort one;
  const detail::ReservedPort two;
  EXPECT_NE(one.number(), 0);
  EXPECT_NE(one.number(), two.number());
}

}  // namespace
}  // namespace flyball::testing
