#include "cli/project_build.hpp"

#include <algorithm>
#include <ostream>
#include <thread>

#include "cli/commands.hpp"
#include "cli/flags.hpp"

#include "flyball/json/yaml.hpp"

namespace flyball::cli {
namespace {

// Which Flyball the project links: the one of the environment, the source tree this program was built in, or the one
// that was installed with it.
Words flyball_flags(const Io& io) {
  const std::string source = io.variable("FLYBALL_SOURCE_DIR");
  if (!source.empty()) return {"-DFLYBALL_SOURCE_DIR=" + source};
  if (!source_tree().empty()) return {"-DFLYBALL_SOURCE_DIR=" + source_tree().string()};
  const auto prefix = this_program().parent_path().parent_path();
  if (prefix == "/usr" || !io.variable("CMAKE_PREFIX_PATH").empty()) return {};
  return {"-DCMAKE_PREFIX_PATH=" + prefix.string()};
}

Words configure_words(const Project& project, const Io& io) {
  Words words{"cmake", "-S", project.folder.string(), "-B", (project.folder / "build").string()};
  if (!find_program("ninja").empty()) words.insert(words.end(), {"-G", "Ninja"});
  if (!find_program("ccache").empty()) words.emplace_back("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache");
  for (std::string& flag : flyball_flags(io)) words.push_back(std::move(flag));
  return words;
}

Words build_words(const Project& project, const Io& io, const BuildOptions& options) {
  Words words{"cmake", "--build", (project.folder / "build").string()};
  if (!options.tests) words.insert(words.end(), {"--target", project.name});
  if (io.variable("CMAKE_BUILD_PARALLEL_LEVEL").empty()) {
    words.insert(words.end(), {"--parallel", std::to_string(std::max(1U, std::thread::hardware_concurrency()))});
  }
  return words;
}

void run_step(const Words& words, Io& io, const std::string& what) {
  const bool shown = io.terminal && words.at(1) == "--build";
  const Ran ran = shown ? Ran{.code = run_in_front(words)} : run_program(words);
  if (!ran.found) throw Error("there is no cmake; apt-get install cmake, and see `flyball doctor`");
  if (ran.code == 0) return;
  io.err << ran.output;
  throw Error(what);
}

int build(const Given& given, Io& io) {
  const Project project = Project::find(io);
  build_project(project, io, {.tests = given.on("tests")});
  io.out << project.binary().string() << "\n";
  return kOk;
}

}  // namespace

void build_project(const Project& project, Io& io, const BuildOptions& options) {
  const auto folder = project.folder / "build";
  if (!std::filesystem::exists(project.folder / "CMakeLists.txt")) {
    throw Error("there is no CMakeLists.txt in " + project.folder.string() +
                "; `flyball init --force` makes the project's files anew");
  }
  const bool configured =
      std::filesystem::exists(folder / "build.ninja") || std::filesystem::exists(folder / "Makefile");
  if (!io.terminal) io.err << "building " << project.name << "\n";
  if (!configured) {
    run_step(configure_words(project, io), io, "the project cannot be configured; CMake's words stand above");
  }
  run_step(build_words(project, io, options), io, "the project does not build; the compiler's words stand above");
}

std::vector<json::Value> documents_of(const Project& project, const Words& words) {
  Words all{project.binary().string()};
  all.insert(all.end(), words.begin(), words.end());
  const Ran ran = run_for_output(all);
  if (!ran.found) throw Error("there is no " + project.binary().string() + "; build it: flyball build");
  if (ran.code != 0) throw Error("`" + project.name + " " + words.front() + "` failed; its words stand above");
  return json::parse_yaml_documents(ran.output);
}

Command build_command() {
  return {
      .name = "build",
      .topic = Topic::project,
      .summary = "build the operator into build/",
      .about =
          "Runs CMake with the Flyball that belongs to this command: the installed one, or the source tree it was\n"
          "built in. FLYBALL_SOURCE_DIR in the environment names another source tree. `cmake` by hand does the same.",
      .flags = {{.name = "tests", .help = "the tests too"}},
      .examples = {{"flyball build --tests && ctest --test-dir build", ""}},
      .run = build};
}

}  // namespace flyball::cli
