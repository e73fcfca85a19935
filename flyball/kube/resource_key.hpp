// Which kind, which resource, which object.
//
//   GroupVersionKind kind{"apps", "v1", "Deployment"};
//   kind.api_version();                                  // "apps/v1", as it stands in a manifest
//   GroupVersionKind::parse("apps/v1", "Deployment") == kind;
//   ObjectKey key{"default", "web"};
//   key.to_string();                                     // "default/web"; "web" for what has no namespace
//
// All of them compare, sort and hash, so they serve as keys of maps. Thread-safety: values.
#pragma once

#include <compare>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace flyball::kube {

struct GroupVersion {
  std::string group = {};  // empty for the core group
  std::string version = {};

  // "apps/v1", "v1". Throws InputError when there is more than one slash.
  static GroupVersion parse(std::string_view api_version);
  std::string to_string() const;

  friend auto operator<=>(const GroupVersion&, const GroupVersion&) = default;
};

struct GroupVersionKind {
  std::string group = {};
  std::string version = {};
  std::string kind = {};

  static GroupVersionKind parse(std::string_view api_version, std::string_view kind);
  std::string api_version() const { return GroupVersion{group, version}.to_string(); }
  std::string to_string() const;  // "apps/v1, Kind=Deployment"

  friend auto operator<=>(const GroupVersionKind&, const GroupVersionKind&) = default;
};

struct GroupVersionResource {
  std::string group = {};
  std::string version = {};
  std::string resource = {};  // the plural: "deployments"

  static GroupVersionResource parse(std::string_view api_version, std::string_view resource);
  std::string api_version() const { return GroupVersion{group, version}.to_string(); }
  std::string to_string() const;  // "apps/v1, Resource=deployments"
  // Where the API server keeps them: "/api/v1/pods", "/apis/apps/v1/namespaces/default/deployments".
  std::string path(std::string_view in_namespace = {}) const;

  friend auto operator<=>(const GroupVersionResource&, const GroupVersionResource&) = default;
};

struct ObjectKey {
  std::string namespace_ = {};  // empty for what has none
  std::string name = {};

  // "default/web" or "web". Throws InputError when there is more than one slash or no name.
  static ObjectKey parse(std::string_view text);
  std::string to_string() const;

  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

namespace detail {

inline std::size_t hash_words(std::initializer_list<std::string_view> words) {
  std::size_t hash = 0;
  for (const std::string_view word : words) hash = hash * 0x9E3779B97F4A7C15U + std::hash<std::string_view>()(word) + 1;
  return hash;
}

}  // namespace detail

}  // namespace flyball::kube

template <>
struct std::hash<flyball::kube::GroupVersion> {
  std::size_t operator()(const flyball::kube::GroupVersion& key) const {
    return flyball::kube::detail::hash_words({key.group, key.version});
  }
};

template <>
struct std::hash<flyball::kube::GroupVersionKind> {
  std::size_t operator()(const flyball::kube::GroupVersionKind& key) const {
    return flyball::kube::detail::hash_words({key.group, key.version, key.kind});
  }
};

template <>
struct std::hash<flyball::kube::GroupVersionResource> {
  std::size_t operator()(const flyball::kube::GroupVersionResource& key) const {
    return flyball::kube::detail::hash_words({key.group, key.version, key.resource});
  }
};

template <>
struct std::hash<flyball::kube::ObjectKey> {
  std::size_t operator()(const flyball::kube::ObjectKey& key) const {
    return flyball::kube::detail::hash_words({key.namespace_, key.name});
  }
};
