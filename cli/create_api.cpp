// flyball create api: a kind, with types, reconcile, sample and test. flyball delete api takes it away again.
#include <algorithm>
#include <ostream>
#include <regex>

#include "cli/api_request.hpp"
#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/scaffold.hpp"

namespace flyball::cli {
namespace {

const Api* first_version(const Project& project, const Api& api) {
  const auto found = std::ranges::find_if(
      project.apis, [&](const Api& other) { return other.group == api.group && other.kind == api.kind; });
  return found == project.apis.end() ? nullptr : &*found;
}

// A further version begins as a copy of the first one: without a conversion webhook they may not differ.
Files copied(const Project& project, const Api& first, const Api& api) {
  Files files;
  const std::regex word("\\b" + first.version + "\\b");
  const std::string types = "src/" + lower(api.kind) + "_";
  const std::pair<std::string, std::string> pairs[] = {{types + first.version + ".hpp", types + api.version + ".hpp"},
                                                       {project.sample_path(first), project.sample_path(api)}};
  for (const auto& [from, to] : pairs) {
    files[to] = std::regex_replace(read_file(project.folder / from), word, api.version);
  }
  return files;
}

void print_next_steps(std::ostream& out, const Project& project, const Api& api, const Api* first) {
  out << "\n" << api.to_string() << " is there. Next:\n\n";
  if (first != nullptr) {
    out << "  " << first->version
        << " stays the version that is stored and reconciled: it stands first in flyball.yaml.\n"
        << "  The versions must not differ but in their name, unless a webhook converts between them.\n";
    return;
  }
  const auto line = [&](std::string left, const char* right) {
    left.resize(std::max<std::size_t>(left.size(), 34), ' ');
    out << "  " << left << "  " << right << "\n";
  };
  if (api.own()) line("edit src/" + lower(api.kind) + "_" + api.version + ".hpp", "what the kind is");
  if (api.controller) line("edit src/" + lower(api.kind) + ".cpp", "what the operator does about it");
  line("make test", "build it, and run its test");
  line("make run", "run it; without a cluster, one is started for it");
  if (api.own()) out << "  flyball apply -f " << project.sample_path(api) << "\n";
}

int create_api(const Given& given, Io& io) {
  Project project = Project::find(io);
  const Api api = requested_api(project, given, io);
  const Api* first = first_version(project, api);
  const std::optional<Api> copy = first == nullptr ? std::nullopt : std::optional<Api>(*first);
  Files files = copy ? copied(project, *copy, api) : Files();
  project.apis.push_back(api);
  if (!copy) files = api_files(project, api);
  FilePlan plan(project.folder);
  for (const auto& [path, text] : files) given.on("force") ? plan.write(path, text) : plan.create(path, text);
  for (const auto& [path, text] : list_files(project)) plan.write(path, text);
  plan.commit();
  for (const std::string& path : plan.changed()) io.out << "  " << path << "\n";
  print_next_steps(io.out, project, api, copy ? &*copy : nullptr);
  return kOk;
}

// What the scaffold made of this kind, as it made it.
Files made_files(const Project& project, const Api& api) {
  const Api* first = first_version(project, api);
  if (first != nullptr && *first != api) return copied(project, *first, api);
  return api_files(project, api);
}

int delete_api(const Given& given, Io& io) {
  const Project project = Project::find(io);
  const Api api = named_api(project, given);
  Project after = project;
  std::erase(after.apis, api);
  const Api* first = first_version(project, api);
  if (*first == api && first_version(after, api) != nullptr) {
    throw Error(api.version + " is the version of " + api.kind +
                " that is reconciled; delete the other versions first");
  }
  FilePlan plan(project.folder);
  std::string changed;
  for (const auto& [path, text] : made_files(project, api)) {
    if (!std::filesystem::exists(project.folder / path)) continue;
    if (read_file(project.folder / path) != text) changed += (changed.empty() ? "" : ", ") + path;
    plan.remove(path);
    io.out << (given.on("force") || changed.empty() ? "  removed " + path + "\n" : "");
  }
  if (!changed.empty() && !given.on("force")) {
    throw Error("you have changed " + changed + "; --force deletes them all the same");
  }
  for (const auto& [path, text] : list_files(after)) plan.write(path, text);
  plan.commit();
  io.out << "\n"
         << api.to_string() << " is gone from the project. In a cluster it may still be: "
         << "kubectl delete crd " << (api.plural.empty() ? plural_of(api.kind) : api.plural) << "." << api.group
         << "\n";
  return kOk;
}

}  // namespace

Command create_api_command() {
  return {
      .name = "create api",
      .topic = Topic::project,
      .summary = "add a kind to the project: types, reconcile, sample, test",
      .about =
          "The group is written without the domain of the project, or whole. At a terminal, what is missing is asked\n"
          "for. With --image the kind runs that image: Deployment, Service, status and events, complete and tested.\n"
          "With --resource=false the kind is not yours: Kubernetes' own (--group apps --kind Deployment), or\n"
          "somebody else's (--group cert-manager.io --kind Certificate). A kind that is there already gets a further\n"
          "version.",
      .flags = {{.name = "group", .value = "GROUP", .help = "of the kind: cache, or cache.example.com"},
                {.name = "version", .value = "VERSION", .help = "of the kind: v1, v1beta1, v1alpha1"},
                {.name = "kind", .value = "KIND", .help = "in UpperCamel: Memcached"},
                {.name = "resource", .help = "the kind is yours: make its types", .fallback = "true"},
                {.name = "controller", .help = "the operator reconciles it: make its controller", .fallback = "true"},
                {.name = "namespaced", .help = "its objects live in namespaces", .fallback = "true"},
                {.name = "plural", .value = "WORD", .help = "of its name; without it: as English mostly has it"},
                {.name = "short-name", .value = "WORD", .help = "that people may type instead: mc"},
                {.name = "image", .value = "IMAGE", .help = "make an operator that runs this image"},
                {.name = "port", .value = "N", .help = "with --image: where its pods listen, behind a Service"},
                {.name = "force", .help = "replace files that are there already"}},
      .examples =
          {{"flyball create api --group cache --version v1alpha1 --kind Memcached", "types and a skeleton"},
           {"flyball create api --group cache --version v1alpha1 --kind Memcached --image memcached:1.6 --port 11211",
            "a complete operator"},
           {"flyball create api --group apps --version v1 --kind Deployment --resource=false",
            "a controller of Deployments"}},
      .run = create_api};
}

Command delete_api_command() {
  return {
      .name = "delete api",
      .topic = Topic::project,
      .summary = "take a kind out of the project",
      .about =
          "Removes the files of the kind and its place in the lists. Files that you have changed stay, and nothing\n"
          "is done, unless --force is given.",
      .flags = {{.name = "group", .value = "GROUP", .help = "of the kind, when its name alone is not enough"},
                {.name = "version", .value = "VERSION", .help = "of the kind, when it has several"},
                {.name = "kind", .value = "KIND", .help = "which", .required = true},
                {.name = "force", .help = "also files that you have changed"}},
      .examples = {{"flyball delete api --kind Memcached", ""}},
      .run = delete_api};
}

}  // namespace flyball::cli
