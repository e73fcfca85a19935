#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/runtime/command_line.hpp"

namespace flyball::runtime {
namespace {

constexpr std::size_t kColumns = 100;

// `text` in lines that begin at `indent`; the first line is there already.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const bool first = column == indent;
    if (!first && column + 1 + word.size() > kColumns) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

struct Row {
  std::string left;
  std::string right;
};

// A few long names do not make the column of all others wide: what is said of them begins on the next line.
constexpr std::size_t kWidest = 30;

std::string table(const std::vector<Row>& rows) {
  std::size_t width = 0;
  for (const Row& row : rows) {
    if (row.left.size() <= kWidest) width = std::max(width, row.left.size());
  }
  const std::size_t indent = 2 + width + 3;
  std::string out;
  for (const Row& row : rows) {
    const bool fits = row.left.size() <= width;
    const std::string gap = fits ? std::string(width - row.left.size() + 3, ' ') : "\n" + std::string(indent, ' ');
    out += "  " + row.left + gap + wrapped(row.right, indent) + "\n";
  }
  return out;
}

}  // namespace

std::string CommandLine::help() const {
  std::string text = program_ + ": " + wrapped(about_, program_.size() + 2) + "\n\n";
  text += "Usage: " + program_ + (commands_.empty() ? "" : " [command]") + " [flags]\n";
  if (!commands_.empty()) {
    std::vector<Row> rows;
    rows.reserve(commands_.size());
    for (const Command& command : commands_) {
      rows.push_back({command.name, command.help + (&command == commands_.data() ? " This is the default." : "")});
    }
    text += "\nCommands:\n" + table(rows);
  }
  std::vector<Row> rows;
  rows.reserve(flags_.size() + 1);
  for (const Flag& flag : flags_) {
    std::string right = flag.options.help;
    if (!flag.shown.empty()) right += " Default: " + flag.shown + ".";
    if (!flag.options.environment.empty()) right += " [" + flag.options.environment + "]";
    rows.push_back({"--" + flag.name + (flag.options.value.empty() ? "" : " " + flag.options.value), right});
  }
  rows.push_back({"--help", "Print this."});
  text += "\nFlags:\n" + table(rows);
  const bool any = std::ranges::any_of(flags_, [](const Flag& flag) { return !flag.options.environment.empty(); });
  if (any) text += "\nAn environment variable in [brackets] sets the flag it stands behind; the command line wins.\n";
  return text;
}

}  // namespace flyball::runtime
