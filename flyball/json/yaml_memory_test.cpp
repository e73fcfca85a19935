// What it costs to refuse a hostile text. Not under a sanitizer, whose own memory would be counted.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "flyball/json/yaml.hpp"

namespace flyball::json {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20U;

// Ends the process: 0 when the text is read or refused within `bytes` of memory, 1 when it is refused for another
// reason than `problem`.
[[noreturn]] void read_within(std::size_t bytes, const std::string& text, const std::string& problem) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlimit limit{pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + bytes, RLIM_INFINITY};
  ::setrlimit(RLIMIT_AS, &limit);
  try {
    YamlDocuments(text).next();
  } catch (const ParseError& error) {
    std::_Exit(error.problem().find(problem) == std::string::npos ? 1 : 0);
  } catch (const std::bad_alloc&) {
    std::_Exit(2);
  }
  std::_Exit(problem.empty() ? 0 : 3);
}

#define EXPECT_READ_WITHIN(bytes, text, problem) \
  EXPECT_EXIT(read_within(bytes, text, problem), ::testing::ExitedWithCode(0), "")

std::string times(std::size_t count, const std::string& text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

TEST(YamlMemory, AMillionBracketsAreRefusedForTheirDepthInLessThanAHundredMegabytes) {
  for (const std::string& text :
       {times(kMegabyte, "["), times(kMegabyte, "{"), "a: " + times(kMegabyte, "["), "- " + times(kMegabyte, "["),
        "a: |\n  text\nb:\n- |\n  z\n- " + times(kMegabyte, "["), "a: !x [" + times(kMegabyte, "["),
        "%YAML 1.1\n---\n" + times(kMegabyte, "["), "a: x\n  y\n# it's\nb: 'z'\nc: # d\n  " + times(kMegabyte, "["),
        times(kMegabyte / 4, "# :\n") + times(kMegabyte, "[")}) {
    EXPECT_READ_WITHIN(100 * kMegabyte, text, "nested deeper") << text.substr(0, 40);
  }
}

TEST(YamlMemory, AMillionEntriesInOneBracketAreRefused) {
  EXPECT_READ_WITHIN(100 * kMegabyte, "- [" + times(kMegabyte, "a,") + "b]", "too much stands within this bracket");
  EXPECT_READ_WITHIN(100 * kMegabyte, "{a: 1" + times(kMegabyte / 4, ", b: 2") + "}",
                     "too much stands within this bracket");
}

TEST(YamlMemory, BracketsThatAreJustTextAreRead) {
  const std::string json = times(kMegabyte / 4, "[{a:,");
  for (const std::string& text :
       {"a: |\n  " + json, "a: '" + json + "'", "- \"" + json + "\"", "a: x" + json, "- |\n  x[\n- b: |\n   " + json,
        "# " + json + "\na: b", "\"k\": '" + json + "'", "? |\n " + json + "\n: b"}) {
    EXPECT_READ_WITHIN(100 * kMegabyte, text, "") << text.substr(0, 40);
  }
}

// A value's own size, and not two hundred times it.
TEST(YamlMemory, JsonOfAnySizeIsRead) {
  EXPECT_READ_WITHIN(100 * kMegabyte, "{\"a\": [1" + times(kMegabyte / 2, ",1") + "]}", "");
}

TEST(YamlMemory, ManyEntriesBehindAKeyAreRead) {
  EXPECT_READ_WITHIN(300 * kMegabyte, "a: [1" + times(kMegabyte / 2, ",1") + "]", "");
}

}  // namespace
}  // namespace flyball::json

#endif
