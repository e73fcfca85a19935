// Project: a folder with a flyball.yaml, which says what the project is: its name, its domain, its kinds.
//
//   const Project project = Project::find(io);          // here or in a folder above
//   for (const Api& api : project.apis) …
//
// Errors: Error that says where a project was looked for, or what is wrong in its file and in which line.
//
// Thread-safety: a value.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.hpp"

#include "flyball/reflect/describe.hpp"

namespace flyball::cli {

// A kind in one version.
struct Api {
  std::string group = {};  // whole, as manifests have it: "cache.example.com"
  std::string version = {};
  std::string kind = {};
  std::string plural = {};     // empty: the usual one
  std::string shortName = {};  // empty: none
  bool namespaced = true;
  bool controller = true;      // the operator reconciles it
  std::string origin = "own";  // own, external or builtin
  std::string image = {};      // of a kind that runs an image
  std::int32_t port = 0;       // 0: none

  bool own() const { return origin == "own"; }
  // "cache.example.com/v1alpha1 Memcached"
  std::string to_string() const { return (group.empty() ? "" : group + "/") + version + " " + kind; }
  friend bool operator==(const Api&, const Api&) = default;
};
FLYBALL_DESCRIBE(Api, (group, "", optional), (version), (kind), (plural, "", optional), (shortName, "", optional),
                 (namespaced), (controller), (origin), (image, "", optional), (port, "", optional))

struct ProjectFile {
  std::string name = {};
  std::string domain = {};
  std::vector<std::string> features = {};  // of the manifests: network-policy, service-monitor
  std::vector<Api> apis = {};
};
FLYBALL_DESCRIBE(ProjectFile, (name), (domain), (features, "", optional), (apis, "", optional))

struct Project : ProjectFile {
  std::filesystem::path folder = {};

  static Project find(const Io& io);
  // The text of its file.
  std::string yaml() const;

  bool has_feature(std::string_view feature) const;
  // Where the operator runs in a cluster.
  std::string system_namespace() const { return name + "-system"; }
  std::filesystem::path binary() const { return folder / "build" / name; }
  // Where the sample of a kind is, from the folder of the project: config/samples/cache_v1alpha1_memcached.yaml.
  std::string sample_path(const Api& api) const;
};

inline constexpr const char* kProjectFile = "flyball.yaml";

std::string lower(std::string text);
// The plural as English mostly has it; the same that CustomResource makes.
std::string plural_of(const std::string& kind);

}  // namespace flyball::cli
