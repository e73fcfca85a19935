#include "cli/flags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Command sample() {
  return {.name = "paint",
          .arguments = "WALL [SIDE]",
          .most_arguments = 2,
          .flags = {{.name = "colour", .letter = 'c', .value = "NAME", .help = "which", .fallback = "white"},
                    {.name = "coats", .value = "N", .help = "how many", .fallback = "1"},
                    {.name = "format", .letter = 'o', .value = "F", .help = "how", .choices = {"json", "yaml", "text"}},
                    {.name = "tool", .value = "TOOL", .help = "with what", .repeats = true},
                    {.name = "dry", .help = "only look"}}};
}

std::string wrong(const Command& command, const std::vector<std::string>& words) {
  try {
    parse_flags(command, words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing is wrong";
}
std::string wrong(const std::vector<std::string>& words) { return wrong(sample(), words); }

TEST(Flags, AreReadInEveryFormPeopleWriteThem) {
  const Command command = sample();
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--colour", "red"}, {"--colour=red"}, {"-c", "red"}, {"-c=red"}, {"-cred"}}) {
    EXPECT_EQ(parse_flags(command, words).text("colour"), "red");
  }
}

TEST(Flags, KeepTheirFallbackWhenNobodyGivesThem) {
  const Command command = sample();
  const Given given = parse_flags(command, {});
  EXPECT_EQ(given.text("colour"), "white");
  EXPECT_FALSE(given.has("colour"));
  EXPECT_FALSE(given.on("dry"));
  EXPECT_THAT(given.all("tool"), IsEmpty());
}

TEST(Flags, OnOrOffMayBeSaidEitherWay) {
  const Command command = sample();
  EXPECT_TRUE(parse_flags(command, std::vector<std::string>{"--dry"}).on("dry"));
  EXPECT_TRUE(parse_flags(command, std::vector<std::string>{"--dry=true"}).on("dry"));
  EXPECT_FALSE(parse_flags(command, std::vector<std::string>{"--dry=false"}).on("dry"));
}

TEST(Flags, MayRepeatAndStandBetweenArguments) {
  const Command command = sample();
  const std::vector<std::string> words{"north", "--tool", "brush", "east", "--tool=roller"};
  const Given given = parse_flags(command, words);
  EXPECT_THAT(given.all("tool"), ElementsAre("brush", "roller"));
  EXPECT_THAT(given.arguments(), ElementsAre("north", "east"));
  EXPECT_EQ(given.argument(1), "east");
  EXPECT_EQ(given.argument(2, "none"), "none");
}

TEST(Flags, TheLastOneCounts) {
  const Command command = sample();
  EXPECT_EQ(parse_flags(command, std::vector<std::string>{"--colour=red", "-cblue"}).text("colour"), "blue");
}

TEST(Flags, EndAtTwoDashes) {
  const Command command = sample();
  EXPECT_THAT(parse_flags(command, std::vector<std::string>{"--", "--dry"}).arguments(), ElementsAre("--dry"));
}

TEST(Flags, HelpIsNotStoppedByWhatIsMissing) {
  Command command = sample();
  command.flags[0].required = true;
  command.flags[0].fallback = "";
  EXPECT_TRUE(parse_flags(command, std::vector<std::string>{"-h"}).help());
}

TEST(Flags, SayWhatIsWrongWithThem) {
  EXPECT_EQ(wrong({"--color", "red"}), "there is no flag \"--color\"; did you mean --colour?");
  EXPECT_EQ(wrong({"--xyzzy"}), "there is no flag \"--xyzzy\"; `flyball paint --help` lists them");
  EXPECT_EQ(wrong({"-x"}), "there is no flag \"-x\"; `flyball paint --help` lists them");
  EXPECT_EQ(wrong({"--colour"}), "--colour needs a value: --colour NAME");
  EXPECT_EQ(wrong({"--dry=perhaps"}), "--dry: expected true or false, found \"perhaps\"");
  EXPECT_EQ(wrong({"-o", "xml"}), "--format: expected json, yaml or text, found \"xml\"");
  EXPECT_EQ(wrong({"a", "b", "c"}), "one argument too many: \"c\"; it takes WALL [SIDE]");
}

TEST(Flags, SayWhatIsMissing) {
  Command command = sample();
  command.flags[0].required = true;
  command.flags[0].fallback = "";
  EXPECT_EQ(wrong(command, {}), "--colour is missing: --colour NAME, which");
  command = sample();
  command.least_arguments = 1;
  EXPECT_EQ(wrong(command, {}), "it needs WALL [SIDE]; `flyball paint --help` has examples");
  command.least_arguments = command.most_arguments = 0;
  EXPECT_EQ(wrong(command, {"wall"}), "it takes flags only, found \"wall\"; `flyball paint --help` lists them");
}

TEST(Flags, NumbersHaveBounds) {
  const Command command = sample();
  const auto coats = [&](const char* text) {
    return parse_flags(command, std::vector<std::string>{"--coats", text}).number("coats", 1, 9);
  };
  EXPECT_EQ(coats("3"), 3);
  EXPECT_THROW(coats("0"), UsageError);
  EXPECT_THROW(coats("10"), UsageError);
  EXPECT_THROW(coats("3x"), UsageError);
  EXPECT_THROW(coats("99999999999999999999"), UsageError);
}

}  // namespace
}  // namespace flyball::cli
