// flyball install and uninstall: the definitions of the project's kinds, in a cluster.
#include <algorithm>
#include <ostream>

#include "cli/access.hpp"
#include "cli/ask.hpp"
#include "cli/commands.hpp"
#include "cli/definitions.hpp"
#include "cli/flags.hpp"
#include "cli/project_build.hpp"

#include "flyball/net/stream.hpp"

namespace flyball::cli {
namespace {

std::vector<json::Value> definitions_of(const Project& project, const Given& given, Io& io) {
  if (!given.on("no-build")) build_project(project, io);
  std::vector<json::Value> all = documents_of(project, {"crd"});
  if (all.empty()) throw Error("the operator has no kinds of its own; `flyball create api` adds one");
  return all;
}

// What people forget most often.
[[noreturn]] void unreachable(const Access& access, const std::exception& error) {
  throw Error(std::string(error.what()) + "; the cluster is " + access.where() +
              ". `flyball dev` starts one on this machine, --kubeconfig names another");
}

int install(const Given& given, Io& io) {
  const Project project = Project::find(io);
  Access access(given, io);
  const auto definitions = definitions_of(project, given, io);
  try {
    install_definitions(access.client(), access.clock(), definitions, io.out);
  } catch (const net::NetError& error) {
    unreachable(access, error);
  }
  return kOk;
}

int uninstall(const Given& given, Io& io) {
  const Project project = Project::find(io);
  const UninstallOptions options{.force = given.on("force"),
                                 .patience = std::chrono::seconds(given.number("timeout", 0, 86400))};
  Access access(given, io);
  const auto definitions = definitions_of(project, given, io);
  try {
    if (io.terminal && !given.on("yes")) {
      const std::size_t count = count_objects(access.client(), definitions);
      const std::string question = std::to_string(count) + " objects go with their definitions, from " + access.where();
      if (count > 0 && !ask_yes_or_no(io, question + ". Delete them?", false)) return kFailed;
    }
    uninstall_definitions(access.client(), access.clock(), definitions, options, io.out);
  } catch (const net::NetError& error) {
    unreachable(access, error);
  }
  return kOk;
}

}  // namespace

Command install_command() {
  return {.name = "install",
          .topic = Topic::project,
          .summary = "put the definitions of the project's kinds into a cluster",
          .about =
              "Builds the operator, asks it for its definitions, applies them (server-side) and waits until the\n"
              "cluster serves them.",
          .flags = with_access({{.name = "no-build", .help = "ask the operator that is built already"}}),
          .examples = {{"flyball install", "into the cluster of $KUBECONFIG, or the one of `flyball dev`"}},
          .run = install};
}

Command uninstall_command() {
  return {
      .name = "uninstall",
      .topic = Topic::project,
      .summary = "take the definitions and every object of them out of a cluster",
      .about =
          "Deletes the objects first and waits until they are gone, so that the operator can clean up after them;\n"
          "then the definitions. Says what it does, object by object.",
      .flags = with_access(
          {{.name = "force", .help = "take finalizers away that nobody serves"},
           {.name = "timeout", .value = "SECONDS", .help = "for objects that are being cleaned up", .fallback = "60"},
           {.name = "yes", .letter = 'y', .help = "do not ask, at a terminal"},
           {.name = "no-build", .help = "ask the operator that is built already"}}),
      .examples = {{"flyball uninstall --yes", ""}},
      .run = uninstall};
}

}  // namespace flyball::cli
