#include "cli/run.hpp"

#include "cli/flags.hpp"
#include "cli/help.hpp"
#include "cli/io_for_test.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(CommandLine, HelpListsEveryCommand) {
  TestIo io;
  EXPECT_EQ(io.run({}), kOk);
  for (const Command& command : all_commands()) EXPECT_THAT(io.out(), HasSubstr("  " + command.name + " "));
  EXPECT_THAT(io.out(), HasSubstr("2  the command line is wrong; nothing was done"));
}

TEST(CommandLine, EveryCommandHasAHelpWithAllItsFlags) {
  TestIo io;
  for (const Command& command : all_commands()) {
    std::vector<std::string> words{"help"};
    std::istringstream name(command.name);
    for (std::string word; name >> word;) words.push_back(word);
    EXPECT_EQ(io.run(words), kOk) << command.name << io.err();
    EXPECT_THAT(io.out(), StartsWith("flyball " + command.name + ": "));
    for (const Flag& flag : command.flags) EXPECT_THAT(io.out(), HasSubstr("--" + flag.name)) << command.name;
    EXPECT_FALSE(command.summary.empty() || command.summary.ends_with(".")) << command.name;
  }
}

TEST(CommandLine, UnknownCommandsNameTheNearest) {
  TestIo io;
  EXPECT_EQ(io.run({"dve"}), kUsage);
  EXPECT_EQ(io.err(), "flyball: there is no command \"dve\"; did you mean `flyball dev`?\n");
  EXPECT_EQ(io.run({"xyzzyx"}), kUsage);
  EXPECT_EQ(io.err(), "flyball: there is no command \"xyzzyx\"; `flyball help` lists them\n");
  EXPECT_THAT(io.out(), IsEmpty());
}

TEST(CommandLine, AFailureIsOneLineAndExitCodeOne) {
  const std::vector<Command> commands{
      {.name = "fall", .summary = "falls", .run = [](const Given&, Io&) -> int { throw Error("it fell"); }}};
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Io io{.in = in, .out = out, .err = err};
  EXPECT_EQ(run_command(commands, std::vector<std::string>{"fall"}, io), kFailed);
  EXPECT_EQ(err.str(), "flyball fall: it fell\n");
}

TEST(CommandLine, GroupsListTheirCommands) {
  const auto nothing = [](const Given&, Io&) { return kOk; };
  const std::vector<Command> commands{{.name = "create api", .summary = "a kind", .run = nothing},
                                      {.name = "create webhook", .summary = "a webhook", .run = nothing}};
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Io io{.in = in, .out = out, .err = err};
  EXPECT_EQ(run_command(commands, std::vector<std::string>{"create"}, io), kUsage);
  EXPECT_THAT(err.str(), HasSubstr("create webhook   a webhook"));
  EXPECT_EQ(run_command(commands, std::vector<std::string>{"create", "--help"}, io), kOk);
  EXPECT_THAT(out.str(), HasSubstr("create api       a kind"));
  err.str("");
  EXPECT_EQ(run_command(commands, std::vector<std::string>{"create", "apy"}, io), kUsage);
  EXPECT_EQ(err.str(), "flyball: there is no command \"create apy\"; did you mean `flyball create api`?\n");
}

TEST(CommandLine, VersionsAreForPeopleAndForPrograms) {
  TestIo io;
  EXPECT_EQ(io.run({"--version"}), kOk);
  EXPECT_THAT(io.out(), StartsWith("flyball 0."));
  EXPECT_EQ(io.run({"version", "-o", "json"}), kOk);
  EXPECT_THAT(io.out(), StartsWith("{\"flyball\":\"0."));
}

TEST(CommandLine, CompletionsKnowEveryCommandAndFlag) {
  TestIo io;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    EXPECT_EQ(io.run({"completion", shell}), kOk);
    for (const Command& command : all_commands()) {
      for (const Flag& flag : command.flags) EXPECT_THAT(io.out(), HasSubstr(flag.name)) << shell << command.name;
    }
  }
  EXPECT_EQ(io.run({"completion", "tcsh"}), kUsage);
}

TEST(CommandLine, TheManualEscapesWhatRoffWouldRead) {
  const std::vector<Command> commands{{.name = "x", .summary = "a-b", .about = ".dot\n'quote\nback\\slash"}};
  const std::string page = man_page(commands);
  EXPECT_THAT(page, HasSubstr("a\\-b"));
  EXPECT_THAT(page, HasSubstr("\\&.dot\n\\&'quote\nback\\eslash"));
}

}  // namespace
}  // namespace flyball::cli
