// flyball init: a project of few, small files.
#include <algorithm>
#include <ostream>
#include <set>

#include "cli/ask.hpp"
#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/scaffold.hpp"

#include "flyball/kube/names.hpp"

namespace flyball::cli {
namespace {

// Targets of the project's CMakeLists.txt, and words that CMake keeps for itself.
const std::set<std::string> kTaken = {"all",     "clean", "flyball", "help",  "install",
                                      "package", "parts", "test",    "tests", "edit_cache"};

void check_domain(const std::string& domain) {
  const auto wrong = kube::names::dns1123_subdomain(domain);
  if (!wrong.empty()) {
    throw UsageError("--domain: \"" + domain + "\" is no domain: " + wrong.front() + "; write it as example.com");
  }
  if (domain.ends_with(".k8s.io") || domain.ends_with(".kubernetes.io") || domain == "k8s.io" ||
      domain == "kubernetes.io") {
    throw UsageError("--domain: " + domain +
                     " belongs to Kubernetes itself, which refuses kinds of others there; use a domain of yours");
  }
}

void check_name(const std::string& name) {
  constexpr std::size_t kMost = 56;  // its namespace is <name>-system
  const auto wrong = kube::names::dns1035_label(name);
  if (!wrong.empty()) {
    throw UsageError("--name: \"" + name + "\" cannot be the name of a Deployment: " + wrong.front() +
                     "; name it with --name shop-operator");
  }
  if (name.size() > kMost) {
    throw UsageError("--name: \"" + name + "\" is too long: at most " + std::to_string(kMost) +
                     " letters, for its namespace is called <name>-system");
  }
  if (kTaken.contains(name))
    throw UsageError("--name: \"" + name + "\" is taken by the build; use " + name + "-operator");
}

std::filesystem::path folder_of(const Given& given, const Io& io) {
  return std::filesystem::absolute(io.path(given.argument(0))).lexically_normal();
}

std::string name_of(const Given& given, std::filesystem::path folder) {
  if (given.has("name")) return given.text("name");
  if (!folder.has_filename()) folder = folder.parent_path();
  std::string name = lower(folder.filename().string());
  std::ranges::replace_if(name, [](char c) { return c == '_' || c == '.' || c == ' '; }, '-');
  return name;
}

int init(const Given& given, Io& io) {
  Project project;
  project.folder = folder_of(given, io);
  project.domain = given.text("domain");
  if (project.domain.empty() && !io.terminal) {
    throw UsageError(
        "--domain is missing: --domain DOMAIN, what the groups of your kinds end with, such as example.com");
  }
  if (project.domain.empty()) project.domain = ask(io, "Domain, what the groups of your kinds end with", "example.com");
  project.name = name_of(given, project.folder);
  check_domain(project.domain);
  check_name(project.name);
  if (std::filesystem::exists(project.folder / kProjectFile) && !given.on("force")) {
    throw Error("there is a project already: " + (project.folder / kProjectFile).string() +
                "; `flyball create api` adds a kind to it");
  }
  FilePlan plan(project.folder);
  for (const auto& [path, text] : project_files(project)) {
    given.on("force") ? plan.write(path, text) : plan.create(path, text);
  }
  plan.commit();
  for (const std::string& path : plan.changed()) io.out << "  " << path << "\n";
  io.out << "\nThe project " << project.name << " is there. Next:\n\n";
  if (!given.argument(0).empty()) io.out << "  cd " << given.argument(0) << "\n";
  io.out << "  flyball create api --group GROUP --version v1alpha1 --kind KIND\n";
  return kOk;
}

}  // namespace

Command init_command() {
  return {
      .name = "init",
      .topic = Topic::project,
      .summary = "start a project",
      .about =
          "Makes a project of few, small files in this folder, or in DIR: the operator's source, a test,\n"
          "CMakeLists.txt, a Makefile with the targets you know, and flyball.yaml, which says what it is.\n"
          "It builds and passes its test at once.",
      .arguments = "[DIR]",
      .most_arguments = 1,
      .flags = {{.name = "domain", .value = "DOMAIN", .help = "what the groups of your kinds end with: example.com"},
                {.name = "name", .value = "NAME", .help = "of the operator; without it: the name of the folder"},
                {.name = "force", .help = "replace files that are there already"}},
      .examples = {{"flyball init --domain example.com", "in this folder"},
                   {"flyball init --domain example.com shop-operator", "in a new folder"}},
      .run = init};
}

}  // namespace flyball::cli
