#include "flyball/kube/resource_key.hpp"

#include <algorithm>

#include "flyball/base/error.hpp"

namespace flyball::kube {

GroupVersion GroupVersion::parse(std::string_view api_version) {
  if (api_version == "/") return {};
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {"", std::string(api_version)};
  if (slash != api_version.rfind('/')) {
    throw InputError({}, "", "unexpected GroupVersion string: " + std::string(api_version));
  }
  return {std::string(api_version.substr(0, slash)), std::string(api_version.substr(slash + 1))};
}

std::string GroupVersion::to_string() const { return group.empty() ? version : group + "/" + version; }

GroupVersionKind GroupVersionKind::parse(std::string_view api_version, std::string_view kind) {
  auto [group, version] = GroupVersion::parse(api_version);
  return {std::move(group), std::move(version), std::string(kind)};
}

std::string GroupVersionKind::to_string() const { return group + "/" + version + ", Kind=" + kind; }

GroupVersionResource GroupVersionResource::parse(std::string_view api_version, std::string_view resource) {
  auto [group, version] = GroupVersion::parse(api_version);
  return {std::move(group), std::move(version), std::string(resource)};
}

std::string GroupVersionResource::to_string() const { return group + "/" + version + ", Resource=" + resource; }

std::string GroupVersionResource::path(std::string_view in_namespace) const {
  std::string text = group.empty() ? "/api/" : "/apis/" + group + "/";
  text += version + "/";
  if (!in_namespace.empty()) text += "namespaces/" + std::string(in_namespace) + "/";
  return text + resource;
}

ObjectKey ObjectKey::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  const bool plain = slash == std::string_view::npos;
  const std::string_view name = plain ? text : text.substr(slash + 1);
  if (name.empty() || name.find('/') != std::string_view::npos) {
    throw InputError({}, "",
                     "\"" + std::string(text) +
                         "\" does not name an object: write namespace/name, or the name alone for what has no "
                         "namespace");
  }
  return {plain ? "" : std::string(text.substr(0, slash)), std::string(name)};
}

std::string ObjectKey::to_string() const { return namespace_.empty() ? name : namespace_ + "/" + name; }

}  // namespace flyball::kube
