// Command: one thing `flyball` can do, with everything that is said about it. Help, man page, completion and the
// reference in docs/commands.md are made from the same value, so they cannot say different things.
//
//   Command init_command() {
//     return {.name = "init",
//             .topic = Topic::project,
//             .summary = "start a project in this folder",
//             .flags = {{.name = "domain", .value = "DOMAIN", .help = "what groups end with", .required = true}},
//             .examples = {{"flyball init --domain example.com", "a project named after its folder"}},
//             .run = init};
//   }
//   int init(const Given& given, Io& io);                // given.text("domain"); the exit code
//
// A new command: a file of its own, its declaration in commands.hpp, its line in commands.cpp.
//
// Exit codes: kOk, kFailed (it tried, and could not), kUsage (it was called wrongly; nothing was done).
//
// Errors: a command throws UsageError for a wrong call and any other Error for what went wrong; run.hpp prints both.
//
// Thread-safety: values. Lifetime: the streams of an Io outlive it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "flyball/base/error.hpp"

namespace flyball::cli {

inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;

// The command line is wrong. The message says what was expected; the reader is told of --help.
class UsageError : public Error {
 public:
  using Error::Error;
};

// The world of a command: what it reads, where it writes, where it stands. Tests bring their own.
struct Io {
  std::istream& in;
  std::ostream& out;  // what was asked for
  std::ostream& err;  // progress and what went wrong
  // Somebody sits there: questions may be asked, lines may be rewritten, words may have colours.
  bool terminal = false;
  // Where it was called; relative paths begin here.
  std::filesystem::path folder = ".";
  // An environment variable; empty when it is not set. Default: there are none.
  std::function<std::string(const char*)> variable = [](const char*) { return std::string(); };

  std::filesystem::path path(const std::filesystem::path& relative) const { return folder / relative; }
};

struct Flag {
  std::string name = {};      // without the dashes
  char letter = '\0';         // the short form: 'o' for -o
  std::string value = {};     // what stands for the value in the help; empty: the flag is on or off
  std::string help = {};      // begins in lower case, without a full stop
  std::string fallback = {};  // what it is when it is not given
  // What it may be; empty: anything.
  std::vector<std::string> choices = {};
  bool repeats = false;  // each time adds a value
  bool required = false;
};

struct Example {
  std::string line = {};
  std::string what = {};
};

// The headings of `flyball help`, in their order.
enum class Topic : std::uint8_t { project, cluster, image, objects, other };

class Given;

struct Command {
  std::string name = {};  // "init"; of a group: "create api"
  Topic topic = Topic::other;
  std::string summary = {};    // one line, in lower case, without a full stop
  std::string about = {};      // paragraphs, as they are to be read in 100 columns; may be empty
  std::string arguments = {};  // what follows the flags, as the usage line says it: "KIND [NAME...]"
  std::size_t least_arguments = 0;
  std::size_t most_arguments = 0;
  std::vector<Flag> flags = {};
  std::vector<Example> examples = {};
  std::function<int(const Given&, Io&)> run = {};
};

}  // namespace flyball::cli
