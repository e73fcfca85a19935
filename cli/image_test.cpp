#include <filesystem>

#include "cli/io_for_test.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/image/program_for_test.hpp"

namespace flyball::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct ImageCommand : ::testing::Test {
  TestIo io;
  ImageCommand() { program("build/web-operator"); }
  void program(const std::string& path) const {
    io.write(path, image::program_for_test("code", "symbols"));
    std::filesystem::permissions(io.folder() / path, std::filesystem::perms::owner_all);
  }
};

TEST_F(ImageCommand, BuildTakesTheProgramOfTheProjectIntoTheStore) {
  ASSERT_EQ(io.run({"image", "build"}), kOk) << io.err();
  EXPECT_THAT(io.out(), StartsWith("web-operator:latest\n  digest   sha256:"));
  ASSERT_EQ(io.run({"image", "inspect", "web-operator:latest", "--files"}), kOk) << io.err();
  EXPECT_THAT(io.out(), HasSubstr("user        65532:65532\nentrypoint  /web-operator\n"));
  EXPECT_THAT(io.out(), HasSubstr("    /web-operator  "));
}

TEST_F(ImageCommand, BuildAsksWhichOfSeveralPrograms) {
  program("build/other");
  EXPECT_EQ(io.run({"image", "build"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("build/ has several programs; name one with --binary"));
  EXPECT_EQ(io.run({"image", "build", "--binary", "build/other", "-t", "shop/other:2"}), kOk) << io.err();
  program("build/tests");
  std::filesystem::remove(io.folder() / "build/other");
  EXPECT_EQ(io.run({"image", "build"}), kOk) << io.err();
}

TEST_F(ImageCommand, BuildSaysWhatIsWrong) {
  EXPECT_EQ(io.run({"image", "build", "-t", "Shop"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("\"Shop\" is no name of an image"));
  EXPECT_EQ(io.run({"image", "build", "--format", "docker-archive"}), kUsage);
  EXPECT_THAT(io.err(), HasSubstr("needs --file"));
  io.write("script", "#!/bin/sh\n");
  EXPECT_EQ(io.run({"image", "build", "--binary", "script"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("script: it is not a 64-bit Linux executable"));
  io.variables["SOURCE_DATE_EPOCH"] = "yesterday";
  EXPECT_EQ(io.run({"image", "build"}), kUsage);
  EXPECT_THAT(io.err(), HasSubstr("expected seconds since 1970, found \"yesterday\""));
}

TEST_F(ImageCommand, InspectPrintsJson) {
  ASSERT_EQ(io.run({"image", "build", "--arg", "run", "--label", "team=shop", "-f", "web.tar"}), kOk) << io.err();
  ASSERT_EQ(io.run({"image", "inspect", "web.tar", "-o", "json"}), kOk) << io.err();
  EXPECT_THAT(io.out(), HasSubstr(R"("Cmd": [)"));
  EXPECT_THAT(io.out(), HasSubstr(R"("team": "shop")"));
}

TEST_F(ImageCommand, InspectOfNothingSaysHowToMakeIt) {
  EXPECT_EQ(io.run({"image", "inspect", "shop/web:1"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("make it with `flyball image build -t shop/web:1`"));
}

TEST_F(ImageCommand, PushToNobodySaysSo) {
  ASSERT_EQ(io.run({"image", "build", "-t", "localhost:1/web"}), kOk) << io.err();
  EXPECT_EQ(io.run({"image", "push", "localhost:1/web"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("localhost:1"));
}

}  // namespace
}  // namespace flyball::cli
