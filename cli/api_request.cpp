#include "cli/api_request.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

#include "cli/ask.hpp"
#include "cli/flags.hpp"

#include "flyball/kube/kinds.hpp"
#include "flyball/kube/names.hpp"
#include "flyball/runtime/command_line.hpp"

namespace flyball::cli {
namespace {

std::string value_or_ask(const Given& given, Io& io, const char* name, const char* question) {
  std::string value = given.text(name);
  if (!value.empty() || given.has(name)) return value;
  if (io.terminal) return ask(io, question);
  throw UsageError(std::string("--") + name + " is missing: " + question);
}

void check_version(const std::string& version) {
  static const std::regex pattern("v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?");
  if (!std::regex_match(version, pattern)) {
    throw UsageError("--version: \"" + version + "\" is no version of an API; write it as v1, v1beta1 or v1alpha1");
  }
}

void check_kind(const std::string& kind) {
  static const std::regex pattern("[A-Z][A-Za-z0-9]*");
  constexpr std::size_t kMost = 63;
  if (lower(kind) == "main" || lower(kind) == "apis") {
    throw UsageError("--kind: src/" + lower(kind) + ".cpp is a file of every project; call the kind otherwise");
  }
  if (std::regex_match(kind, pattern) && kind.size() <= kMost) return;
  std::string better;
  for (const char c : kind) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) continue;
    better += better.empty() ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
  }
  const bool help = std::regex_match(better, pattern) && better.size() <= kMost;
  throw UsageError("--kind: \"" + kind + "\" is no kind: a word in UpperCamel, letters and digits, at most 63" +
                   (help ? "; did you mean " + better + "?" : ""));
}

void check_label(const char* flag, const std::string& value) {
  if (value.empty()) return;
  const auto wrong = kube::names::dns1035_label(value);
  if (!wrong.empty()) throw UsageError(std::string("--") + flag + ": \"" + value + "\": " + wrong.front());
}

void check_image(const std::string& image) {
  const bool bad =
      std::ranges::any_of(image, [](unsigned char c) { return c <= ' ' || c == '"' || c == '\\' || c > '~'; });
  if (bad) throw UsageError("--image: \"" + image + "\" is no name of an image; write it as memcached:1.6");
}

void check_own_group(const std::string& group) {
  const auto wrong = kube::names::dns1123_subdomain(group);
  if (!wrong.empty()) throw UsageError("--group: \"" + group + "\" is no group: " + wrong.front());
}

// A kind that is not ours: Kubernetes' own when it has one of that name, else somebody's.
void find_origin(Api& api) {
  if (api.group == "core") api.group.clear();
  if (const reflect::Type* type = kube::find_kind(api.group, api.version, api.kind)) {
    api.origin = "builtin";
    api.namespaced = type->kind->namespaced;
    return;
  }
  if (api.group.find('.') == std::string::npos || api.group.ends_with(".k8s.io")) {
    std::vector<std::string> kinds;
    for (const reflect::TypeRef type : kube::served_kinds()) {
      if (type().kind->group == api.group) kinds.emplace_back(type().kind->kind);
    }
    const std::string near = runtime::nearest(api.kind, kinds);
    throw UsageError("Kubernetes has no " + api.to_string() +
                     (near.empty() ? "; the group of somebody else's kind is written whole, such as cert-manager.io"
                                   : "; did you mean " + near + "?"));
  }
  api.origin = "external";
}

void check_combination(const Api& api, const Given& given) {
  if (given.has("port") && api.image.empty()) {
    throw UsageError("--port goes with --image: it is where the pods of that image listen");
  }
  if (api.image.empty()) return;
  if (!api.own()) throw UsageError("--image makes a kind of your own; take away --resource=false");
  if (!api.controller) throw UsageError("--image makes an operator that runs it; take away --controller=false");
  if (!api.namespaced) {
    throw UsageError("--image: pods live in a namespace, and the kind has none; take away --namespaced=false");
  }
}

void check_against(const Project& project, const Api& api) {
  for (const Api& other : project.apis) {
    if (lower(other.kind) != lower(api.kind)) continue;
    const bool same = other.kind == api.kind && other.group == api.group;
    if (same && other.version == api.version) {
      throw Error("there is " + api.to_string() + " already; `flyball delete api --group " + api.group + " --version " +
                  api.version + " --kind " + api.kind + "` removes it");
    }
    if (!same) {
      throw Error("there is " + other.to_string() +
                  " already, and a project has one kind of a name; call this one otherwise");
    }
    if (!api.own()) throw Error(api.to_string() + " is not yours, and one version of it is here already");
    if (!api.image.empty()) throw UsageError("--image: a further version takes its fields from the first one");
  }
}

}  // namespace

std::string whole_group(const Project& project, const std::string& group) {
  if (group.empty()) return project.domain;
  if (group == project.domain || group.ends_with("." + project.domain)) return group;
  if (group.find('.') == std::string::npos) return group + "." + project.domain;
  throw UsageError("--group: \"" + group + "\" is not in " + project.domain + ", the domain of this project; write " +
                   group + "." + project.domain + ", or add --resource=false when the kind is somebody else's");
}

Api requested_api(const Project& project, const Given& given, Io& io) {
  Api api;
  api.group = value_or_ask(given, io, "group", "the group of the kind, such as cache");
  api.version = value_or_ask(given, io, "version", "the version, such as v1alpha1");
  api.kind = value_or_ask(given, io, "kind", "the kind in UpperCamel, such as Memcached");
  check_version(api.version);
  check_kind(api.kind);
  bool resource = given.on("resource");
  api.controller = given.on("controller");
  if (io.terminal && !given.has("resource") && given.text("image").empty()) {
    resource = ask_yes_or_no(io, "Create the types: is the kind yours?", true);
  }
  if (io.terminal && !given.has("controller") && given.text("image").empty()) {
    api.controller = ask_yes_or_no(io, "Create the controller?", true);
  }
  if (!resource && !api.controller) {
    throw UsageError("with --resource=false and --controller=false there is nothing to create");
  }
  api.plural = given.text("plural");
  api.shortName = given.text("short-name");
  api.image = given.text("image");
  api.namespaced = given.on("namespaced");
  if (given.has("port")) api.port = static_cast<std::int32_t>(given.number("port", 1, 65535));
  check_label("plural", api.plural);
  check_label("short-name", api.shortName);
  check_image(api.image);
  if (api.plural == plural_of(api.kind)) api.plural.clear();
  if (resource) {
    api.group = whole_group(project, api.group);
    check_own_group(api.group);
  } else {
    find_origin(api);
    if (!api.group.empty()) check_own_group(api.group);
  }
  check_combination(api, given);
  check_against(project, api);
  return api;
}

const Api& named_api(const Project& project, const Given& given) {
  const std::string kind = given.text("kind");
  const std::string group = given.text("group");
  const std::string version = given.text("version");
  const Api* found = nullptr;
  std::string known;
  for (const Api& api : project.apis) {
    known += (known.empty() ? "" : ", ") + api.to_string();
    const bool group_fits = group.empty() || group == api.group || group + "." + project.domain == api.group ||
                            (group == "core" && api.group.empty());
    if (api.kind != kind || !group_fits || (!version.empty() && api.version != version)) continue;
    if (found != nullptr) {
      throw UsageError("there is more than one version of " + kind + "; say which with --version " + found->version +
                       " or --version " + api.version);
    }
    found = &api;
  }
  if (found != nullptr) return *found;
  throw Error("this project has no " + kind + (version.empty() ? "" : " of version " + version) +
              (known.empty() ? "; it has no kinds at all" : "; it has " + known));
}

}  // namespace flyball::cli
