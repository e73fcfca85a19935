#include "flyball/runtime/command_line.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/runtime/operator_flags.hpp"

namespace flyball::runtime {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct CommandLineTest : ::testing::Test {
  OperatorFlags flags;
  bool dry = false;
  CommandLine line = make();
  std::map<std::string, std::string> environment;

  CommandLine make() {
    CommandLine made = operator_command_line("memcached-operator", "Keeps memcached clusters.", flags);
    made.flag("dry-run", dry, {.help = "Write nothing."});
    return made;
  }
  Parsed parse(const std::vector<std::string>& arguments) {
    return line.parse(arguments, [&](const char* name) { return environment[name]; });
  }
  std::string error_of(const std::vector<std::string>& arguments) {
    try {
      parse(arguments);
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  }
};

TEST_F(CommandLineTest, WithoutWordsEverythingIsAtItsDefault) {
  const Parsed parsed = parse({});
  EXPECT_EQ(parsed.command, "");
  EXPECT_EQ(flags.metrics.to_string(), ":8080");
  EXPECT_EQ(flags.concurrency, 4U);
}

TEST_F(CommandLineTest, FlagsStandAnywhereWithTheirValueBehindThemOrAfterAnEqualsSign) {
  const Parsed parsed =
      parse({"--namespaces", "a,b", "rbac", "--namespaces=c", "--concurrency=8", "--dry-run", "--log-format", "json",
             "--cache-budget", "2Gi", "--cache-dir=/var/cache/x", "--shutdown-timeout=1m30s", "extra"});
  EXPECT_EQ(parsed.command, "rbac");
  EXPECT_THAT(parsed.arguments, ElementsAre("extra"));
  EXPECT_THAT(flags.namespaces, ElementsAre("a", "b", "c"));
  EXPECT_EQ(flags.concurrency, 8U);
  EXPECT_TRUE(dry);
  EXPECT_EQ(flags.log_format, LogEncoding::json);
  EXPECT_EQ(flags.cache_budget, std::uint64_t{2} << 30U);
  EXPECT_EQ(flags.cache_dir, "/var/cache/x");
  EXPECT_EQ(flags.shutdown_timeout, 90s);
}

TEST_F(CommandLineTest, TheCommandLineWinsOverTheEnvironmentAndThatOverTheDefault) {
  environment = {{"FLYBALL_NAMESPACES", "a,b"}, {"FLYBALL_CONCURRENCY", "2"}, {"FLYBALL_LOG", "client=debug"}};
  parse({"--namespaces=c", "--dry-run=false"});
  EXPECT_THAT(flags.namespaces, ElementsAre("c"));
  EXPECT_EQ(flags.concurrency, 2U);
  EXPECT_EQ(flags.log_level, "client=debug");
  EXPECT_FALSE(dry);
}

TEST_F(CommandLineTest, AnEmptyListIsAllNamespacesAgain) {
  environment = {{"FLYBALL_NAMESPACES", "a,b"}};
  parse({"--namespaces="});
  EXPECT_THAT(flags.namespaces, IsEmpty());
}

TEST_F(CommandLineTest, AWrongFlagIsNamedWithTheNearestThereIs) {
  EXPECT_EQ(error_of({"--namespacs=a"}), "--namespacs: there is no such flag; did you mean --namespaces?");
  EXPECT_EQ(error_of({"--metrics=:1"}), "--metrics: there is no such flag; did you mean --metrics-address?");
  EXPECT_EQ(error_of({"--frobnicate"}), "--frobnicate: there is no such flag; --help lists those there are");
  EXPECT_EQ(error_of({"-concurrency=1"}), "-concurrency=1: flags have two dashes: --concurrency=1");
  EXPECT_EQ(error_of({"rbca"}), "rbca: there is no such command; did you mean rbac?");
  EXPECT_EQ(error_of({"xyzzy"}), "xyzzy: there is no such command; there are run, manifests, crd, rbac, version");
}

TEST_F(CommandLineTest, AWrongValueIsNamedWithItsFlagOrVariable) {
  EXPECT_EQ(error_of({"--concurrency=many"}), "--concurrency: \"many\" is not a number from 1 to 1000");
  EXPECT_EQ(error_of({"--concurrency"}), "--concurrency: it needs a value: --concurrency N");
  EXPECT_EQ(error_of({"--dry-run=perhaps"}), "--dry-run: \"perhaps\" is neither true nor false");
  EXPECT_EQ(error_of({"--log-format=xml"}), "--log-format: \"xml\" is none of console, json");
  EXPECT_THAT(error_of({"--log-level=loud"}), HasSubstr("--log-level: "));
  EXPECT_EQ(error_of({"--cache-budget=lots"}), "--cache-budget: \"lots\" is no size; write it as 512Mi or 2Gi");
  EXPECT_EQ(error_of({"--shutdown-timeout=10"}),
            "--shutdown-timeout: \"10\" is no span of time; write it as 30s, 5m or 1h30m");
  EXPECT_EQ(error_of({"--metrics-address=8080"}),
            "--metrics-address: \"8080\" is no address to listen on: it has no port; write it as :8080, "
            "127.0.0.1:8080 or off");
  environment = {{"FLYBALL_CONCURRENCY", "0"}};
  EXPECT_EQ(error_of({}), "the environment variable FLYBALL_CONCURRENCY: \"0\" is not a number from 1 to 1000");
}

TEST_F(CommandLineTest, AQuestionThatIsNotAnsweredStaysOpen) {
  parse({});
  EXPECT_EQ(flags.leader_elect, std::nullopt);
  parse({"--leader-elect=false"});
  EXPECT_EQ(flags.leader_elect, false);
  parse({"--leader-elect"});
  EXPECT_EQ(flags.leader_elect, true);
  EXPECT_EQ(error_of({"--leader-elect=maybe"}), "--leader-elect: \"maybe\" is neither true nor false");
}

TEST_F(CommandLineTest, AfterTwoDashesNothingIsAFlag) {
  EXPECT_THAT(parse({"run", "--", "--dry-run"}).arguments, ElementsAre("--dry-run"));
  EXPECT_FALSE(dry);
}

TEST_F(CommandLineTest, HelpIsAskedForAlsoBesideMistakesInValues) {
  EXPECT_TRUE(parse({"--concurrency=many", "--help"}).help);
  EXPECT_TRUE(parse({"-h"}).help);
}

TEST_F(CommandLineTest, TheHelpSaysEverythingInLinesThatFit) {
  const std::string help = line.help();
  EXPECT_THAT(help, HasSubstr("memcached-operator: Keeps memcached clusters.\n\n"
                              "Usage: memcached-operator [command] [flags]\n\n"
                              "Commands:\n"
                              "  run         Run the operator. This is the default.\n"));
  EXPECT_THAT(help, HasSubstr("  --concurrency N               How many objects of a kind are reconciled at once. "
                              "Default: 4.\n                                [FLYBALL_CONCURRENCY]\n"));
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < help.size();) {
    const std::size_t end = help.find('\n', begin);
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  EXPECT_LE(longest, 100U);
}

TEST_F(CommandLineTest, ALongNameHasALineOfItsOwn) {
  EXPECT_THAT(line.help(), HasSubstr("  --leader-election-lease-duration TIME\n"
                                     "                                How long others wait for a leader that is gone "
                                     "without a word."));
}

TEST(CommandLineNumbersTest, StayWithinTheirType) {
  std::uint8_t small = 1;
  std::int64_t big = 0;
  CommandLine numbers("test", "Tests.");
  numbers.flag("small", small, {});
  numbers.flag("big", big, {});
  const std::vector<std::string> good = {"--small=255", "--big=-9223372036854775808"};
  numbers.parse(good);
  EXPECT_EQ(small, 255);
  EXPECT_EQ(big, INT64_MIN);
  for (const char* wrong : {"--small=256", "--small=-1", "--small=1x", "--small=", "--big=9223372036854775808"}) {
    const std::vector<std::string> bad = {wrong};
    EXPECT_THROW(numbers.parse(bad), InputError) << wrong;
  }
}

TEST(ListenAddressTest, IsReadAndPrinted) {
  for (const char* text : {":8080", "127.0.0.1:0", "[::1]:9090", "off"}) {
    EXPECT_EQ(ListenAddress::parse(text).to_string(), text);
  }
  EXPECT_EQ(ListenAddress::parse("localhost:1").address, "127.0.0.1");
  EXPECT_TRUE(ListenAddress::parse("0").off);
  for (const char* text : {"", ":", ":x", ":70000", "::1:80", "8080"}) {
    EXPECT_THROW(ListenAddress::parse(text), InputError) << text;
  }
}

}  // namespace
}  // namespace flyball::runtime
