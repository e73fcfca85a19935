#include "cli/scaffold.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "cli/template.hpp"

namespace flyball::cli {
namespace {

// The folder and namespace of a built-in group: networking.k8s.io is kube::networking.
std::string folder_of(const std::string& group) { return group.empty() ? "core" : group.substr(0, group.find('.')); }

std::string file_of(const Api& api) { return lower(api.kind) + "_" + api.version; }

std::string options_of(const Api& api, const std::string& plural, const std::string& short_name) {
  std::vector<std::string> all;
  if (!plural.empty()) all.push_back(plural);
  if (!short_name.empty()) all.push_back(short_name);
  if (!api.namespaced) all.emplace_back(".clusterScoped = true");
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : ", ") + one;
  return text;
}

Values values_of(const Project& project, const Api& api) {
  const std::string plural = api.plural.empty() ? "" : ".plural = \"" + api.plural + "\"";
  const std::string short_name = api.shortName.empty() ? "" : ".shortNames = {\"" + api.shortName + "\"}";
  const std::string port = api.port == 0 ? "" : std::to_string(api.port);
  return {{"name", project.name},
          {"group", api.group},
          {"version", api.version},
          {"api_version", (api.group.empty() ? "" : api.group + "/") + api.version},
          {"kind", api.kind},
          {"lower", lower(api.kind)},
          {"file", file_of(api)},
          {"folder", folder_of(api.group)},
          {"image", api.image},
          {"port", port},
          {"no_port", port.empty() ? "yes" : ""},
          {"controller", api.controller ? "yes" : ""},
          {"no_controller", api.controller ? "" : "yes"},
          {"service_words", port.empty() ? "" : ", behind a Service"},
          {"plural_option", plural},
          {"short_option", short_name},
          {"options", options_of(api, plural, short_name)}};
}

// Which of the templates: of a kind that runs an image, of somebody else's, of Kubernetes' own, or the plain ones.
std::string variant(const Api& api) {
  if (!api.own()) return "_" + api.origin;
  return api.image.empty() ? "" : "_image";
}

// The kinds of the project, each with its versions; the one that is reconciled and stored first.
std::vector<std::vector<Api>> kinds_of(const Project& project) {
  std::vector<std::vector<Api>> kinds;
  for (const Api& api : project.apis) {
    const auto same = std::ranges::find_if(kinds, [&](const std::vector<Api>& versions) {
      return versions.front().kind == api.kind && versions.front().group == api.group;
    });
    if (same == kinds.end())
      kinds.push_back({api});
    else
      same->push_back(api);
  }
  return kinds;
}

bool is_further_version(const Project& project, const Api& api) {
  for (const Api& other : project.apis) {
    if (other == api) return false;
    if (other.group == api.group && other.kind == api.kind) return true;
  }
  return false;
}

// Kinds in several versions, or without a controller, say themselves that they are served.
std::string serves_of(const std::vector<Api>& versions) {
  if (!versions.front().own() || (versions.size() == 1 && versions.front().controller)) return "";
  std::string types;
  for (const Api& api : versions) types += (types.empty() ? "" : ", ") + api.version + "::" + api.kind;
  return "  op.serves<" + types + ">();\n";
}

std::string apis_source(const Project& project) {
  std::string includes;
  std::string declarations;
  std::string calls;
  for (const std::vector<Api>& versions : kinds_of(project)) {
    const std::string serves = serves_of(versions);
    if (!serves.empty()) {
      for (const Api& api : versions) includes += "#include \"" + file_of(api) + ".hpp\"\n";
    }
    if (versions.front().controller) {
      const std::string function = "setup_" + lower(versions.front().kind);
      declarations += "void " + function + "(flyball::Operator& op);\n";
      calls += "  " + function + "(op);\n";
    }
    calls += serves;
  }
  return fill("apis.cpp.in", {{"includes", includes.empty() ? "" : "\n" + includes},
                              {"declarations", declarations.empty() ? "" : declarations + "\n"},
                              {"parameter", calls.empty() ? "flyball::Operator&" : "flyball::Operator& op"},
                              {"calls", calls.empty() ? "" : "\n" + calls}});
}

}  // namespace

Files list_files(const Project& project) {
  return {{kProjectFile, project.yaml()}, {"src/apis.cpp", apis_source(project)}};
}

Files project_files(const Project& project) {
  const Values values{{"name", project.name}, {"domain", project.domain}};
  Files files = list_files(project);
  const std::pair<const char*, const char*> plain[] = {{"CMakeLists.txt", "CMakeLists.txt.in"},
                                                       {"Makefile", "Makefile.in"},
                                                       {"README.md", "README.md.in"},
                                                       {".gitignore", "gitignore.in"},
                                                       {".clang-format", "clang-format.in"},
                                                       {".github/workflows/test.yml", "ci.yml.in"},
                                                       {"src/main.cpp", "main.cpp.in"},
                                                       {"src/apis.hpp", "apis.hpp.in"},
                                                       {"tests/the_operator_test.cpp", "the_operator_test.cpp.in"}};
  for (const auto& [path, name] : plain) files[path] = fill(name, values);
  return files;
}

Files api_files(const Project& project, const Api& api) {
  const Values values = values_of(project, api);
  const std::string kind = variant(api);
  Files files;
  if (api.origin != "builtin") files["src/" + file_of(api) + ".hpp"] = fill("types" + kind + ".hpp.in", values);
  if (api.own()) {
    files[project.sample_path(api)] = fill(api.image.empty() ? "sample.yaml.in" : "sample_image.yaml.in", values);
  }
  if (is_further_version(project, api)) return files;
  if (api.controller) files["src/" + lower(api.kind) + ".cpp"] = fill("controller" + kind + ".cpp.in", values);
  files["tests/" + lower(api.kind) + "_test.cpp"] = fill("test" + kind + ".cpp.in", values);
  return files;
}

}  // namespace flyball::cli
