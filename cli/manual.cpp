// The manual page and the reference: the help once more, for other readers.
#include <algorithm>

#include "cli/help.hpp"

#include "flyball/runtime/version.hpp"

namespace flyball::cli {
namespace {

// What roff would take for its own: dashes, backslashes, and dots and quotes at the beginning of a line.
std::string roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    line_begins = c == '\n';
  }
  return out;
}

std::string paragraphs(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.size(), text.find("\n\n", at));
    out += ".PP\n" + roff(text.substr(at, end - at)) + (text.substr(at, end - at).ends_with('\n') ? "" : "\n");
    at = end + 2;
  }
  return out;
}

std::string man_section(const Command& command) {
  std::string text = ".SS " + roff("flyball " + command.name) + "\n.PP\n" + roff(command.summary) + ".\n";
  text += ".PP\n.B " + roff(usage_of(command)) + "\n" + paragraphs(command.about);
  for (const Flag& flag : command.flags) {
    text += ".TP\n.B " + roff(left_of(flag)) + "\n" + roff(right_of(flag)) + "\n";
  }
  if (command.examples.empty()) return text;
  text += ".PP\nExamples:\n.nf\n";
  for (const Example& example : command.examples) {
    if (!example.what.empty()) text += "    # " + roff(example.what) + "\n";
    text += "    " + roff(example.line) + "\n";
  }
  return text + ".fi\n";
}

std::string anchor(const std::string& name) {
  std::string text = "flyball-" + name;
  std::ranges::replace(text, ' ', '-');
  return text;
}

}  // namespace

std::string man_page(const std::vector<Command>& commands) {
  std::string text = ".TH FLYBALL 1 \"\" \"Flyball " + std::string(runtime::kVersion) + "\" \"Flyball\"\n";
  text += ".SH NAME\nflyball \\- Kubernetes operators in C++\n";
  text += ".SH SYNOPSIS\n.B flyball\n<command> [flags]\n.SH COMMANDS\n";
  for (const Command& command : commands) text += man_section(command);
  text += ".SH EXIT STATUS\n";
  for (const std::string_view code : kExitCodes) {
    text += ".TP\n.B " + std::string(code.substr(0, 1)) + "\n" + roff(code.substr(3)) + "\n";
  }
  return text;
}

std::string reference(const std::vector<Command>& commands) {
  std::string text =
      "# The flyball command\n\n"
      "Made by `flyball help --markdown` from the help of the command itself; change it there.\n\n"
      "| command | |\n|---|---|\n";
  for (const Command& command : commands) {
    text += "| [`" + command.name + "`](#" + anchor(command.name) + ") | " + command.summary + " |\n";
  }
  text += "\nExit codes:\n\n```\n";
  for (const std::string_view code : kExitCodes) text += std::string(code) + "\n";
  text += "```\n";
  for (const Command& command : commands) {
    text += "\n## flyball " + command.name + "\n\n```\n" + help_of(command) + "```\n";
  }
  return text;
}

}  // namespace flyball::cli
