#include "cli/help.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/run.hpp"

namespace flyball::cli {
namespace {

constexpr std::size_t kColumns = 100;
constexpr Topic kTopics[] = {Topic::project, Topic::cluster, Topic::image, Topic::objects, Topic::other};

struct Row {
  std::string left = {};
  std::string right = {};
};

// `text` in lines that begin at `indent`; the first line has begun already.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string out;
  std::size_t column = indent;
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + word.size() > kColumns) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    out += (column == indent ? "" : " ") + word;
    column += word.size() + (column == indent ? 0 : 1);
  }
  return out;
}

// The right column begins behind the longest left one, or behind `width`.
std::string table(const std::vector<Row>& rows, std::size_t width = 0) {
  for (const Row& row : rows) width = std::max(width, row.left.size());
  std::string out;
  for (const Row& row : rows) {
    out += "  " + row.left + std::string(width + 3 - row.left.size(), ' ') + wrapped(row.right, width + 5) + "\n";
  }
  return out;
}

std::vector<Row> rows_of(const std::vector<Command>& commands, auto&& wanted) {
  std::vector<Row> rows;
  for (const Command& command : commands) {
    if (wanted(command)) rows.push_back({command.name, command.summary});
  }
  return rows;
}

int help(const Given& given, Io& io) {
  const std::vector<Command> commands = all_commands();
  if (given.on("man") || given.on("markdown")) {
    io.out << (given.on("man") ? man_page(commands) : reference(commands));
    return kOk;
  }
  if (given.arguments().empty()) {
    io.out << help_of(commands);
    return kOk;
  }
  const Found found = find_command(commands, given.arguments());
  if (found.command != nullptr && found.words == given.arguments().size()) {
    io.out << help_of(*found.command);
    return kOk;
  }
  // The same answer that the command itself would give.
  std::vector<std::string> words = given.arguments();
  words.emplace_back("--help");
  return run_command(commands, words, io);
}

}  // namespace

std::string_view heading_of(Topic topic) {
  switch (topic) {
    case Topic::project: return "A project";
    case Topic::cluster: return "A cluster";
    case Topic::image: return "Images";
    case Topic::objects: return "Objects of a cluster";
    case Topic::other: return "The command itself";
  }
  return "";
}

std::string usage_of(const Command& command) {
  return "flyball " + command.name + (command.flags.empty() ? "" : " [flags]") +
         (command.arguments.empty() ? "" : " " + command.arguments);
}

std::string left_of(const Flag& flag) {
  const std::string letter = flag.letter == '\0' ? "" : std::string("-") + flag.letter + ", ";
  return letter + "--" + flag.name + (flag.value.empty() ? "" : " " + flag.value);
}

std::string right_of(const Flag& flag) {
  std::string text = flag.help;
  if (flag.required) text += " (required)";
  if (!flag.choices.empty()) {
    text += ":";
    for (const std::string& choice : flag.choices) text += (&choice == flag.choices.data() ? " " : ", ") + choice;
  }
  if (!flag.fallback.empty()) text += " (default: " + flag.fallback + ")";
  if (flag.repeats) text += " (again for each)";
  return text;
}

std::string help_of(const Command& command) {
  std::string text = "flyball " + command.name + ": " + command.summary + "\n\nUsage: " + usage_of(command) + "\n\n";
  std::vector<Row> rows;
  rows.reserve(command.flags.size() + 1);
  for (const Flag& flag : command.flags) rows.push_back({left_of(flag), right_of(flag)});
  rows.push_back({"-h, --help", "this text"});
  text += table(rows);
  if (!command.about.empty()) text += "\n" + command.about + (command.about.ends_with('\n') ? "" : "\n");
  if (command.examples.empty()) return text;
  text += "\nExamples:\n";
  for (const Example& example : command.examples) {
    if (!example.what.empty()) text += "  # " + example.what + "\n";
    text += "  " + example.line + "\n";
  }
  return text;
}

std::string help_of(const std::vector<Command>& commands) {
  std::string text = "flyball: Kubernetes operators in C++\n\nUsage: flyball <command> [flags]\n";
  std::size_t width = 0;
  for (const Command& command : commands) width = std::max(width, command.name.size());
  for (const Topic topic : kTopics) {
    const auto rows = rows_of(commands, [&](const Command& command) { return command.topic == topic; });
    if (!rows.empty()) text += "\n" + std::string(heading_of(topic)) + ":\n" + table(rows, width);
  }
  text += "\nExit codes:\n";
  for (const std::string_view code : kExitCodes) text += "  " + std::string(code) + "\n";
  return text + "\n`flyball <command> --help` tells more.\n";
}

std::string help_of_group(const std::vector<Command>& commands, std::string_view group) {
  const std::string name(group);
  const auto rows = rows_of(commands, [&](const Command& command) { return command.name.starts_with(name + " "); });
  return "Usage: flyball " + name + " <what> [flags]\n\n" + table(rows) + "\n`flyball " + rows.front().left +
         " --help` tells more.\n";
}

Command help_command() {
  return {.name = "help",
          .topic = Topic::other,
          .summary = "what flyball can do, or one command in full",
          .arguments = "[COMMAND]",
          .most_arguments = 2,
          .flags = {{.name = "man", .help = "the manual page, for man(1)"},
                    {.name = "markdown", .help = "the reference of all commands, as docs/commands.md has it"}},
          .examples = {{"flyball help create api", ""}, {"flyball help --man | man -l -", "read the manual page"}},
          .run = help};
}

}  // namespace flyball::cli
