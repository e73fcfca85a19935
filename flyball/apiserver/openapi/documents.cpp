#include "flyball/apiserver/openapi/documents.hpp"

#include <array>
#include <string>
#include <string_view>

#include "flyball/apiserver/openapi/paths.hpp"
#include "flyball/apiserver/schema/custom_kind.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/write.hpp"
#include "flyball/net/digest.hpp"

namespace flyball::apiserver {
namespace {

std::string path_of(const GroupVersion& one) {
  return one.group.empty() ? "api/" + one.version : "apis/" + one.group + "/" + one.version;
}

// Another text when the document is another: clients keep what they have read under it.
std::string hash_of(const World& world, const GroupVersion& one) {
  std::string text = world.options.version + " " + path_of(one);
  for (const ResourcePointer& resource : one.resources) {
    if (!resource->is_custom()) continue;
    text += " " + resource->plural + " " + resource->kind + " " + json::write(resource->custom->schema_text());
  }
  std::string hex;
  for (const char byte : net::sha256(text)) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    hex += kDigits[static_cast<unsigned char>(byte) >> 4U];
    hex += kDigits[static_cast<unsigned char>(byte) & 15U];
  }
  return hex;
}

net::Response page(const json::Value& value) {
  return {.headers = {{"Content-Type", "application/json"}}, .body = json::write(value)};
}

net::Response index(const World& world) {
  json::Builder to;
  to.begin_object().key("paths").begin_object();
  for (const GroupVersion& one : world.registry.group_versions()) {
    const std::string path = path_of(one);
    to.key(path).begin_object().key("serverRelativeURL");
    to.string("/openapi/v3/" + path + "?hash=" + hash_of(world, one)).end();
  }
  to.end().end();
  return page(to.finish());
}

net::Response document(const World& world, const GroupVersion& one) {
  openapi::Components components;
  openapi::Paths paths;
  for (const ResourcePointer& resource : one.resources) openapi::add_paths(*resource, components, paths);
  json::Builder to;
  to.begin_object().key("openapi").string("3.0.0");
  const std::string version = world.options.version.substr(1);
  to.key("info")
      .begin_object()
      .key("title")
      .string("Kubernetes")
      .key("version")
      .string(version.substr(0, version.rfind('.')))
      .end();
  to.key("paths").begin_object();
  for (const auto& [path, operations] : paths) to.key(path).value(operations);
  to.end();
  to.key("components").begin_object().key("schemas").value(components.build()).end();
  to.end();
  return page(to.finish());
}

}  // namespace

std::optional<net::Response> answer_openapi(World& world, const Call& call) {
  constexpr std::string_view kBase = "/openapi/v3";
  if (!call.path.starts_with(kBase)) return std::nullopt;
  const std::string_view rest = std::string_view(call.path).substr(kBase.size());
  if (rest.empty() || rest == "/") return index(world);
  for (const GroupVersion& one : world.registry.group_versions()) {
    if (rest.substr(1) == path_of(one)) return document(world, one);
  }
  return std::nullopt;
}

}  // namespace flyball::apiserver
