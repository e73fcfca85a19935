#include "flyball/client/resource.hpp"

#include <algorithm>

#include "flyball/base/error.hpp"
#include "flyball/net/url.hpp"

namespace flyball::client {
namespace {

// What would change the path: the server refuses other wrong names with better words than ours.
void check_word(std::string_view what, std::string_view word) {
  if (word != "." && word != ".." && word.find('/') == std::string_view::npos) return;
  throw InputError({}, std::string(what), "\"" + std::string(word) + "\" cannot be part of a path");
}

bool has_status(const reflect::Type& type) {
  if (type.proto == nullptr) {
    return std::ranges::any_of(type.fields, [](const reflect::Field& field) { return field.name == "status"; });
  }
  return std::ranges::any_of(type.kind->subresources, [](const auto& sub) { return sub.name == "status"; });
}

}  // namespace

std::string Resource::path(std::string_view in_namespace) const {
  if (in_namespace.empty()) return resource().path();
  if (!namespaced) {
    throw InputError({}, "namespace",
                     kind.kind + " objects have no namespace, but \"" + std::string(in_namespace) + "\" was given");
  }
  check_word("namespace", in_namespace);
  return resource().path(in_namespace);
}

std::string Resource::path(const ObjectKey& key, std::string_view subresource) const {
  if (key.name.empty()) {
    throw InputError({}, "name",
                     "the key of a " + kind.kind +
                         " needs a name: {\"namespace\", \"name\"}, or {.name = "
                         "\"name\"} where the namespace is known or there is none");
  }
  if (namespaced && key.namespace_.empty()) {
    throw InputError({}, "namespace", describe(key) + " lives in a namespace, and none was given");
  }
  check_word("name", key.name);
  std::string path = this->path(std::string_view(key.namespace_)) + "/" + net::percent_encode(key.name);
  if (!subresource.empty()) path += "/" + net::percent_encode(subresource, "/");
  return path;
}

std::string Resource::describe(const ObjectKey& key) const {
  return kind.api_version() + " " + kind.kind + " \"" + key.to_string() + "\"";
}

Resource resource_of(const reflect::Type& type) {
  if (type.kind == nullptr || type.kind->plural.empty()) {
    throw Error(std::string(type.name) + " is not served as a resource of its own: there is no path to send it to");
  }
  const reflect::KindInfo& info = *type.kind;
  return {.kind = {std::string(info.group), std::string(info.version), std::string(info.kind)},
          .plural = std::string(info.plural),
          .namespaced = info.namespaced,
          .status = has_status(type),
          .protobuf = type.proto != nullptr};
}

}  // namespace flyball::client
