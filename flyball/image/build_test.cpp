#include "flyball/image/build.hpp"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/image/digest.hpp"
#include "flyball/image/elf.hpp"
#include "flyball/image/program_for_test.hpp"
#include "flyball/image/tar.hpp"

namespace flyball::image {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::map<std::string, TarEntry> entries_of(const std::string& tar) {
  std::map<std::string, TarEntry> entries;
  TarReader reader(tar);
  while (const auto entry = reader.next()) entries[entry->name] = *entry;
  return entries;
}

TEST(BuildImage, HoldsTheProgramCertificatesAndAUserThatIsNotRoot) {
  const Image image = build_image(program_for_test("code", ""), {.name = "web", .certificate_authorities = "PEM"});
  EXPECT_EQ(image.config.architecture, "amd64");
  EXPECT_EQ(image.config.os, "linux");
  EXPECT_EQ(image.config.config.User, "65532:65532");
  EXPECT_THAT(image.config.config.Entrypoint, ElementsAre("/web"));
  ASSERT_EQ(image.layers.size(), 2U);
  const std::string base = layer_tar(image, 0);
  const auto files = entries_of(base);
  EXPECT_THAT(std::string(files.at("etc/passwd").data), HasSubstr("nonroot:x:65532:65532:"));
  EXPECT_EQ(files.at("etc/ssl/certs/ca-certificates.crt").data, "PEM");
  EXPECT_EQ(files.at("tmp/").mode, 01777U);
  const std::string top = layer_tar(image, 1);
  EXPECT_EQ(entries_of(top).at("web").mode, 0755U);
}

TEST(BuildImage, NamesEveryPartByItsDigest) {
  const Image image = build_image(program_for_test("code", ""), {});
  EXPECT_EQ(image.manifest.config.digest, digest_of(image.config_text));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(image.manifest.layers[i].digest, digest_of(image.layers[i]));
    EXPECT_EQ(image.manifest.layers[i].size, static_cast<std::int64_t>(image.layers[i].size()));
    EXPECT_EQ(image.config.rootfs.diff_ids[i], digest_of(layer_tar(image, i)));
  }
}

TEST(BuildImage, TwoBuildsAreTheSameBytes) {
  const std::string program = program_for_test("code", "symbols");
  EXPECT_EQ(layout_archive(build_image(program, {.time = 5}), "a"),
            layout_archive(build_image(program, {.time = 5}), "a"));
  EXPECT_NE(build_image(program, {.time = 5}).digest(), build_image(program, {.time = 6}).digest());
  EXPECT_EQ(build_image(program, {}).config.created, "1970-01-01T00:00:00Z");
}

TEST(BuildImage, LeavesSymbolsOutUnlessAsked) {
  const std::string program = program_for_test("code", "symbols");
  EXPECT_TRUE(stripped(program).ends_with("code"));
  EXPECT_EQ(elf_facts(stripped(program)).loaded, stripped(program).size());
  const std::string kept = layer_tar(build_image(program, {.keep_symbols = true}), 1);
  EXPECT_EQ(entries_of(kept).at("operator").data, program);
}

TEST(BuildImage, RefusesAProgramThatNeedsLibraries) {
  try {
    build_image(program_for_test("code", "", "/lib64/ld-linux-x86-64.so.2"), {});
    FAIL() << "it was built";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the program needs shared libraries (its loader is /lib64/ld-linux-x86-64.so.2), and the image has "
                 "none: link it with -static");
  }
}

TEST(BuildImage, BringsTheLibrariesOfAProgramThatNeedsThem) {
  RealClock clock;
  const auto libraries = shared_libraries(clock, std::filesystem::read_symlink("/proc/self/exe").string(), {});
  ASSERT_FALSE(libraries.empty()) << "tests are linked with shared libraries";
  const auto program = program_for_test("code", "", libraries.front().path);
  const Image image = build_image(program, {.libraries = libraries});
  ASSERT_EQ(image.layers.size(), 3U);
  const std::string layer = layer_tar(image, 1);
  const auto files = entries_of(layer);
  for (const ImageFile& library : libraries) EXPECT_EQ(files.at(safe_path(library.path)).data, library.bytes);
  EXPECT_TRUE(std::ranges::any_of(files, [](const auto& one) { return one.first.ends_with("/libc.so.6"); }));
}

TEST(BuildImage, RefusesWhatIsNoProgram) {
  EXPECT_THROW(build_image("#!/bin/sh\n", {}), Error);
  const std::string program = program_for_test("code", "");
  for (std::size_t size = 0; size < program.size(); ++size) {
    EXPECT_THROW(elf_facts(program.substr(0, size)), Error) << size;
  }
}

}  // namespace
}  // namespace flyball::image
