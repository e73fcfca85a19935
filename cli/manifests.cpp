// flyball manifests: config/ and dist/, from what the operator says of itself.
#include <algorithm>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/file_plan.hpp"
#include "cli/flags.hpp"
#include "cli/manifest_files.hpp"
#include "cli/project_build.hpp"

namespace flyball::cli {
namespace {

constexpr const char* kFolders[] = {"crd", "rbac", "manager", "metrics", "prometheus", "network-policy", "default"};

// What an earlier time made and this one does not: the definition of a kind that has gone.
std::vector<std::string> leftovers(const Project& project, const Files& files) {
  std::vector<std::string> found;
  for (const char* folder : kFolders) {
    const auto path = project.folder / "config" / folder;
    if (!std::filesystem::is_directory(path)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      const std::string name = std::filesystem::relative(entry.path(), project.folder).string();
      if (!entry.is_regular_file() || files.contains(name)) continue;
      if (read_file(entry.path()).starts_with(kMadeBy)) found.push_back(name);
    }
  }
  std::ranges::sort(found);
  return found;
}

bool is_kept(const Project& project, const std::string& path) {
  return std::ranges::find(kOnce, path) != std::end(kOnce) && std::filesystem::exists(project.folder / path);
}

int check(const Project& project, const Files& files, const std::vector<std::string>& gone, Io& io) {
  std::size_t differ = gone.size();
  for (const std::string& path : gone) io.out << "  gone     " << path << "\n";
  for (const auto& [path, text] : files) {
    const auto file = project.folder / path;
    const bool there = std::filesystem::exists(file);
    if (is_kept(project, path) || (there && read_file(file) == text)) continue;
    io.out << (there ? "  changed  " : "  new      ") << path << "\n";
    ++differ;
  }
  if (differ == 0) return kOk;
  throw Error(std::to_string(differ) + " files are not what the operator says; write them: flyball manifests");
}

int manifests(const Given& given, Io& io) {
  const Project project = Project::find(io);
  if (!given.on("no-build")) build_project(project, io);
  const std::string image = given.text("image").empty() ? project.name + ":latest" : given.text("image");
  Words words{"manifests", "--image", image, "--operator-namespace", project.system_namespace()};
  if (given.has("namespaces")) words.insert(words.end(), {"--namespaces", given.text("namespaces")});
  const Files files = manifest_files(project, documents_of(project, words));
  const std::vector<std::string> gone = leftovers(project, files);
  if (given.on("check")) return check(project, files, gone, io);
  FilePlan plan(project.folder);
  for (const auto& [path, text] : files) {
    if (!is_kept(project, path)) plan.write(path, text);
  }
  for (const std::string& path : gone) plan.remove(path);
  plan.commit();
  for (const std::string& path : plan.changed()) io.out << "  " << path << "\n";
  for (const std::string& path : gone) io.out << "  removed " << path << "\n";
  if (plan.changed().empty() && gone.empty()) io.out << "nothing changed\n";
  return kOk;
}

}  // namespace

Command manifests_command() {
  return {.name = "manifests",
          .topic = Topic::project,
          .summary = "write config/ and dist/: definitions, permissions, Deployment, samples, install.yaml, chart",
          .about =
              "Everything comes from the operator itself, which is built and asked: the definitions from its types,\n"
              "the permissions from what it was declared to do. So they cannot drift from the code. The same code\n"
              "gives the same bytes. `features` in flyball.yaml turns on network-policy and service-monitor.\n"
              "dist/chart/Chart.yaml and values.yaml are made once and yours from then on; the rest is flyball's.",
          .flags = {{.name = "image", .value = "IMAGE", .help = "that runs the operator; without it: <name>:latest"},
                    {.name = "namespaces",
                     .value = "NAME,...",
                     .help = "it works in these only: a Role in each, no ClusterRole"},
                    {.name = "no-build", .help = "ask the operator that is built already"},
                    {.name = "check", .help = "write nothing; fail when a file is not what the operator says"}},
          .examples = {{"flyball manifests --image registry.example.com/shop-operator:v1", ""},
                       {"flyball manifests --check", "in CI"},
                       {"kubectl apply -k config/default",
                        "afterwards; or kubectl apply --server-side -f dist/install.yaml"}},
          .run = manifests};
}

}  // namespace flyball::cli
