#include "cli/run.hpp"

#include <algorithm>
#include <exception>
#include <ostream>
#include <set>

#include "cli/flags.hpp"
#include "cli/help.hpp"

#include "flyball/runtime/command_line.hpp"

namespace flyball::cli {
namespace {

std::string first_words(std::span<const std::string> words, std::size_t count) {
  std::string text;
  for (const std::string& word : words.first(count)) text += (text.empty() ? "" : " ") + word;
  return text;
}

bool is_group(const std::vector<Command>& commands, const std::string& word) {
  return std::ranges::any_of(commands, [&](const Command& command) { return command.name.starts_with(word + " "); });
}

std::string unknown(const std::vector<Command>& commands, std::span<const std::string> words) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const Command& command : commands) names.push_back(command.name);
  // A flag of the group, or one in front of the command, is no part of its name.
  const bool two = words.size() > 1 && is_group(commands, words[0]) && !words[1].starts_with("-");
  const std::string said = first_words(words, two ? 2 : 1);
  const std::string near = runtime::nearest(said, names);
  return "flyball: there is no command \"" + said + "\"; " +
         (near.empty() ? "`flyball help` lists them" : "did you mean `flyball " + near + "`?") + "\n";
}

int run_found(const Command& command, std::span<const std::string> words, Io& io) {
  try {
    const Given given = parse_flags(command, words);
    if (given.help()) {
      io.out << help_of(command);
      return kOk;
    }
    return command.run(given, io);
  } catch (const UsageError& error) {
    io.err << "flyball " << command.name << ": " << error.what() << "\n";
    return kUsage;
  } catch (const std::exception& error) {
    io.err << "flyball " << command.name << ": " << error.what() << "\n";
    return kFailed;
  }
}

}  // namespace

Found find_command(const std::vector<Command>& commands, std::span<const std::string> words) {
  for (const std::size_t count : {std::size_t{2}, std::size_t{1}}) {
    if (words.size() < count) continue;
    const std::string name = first_words(words, count);
    const auto found = std::ranges::find_if(commands, [&](const Command& command) { return command.name == name; });
    if (found != commands.end()) return {&*found, count};
  }
  return {};
}

int run_command(const std::vector<Command>& commands, std::span<const std::string> words, Io& io) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h") {
    io.out << help_of(commands);
    return kOk;
  }
  if (words[0] == "--version") return run_command(commands, std::vector<std::string>{"version"}, io);
  const Found found = find_command(commands, words);
  if (found.command != nullptr) return run_found(*found.command, words.subspan(found.words), io);
  const bool asks = words.size() == 1 || words[1] == "--help" || words[1] == "-h";
  if (is_group(commands, words[0]) && asks) {
    // Without a second word nothing was done, and that is no success.
    (words.size() == 1 ? io.err : io.out) << help_of_group(commands, words[0]);
    return words.size() == 1 ? kUsage : kOk;
  }
  io.err << unknown(commands, words);
  return kUsage;
}

}  // namespace flyball::cli
