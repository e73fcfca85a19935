// flyball completion: scripts that let a shell finish what somebody begins to type, made from the table of commands.
#include <algorithm>
#include <ostream>
#include <set>

#include "cli/commands.hpp"
#include "cli/flags.hpp"

namespace flyball::cli {
namespace {

std::string first_word(const std::string& name) { return name.substr(0, name.find(' ')); }
std::string second_word(const std::string& name) {
  return name.find(' ') == std::string::npos ? "" : name.substr(name.find(' ') + 1);
}

// Words of all commands at one level, each once, in the order of the table.
std::vector<std::string> first_words(const std::vector<Command>& commands) {
  std::vector<std::string> words;
  for (const Command& command : commands) {
    const std::string word = first_word(command.name);
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  }
  return words;
}

std::vector<std::string> second_words(const std::vector<Command>& commands, const std::string& first) {
  std::vector<std::string> words;
  for (const Command& command : commands) {
    if (first_word(command.name) == first && command.name != first) words.push_back(second_word(command.name));
  }
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string flags_of(const Command& command) {
  std::string text;
  for (const Flag& flag : command.flags) text += "--" + flag.name + " ";
  return text + "--help";
}

// In single quotes, for any shell.
std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

bool takes_file(const Flag& flag) { return flag.value == "FILE" || flag.value == "DIR" || flag.value == "PATH"; }

std::string bash_values(const std::vector<Command>& commands) {
  std::string text;
  for (const Command& command : commands) {
    for (const Flag& flag : command.flags) {
      const std::string on = "    " + in_quotes(command.name + " --" + flag.name) + ") ";
      if (!flag.choices.empty())
        text += on + "COMPREPLY=($(compgen -W " + in_quotes(joined(flag.choices)) + " -- \"$word\")); return ;;\n";
      else if (takes_file(flag))
        text += on + "COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n";
      else if (!flag.value.empty())
        text += on + "return ;;\n";
    }
  }
  return text;
}

std::string bash(const std::vector<Command>& commands) {
  std::string names;
  for (const Command& command : commands) {
    // `delete` deletes objects, and `delete api` a kind: both may follow.
    const std::string seconds = joined(second_words(commands, command.name));
    names += "    " + in_quotes(command.name) +
             ") words=" + in_quotes(flags_of(command) + (seconds.empty() ? "" : " " + seconds)) + " ;;\n";
  }
  std::string groups;
  for (const std::string& word : first_words(commands)) {
    const std::string seconds = joined(second_words(commands, word));
    if (!seconds.empty()) groups += "    " + in_quotes(word) + ") words=" + in_quotes(seconds) + " ;;\n";
  }
  return "# bash completion of flyball:   source <(flyball completion bash)\n"
         "_flyball() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
         "  local one=${COMP_WORDS[1]} two=\"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" name\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W " +
         in_quotes(joined(first_words(commands))) +
         " -- \"$word\"))\n"
         "    return\n"
         "  fi\n"
         "  for name in \"$two\" \"$one\"; do\n"
         "    case \"$name $before\" in\n" +
         bash_values(commands) +
         "    esac\n"
         "    case \"$name\" in\n" +
         names + groups +
         "    esac\n"
         "    [ -z \"$words\" ] || break\n"
         "  done\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -F _flyball flyball\n";
}

std::string zsh(const std::vector<Command>& commands) {
  return "#compdef flyball\n"
         "# zsh completion of flyball:   source <(flyball completion zsh)\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bash(commands);
}

std::string fish(const std::vector<Command>& commands) {
  std::string text = "# fish completion of flyball:   flyball completion fish | source\ncomplete -c flyball -f\n";
  for (const Command& command : commands) {
    const std::string first = first_word(command.name);
    const std::string second = second_word(command.name);
    const std::string seen = "__fish_seen_subcommand_from ";
    std::string when = seen + first;
    text.append("complete -c flyball -n __fish_use_subcommand -a ").append(first);
    if (!second.empty()) {
      text.append("\ncomplete -c flyball -n '").append(when).append("' -a ").append(second);
      when.append("; and ").append(seen).append(second);
    }
    text.append(" -d ").append(in_quotes(command.summary)).append("\n");
    for (const Flag& flag : command.flags) {
      text.append("complete -c flyball -n '").append(when).append("' -l ").append(flag.name);
      if (flag.letter != '\0') text += std::string(" -s ") + flag.letter;
      if (!flag.choices.empty()) text += " -xa " + in_quotes(joined(flag.choices));
      if (flag.choices.empty() && !flag.value.empty()) text += takes_file(flag) ? " -rF" : " -x";
      text.append(" -d ").append(in_quotes(flag.help)).append("\n");
    }
  }
  return text;
}

int completion(const Given& given, Io& io) {
  const std::vector<Command> commands = all_commands();
  const std::string shell = given.argument(0);
  if (shell == "bash")
    io.out << bash(commands);
  else if (shell == "zsh")
    io.out << zsh(commands);
  else if (shell == "fish")
    io.out << fish(commands);
  else
    throw UsageError("expected bash, zsh or fish, found \"" + shell + "\"");
  return kOk;
}

}  // namespace

Command completion_command() {
  return {.name = "completion",
          .topic = Topic::other,
          .summary = "a script that lets your shell complete flyball's commands and flags",
          .arguments = "bash|zsh|fish",
          .least_arguments = 1,
          .most_arguments = 1,
          .examples = {{"source <(flyball completion bash)", "in this shell, and in ~/.bashrc for the next ones"},
                       {"flyball completion fish > ~/.config/fish/completions/flyball.fish", ""}},
          .run = completion};
}

}  // namespace flyball::cli
