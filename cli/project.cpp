#include "cli/project.hpp"

#include <algorithm>
#include <cctype>

#include "cli/file_plan.hpp"

#include "flyball/json/parse.hpp"
#include "flyball/reflect/decode_yaml.hpp"

namespace flyball::cli {
namespace {

constexpr const char* kHead =
    "# What this project is. `flyball create api` and `flyball delete api` write this file.\n";

std::string line(const char* key, const std::string& value) { return std::string(key) + ": " + value + "\n"; }

std::string api_yaml(const Api& api) {
  std::string text = "- " + line("group", api.group.empty() ? "\"\"" : api.group);
  text += "  " + line("version", api.version) + "  " + line("kind", api.kind);
  if (!api.plural.empty()) text += "  " + line("plural", api.plural);
  if (!api.shortName.empty()) text += "  " + line("shortName", api.shortName);
  text += "  " + line("namespaced", api.namespaced ? "true" : "false");
  text += "  " + line("controller", api.controller ? "true" : "false");
  text += "  " + line("origin", api.origin);
  if (!api.image.empty()) text += "  " + line("image", "\"" + api.image + "\"");
  if (api.port != 0) text += "  " + line("port", std::to_string(api.port));
  return text;
}

}  // namespace

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string plural_of(const std::string& kind) {
  std::string name = lower(kind);
  const auto vowel = [](char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; };
  if (name.size() > 1 && name.ends_with('y') && !vowel(name[name.size() - 2])) {
    name.pop_back();
    return name + "ies";
  }
  for (const char* end : {"s", "x", "z", "ch", "sh"}) {
    if (name.ends_with(end)) return name + "es";
  }
  return name + "s";
}

Project Project::find(const Io& io) {
  std::filesystem::path folder = std::filesystem::absolute(io.folder).lexically_normal();
  while (!std::filesystem::exists(folder / kProjectFile)) {
    if (folder == folder.parent_path()) {
      throw Error("there is no project here: no flyball.yaml in " + std::filesystem::absolute(io.folder).string() +
                  " or above it; `flyball init --domain example.com` starts one");
    }
    folder = folder.parent_path();
  }
  Project project;
  try {
    static_cast<ProjectFile&>(project) =
        reflect::decode_yaml<ProjectFile>(read_file(folder / kProjectFile), {.strict = true});
  } catch (const Error& error) {
    throw Error((folder / kProjectFile).string() + ": " + error.what());
  }
  if (project.name.empty() || project.domain.empty()) {
    throw Error((folder / kProjectFile).string() + ": name and domain must both be there");
  }
  project.folder = folder;
  return project;
}

std::string Project::yaml() const {
  std::string text = kHead + line("name", name) + line("domain", domain);
  if (!features.empty()) text += "features:\n";
  for (const std::string& feature : features) text += "- " + feature + "\n";
  if (!apis.empty()) text += "apis:\n";
  for (const Api& api : apis) text += api_yaml(api);
  return text;
}

bool Project::has_feature(std::string_view feature) const {
  return std::ranges::find(features, feature) != features.end();
}

std::string Project::sample_path(const Api& api) const {
  const std::string group = api.group.empty() ? "core" : api.group.substr(0, api.group.find('.'));
  return "config/samples/" + group + "_" + api.version + "_" + lower(api.kind) + ".yaml";
}

}  // namespace flyball::cli
