// flyball doctor: what is there, what is missing, how to get it.
#include <optional>
#include <ostream>
#include <regex>

#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/process.hpp"

#include "flyball/json/builder.hpp"
#include "flyball/json/write.hpp"
#include "flyball/runtime/version.hpp"

namespace flyball::cli {
namespace {

struct Check {
  std::string name = {};
  Words command = {};           // prints the version
  std::pair<int, int> least{};  // the version that is needed
  std::string what_for = {};
  std::string remedy = {};
  bool needed = true;  // without it nothing can be built
};

const std::vector<Check>& checks() {
  static const std::vector<Check> all = {
      {"g++", {"g++", "-dumpfullversion"}, {12, 0}, "compiles operators", "apt-get install g++"},
      {"cmake", {"cmake", "--version"}, {3, 25}, "builds projects", "apt-get install cmake"},
      {"make", {"make", "--version"}, {4, 0}, "the targets of a project's Makefile", "apt-get install make"},
      {"ninja", {"ninja", "--version"}, {1, 10}, "faster builds", "apt-get install ninja-build", false},
      {"ccache", {"ccache", "--version"}, {4, 0}, "compiles nothing twice", "apt-get install ccache", false},
      {"mold", {"mold", "--version"}, {1, 0}, "links in a blink", "apt-get install mold", false},
      {"clang-format", {"clang-format", "--version"}, {14, 0}, "make format", "apt-get install clang-format", false},
      {"kubectl",
       {"kubectl", "version", "--client"},
       {1, 30},
       "another way to look at a cluster",
       "flyball has the verbs itself: flyball get, apply, describe",
       false},
  };
  return all;
}

struct Finding {
  std::string name = {};
  std::string found = {};  // the version; empty: it is not there
  bool good = false;
  bool needed = true;
  std::string text = {};
};

std::optional<std::pair<int, int>> version_in(const std::string& text) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(R"((\d+)\.(\d+))"))) return std::nullopt;
  return std::pair{std::stoi(found[1]), std::stoi(found[2])};
}

std::string version_text(const std::pair<int, int>& version) {
  return std::to_string(version.first) + "." + std::to_string(version.second);
}

Finding look(const Check& check) {
  Finding finding{.name = check.name, .needed = check.needed};
  const Ran ran = run_program(check.command);
  const auto version = ran.found && ran.code == 0 ? version_in(ran.output) : std::nullopt;
  if (!version) {
    finding.text = "not found: " + check.what_for + ". " + check.remedy;
    return finding;
  }
  finding.found = version_text(*version);
  finding.good = *version >= check.least;
  if (!finding.good) finding.text = "too old: " + version_text(check.least) + " is needed. " + check.remedy;
  return finding;
}

// The library that projects link: installed, or as a source tree beside the project.
Finding look_for_library(const Io& io) {
  Finding finding{.name = "libflyball"};
  const std::string source = io.variable("FLYBALL_SOURCE_DIR");
  const auto prefix = this_program().parent_path().parent_path();
  for (const auto& folder : {prefix / "lib/cmake/flyball", prefix / "lib/x86_64-linux-gnu/cmake/flyball",
                             prefix / "lib/aarch64-linux-gnu/cmake/flyball"}) {
    if (std::filesystem::exists(folder / "flyballConfig.cmake")) finding.good = true;
  }
  if (!source_tree().empty()) finding.good = true;
  if (!source.empty() && std::filesystem::exists(std::filesystem::path(source) / "flyball/flyball.hpp")) {
    finding.good = true;
  }
  if (finding.good)
    finding.found = std::string(runtime::kVersion);
  else
    finding.text =
        "not found beside this program: install flyball's .deb, or set FLYBALL_SOURCE_DIR to its source tree";
  return finding;
}

json::Value as_json(const std::vector<Finding>& findings, bool good) {
  json::Builder to;
  to.begin_object().key("ok").boolean(good).key("checks").begin_array();
  for (const Finding& finding : findings) {
    to.begin_object().key("name").string(finding.name).key("version").string(finding.found);
    to.key("ok").boolean(finding.good).key("needed").boolean(finding.needed).key("text").string(finding.text).end();
  }
  to.end().end();
  return to.finish();
}

int doctor(const Given& given, Io& io) {
  std::vector<Finding> findings{look_for_library(io)};
  for (const Check& check : checks()) findings.push_back(look(check));
  bool good = true;
  for (const Finding& finding : findings) good = good && (finding.good || !finding.needed);
  if (given.text("output") == "json") {
    io.out << json::write(as_json(findings, good)) << "\n";
    return good ? kOk : kFailed;
  }
  for (const Finding& finding : findings) {
    const std::string mark = finding.good ? "ok      " : finding.needed ? "MISSING " : "absent  ";
    const std::string name = finding.name + std::string(14 - std::min<std::size_t>(13, finding.name.size()), ' ');
    io.out << "  " << mark << name << (finding.good ? finding.found : finding.text) << "\n";
  }
  io.out << (good ? "\nReady. `flyball init --domain example.com` starts a project.\n"
                  : "\nSomething is missing; the lines above say how to get it.\n");
  return good ? kOk : kFailed;
}

}  // namespace

Command doctor_command() {
  return {.name = "doctor",
          .topic = Topic::other,
          .summary = "what this machine has and lacks to build and run operators",
          .about = "Exit code 1 when something that is needed is missing.",
          .flags = {{.name = "output",
                     .letter = 'o',
                     .value = "FORMAT",
                     .help = "how it is printed",
                     .fallback = "text",
                     .choices = {"text", "json"}}},
          .run = doctor};
}

}  // namespace flyball::cli
