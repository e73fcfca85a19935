#include "flyball/apiserver/discovery.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "flyball/apiserver/auth/token_request.hpp"
#include "flyball/apiserver/openapi/documents.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::string_view kAggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

void words(json::Builder& to, std::string_view key, const std::vector<std::string>& list) {
  if (list.empty()) return;
  to.key(key).begin_array();
  for (const std::string& one : list) to.string(one);
  to.end();
}

std::vector<std::string> sorted(std::vector<std::string> list) {
  std::ranges::sort(list);
  return list;
}

// The versions of a group, in their order.
using Group = std::pair<std::string, std::vector<GroupVersion>>;
std::vector<Group> groups_of(const Registry& registry) {
  std::vector<Group> groups;
  for (GroupVersion& version : registry.group_versions()) {
    auto found = std::ranges::find(groups, version.group, &Group::first);
    if (found == groups.end()) found = groups.insert(groups.end(), {version.group, {}});
    found->second.push_back(std::move(version));
  }
  return groups;
}

void write_version(json::Builder& to, const GroupVersion& version) {
  to.begin_object();
  to.key("groupVersion").string(version.group + "/" + version.version);
  to.key("version").string(version.version);
  to.end();
}

void write_group(json::Builder& to, const Group& group, bool typed) {
  to.begin_object();
  if (typed) {
    to.key("kind").string("APIGroup");
    to.key("apiVersion").string("v1");
  }
  to.key("name").string(group.first);
  to.key("versions").begin_array();
  for (const GroupVersion& version : group.second) write_version(to, version);
  to.end();
  to.key("preferredVersion");
  write_version(to, group.second.front());
  to.end();
}

void write_resource(json::Builder& to, const Resource& resource) {
  to.begin_object();
  to.key("name").string(resource.plural);
  to.key("singularName").string(resource.singular);
  to.key("namespaced").boolean(resource.namespaced);
  to.key("kind").string(resource.kind);
  words(to, "verbs", resource.is_custom() ? resource.verbs : sorted(resource.verbs));
  words(to, "shortNames", resource.short_names);
  words(to, "categories", resource.categories);
  if (!resource.storage_hash.empty()) to.key("storageVersionHash").string(resource.storage_hash);
  to.end();
}

void write_subresource(json::Builder& to, const Resource& resource, const ServedSubresource& sub) {
  to.begin_object();
  to.key("name").string(resource.plural + "/" + sub.name);
  to.key("singularName").string("");
  to.key("namespaced").boolean(resource.namespaced);
  if (!sub.group.empty()) to.key("group").string(sub.group);
  if (!sub.version.empty()) to.key("version").string(sub.version);
  to.key("kind").string(sub.kind);
  words(to, "verbs", sorted(sub.verbs));
  to.end();
}

json::Value resource_list(const GroupVersion& version) {
  json::Builder to;
  to.begin_object();
  to.key("kind").string("APIResourceList");
  if (!version.group.empty()) to.key("apiVersion").string("v1");
  to.key("groupVersion").string(version.group.empty() ? version.version : version.group + "/" + version.version);
  to.key("resources").begin_array();
  for (const ResourcePointer& resource : version.resources) {
    write_resource(to, *resource);
    for (const ServedSubresource& sub : resource->subresources) write_subresource(to, *resource, sub);
  }
  to.end();
  to.end();
  return to.finish();
}

void write_kind(json::Builder& to, std::string_view group, std::string_view version, std::string_view kind) {
  to.key("responseKind").begin_object();
  to.key("group").string(group);
  to.key("version").string(version);
  to.key("kind").string(kind);
  to.end();
}

void write_aggregated(json::Builder& to, const Resource& resource) {
  // Upstream fills in group and version for custom resources only.
  const bool custom = resource.is_custom();
  const std::string_view group = custom ? std::string_view(resource.group) : std::string_view();
  const std::string_view version = custom ? std::string_view(resource.version) : std::string_view();
  to.begin_object();
  to.key("resource").string(resource.plural);
  write_kind(to, group, version, resource.kind);
  to.key("scope").string(resource.namespaced ? "Namespaced" : "Cluster");
  to.key("singularResource").string(resource.singular);
  words(to, "verbs", sorted(resource.verbs));
  words(to, "shortNames", resource.short_names);
  words(to, "categories", resource.categories);
  if (!resource.subresources.empty()) {
    to.key("subresources").begin_array();
    for (const ServedSubresource& sub : resource.subresources) {
      to.begin_object();
      to.key("subresource").string(sub.name);
      const bool own = sub.group.empty() && sub.version.empty();
      write_kind(to, own ? group : sub.group, own ? version : sub.version, sub.kind);
      words(to, "verbs", sorted(sub.verbs));
      to.end();
    }
    to.end();
  }
  to.end();
}

json::Value aggregated(const std::vector<Group>& groups) {
  json::Builder to;
  to.begin_object();
  to.key("kind").string("APIGroupDiscoveryList");
  to.key("apiVersion").string("apidiscovery.k8s.io/v2");
  to.key("metadata").begin_object().end();
  to.key("items").begin_array();
  for (const Group& group : groups) {
    to.begin_object();
    to.key("metadata").begin_object();
    if (!group.first.empty()) to.key("name").string(group.first);
    to.end();
    to.key("versions").begin_array();
    for (const GroupVersion& version : group.second) {
      to.begin_object();
      to.key("version").string(version.version);
      to.key("resources").begin_array();
      for (const ResourcePointer& resource : version.resources) write_aggregated(to, *resource);
      to.end();
      to.key("freshness").string("Current");
      to.end();
    }
    to.end();
    to.end();
  }
  to.end();
  to.end();
  return to.finish();
}

// Which of its forms a root is asked for: the aggregated one, or the old one.
bool wants_aggregated(const Call& call) {
  const std::vector<AcceptClause> clauses = parse_accept(call.header("Accept"));
  for (const AcceptClause& clause : clauses) {
    if (clause.param("as") == "APIGroupDiscoveryList") {
      if (clause.param("g") == "apidiscovery.k8s.io" && clause.param("v") == "v2") return true;
      continue;
    }
    return false;
  }
  if (clauses.empty()) return false;
  throw refuse::not_acceptable("application/json, application/yaml, application/vnd.kubernetes.protobuf");
}

net::Response answer_aggregated(const Call& call, const std::vector<Group>& groups) {
  net::Response response;
  std::string body = json::write(aggregated(groups));
  const std::string tag = "\"" + std::to_string(std::hash<std::string>()(body)) + "\"";
  response.headers.set("Content-Type", std::string(kAggregated));
  response.headers.set("ETag", tag);
  response.headers.set("Vary", "Accept");
  response.headers.set("Cache-Control", "public");
  if (call.header("If-None-Match") == tag) {
    response.status = 304;
    return response;
  }
  response.body = std::move(body);
  return response;
}

net::Response plain(std::string text, int status = 200) {
  return {.status = status, .headers = {{"Content-Type", "text/plain; charset=utf-8"}}, .body = std::move(text)};
}

json::Value api_versions(const World& world) {
  const std::string address = world.options.address.empty() ? "127.0.0.1:443" : world.options.address;
  return json::object({{"kind", "APIVersions"},
                       {"versions", json::array({"v1"})},
                       {"serverAddressByClientCIDRs",
                        json::array({json::object({{"clientCIDR", "0.0.0.0/0"}, {"serverAddress", address}})})}});
}

json::Value group_list(const std::vector<Group>& groups) {
  json::Builder to;
  to.begin_object();
  to.key("kind").string("APIGroupList");
  to.key("apiVersion").string("v1");
  to.key("groups").begin_array();
  for (const Group& group : groups) write_group(to, group, false);
  to.end();
  to.end();
  return to.finish();
}

void check_get(const Call& call) {
  if (call.request->method == "GET" || call.request->method == "HEAD") return;
  throw refuse::wrong_method();
}

net::Response version(const World& world, const Call& call) {
  check_get(call);
  const std::string& git = world.options.version;
  const std::size_t dot = git.find('.');
  const std::string major = git.substr(1, dot - 1);
  const std::string minor = git.substr(dot + 1, git.find('.', dot + 1) - dot - 1);
  const json::Value value = json::object({{"major", major},
                                          {"minor", minor},
                                          {"emulationMajor", major},
                                          {"emulationMinor", minor},
                                          {"minCompatibilityMajor", major},
                                          {"minCompatibilityMinor", std::to_string(std::stoi(minor) - 1)},
                                          {"gitVersion", git},
                                          {"gitCommit", "flyball"},
                                          {"gitTreeState", "clean"},
                                          {"buildDate", "1970-01-01T00:00:00Z"},
                                          {"goVersion", "none"},
                                          {"compiler", "g++"},
                                          {"platform", "linux/amd64"}});
  return {.headers = {{"Content-Type", "application/json"}}, .body = json::write(value, {.indent = 2}) + "\n"};
}

net::Response root(const World& world) {
  json::Builder to;
  to.begin_object();
  to.key("paths").begin_array();
  to.string("/api").string("/api/v1").string("/apis");
  for (const Group& group : groups_of(world.registry)) {
    if (group.first.empty()) continue;
    to.string("/apis/" + group.first);
    for (const GroupVersion& one : group.second) to.string("/apis/" + group.first + "/" + one.version);
  }
  for (const std::string_view path : {"/healthz", "/livez", "/readyz", "/version"}) to.string(path);
  to.end();
  to.end();
  return {.headers = {{"Content-Type", "application/json"}}, .body = json::write(to.finish(), {.indent = 2}) + "\n"};
}

net::Response json_page(const json::Value& value) {
  return {.headers = {{"Content-Type", "application/json"}}, .body = json::write(value)};
}

net::Response render(const Call& call, const json::Value& value) {
  return render_value(negotiate(call, {.projections = false}), 200, value);
}

net::Response answer_group_version(const World& world, const Call& call, std::string_view group,
                                   std::string_view version) {
  for (const GroupVersion& one : world.registry.group_versions()) {
    if (one.group != group || one.version != version) continue;
    check_get(call);
    return render(call, resource_list(one));
  }
  throw refuse::no_such_path();
}

std::optional<net::Response> answer_groups(const World& world, const Call& call) {
  std::vector<Group> groups = groups_of(world.registry);
  std::erase_if(groups, [](const Group& group) { return group.first.empty(); });
  if (call.parts.size() == 1) {
    check_get(call);
    if (wants_aggregated(call)) return answer_aggregated(call, groups);
    return render(call, group_list(groups));
  }
  const auto found = std::ranges::find(groups, call.parts[1], &Group::first);
  if (found == groups.end() || call.parts.size() > 3) return std::nullopt;
  if (call.parts.size() == 3) return answer_group_version(world, call, call.parts[1], call.parts[2]);
  json::Builder to;
  write_group(to, *found, true);
  return render(call, to.finish());
}

std::optional<net::Response> answer_core(const World& world, const Call& call) {
  if (call.parts.size() > 2) return std::nullopt;
  if (call.parts.size() == 2) return answer_group_version(world, call, "", call.parts[1]);
  check_get(call);
  if (!wants_aggregated(call)) return render(call, api_versions(world));
  std::vector<Group> groups = groups_of(world.registry);
  std::erase_if(groups, [](const Group& group) { return !group.first.empty(); });
  return answer_aggregated(call, groups);
}

}  // namespace

std::optional<net::Response> answer_discovery(World& world, const Call& call) {
  if (call.parts.empty()) return root(world);
  const std::string& first = call.parts[0];
  if (first == "api") return answer_core(world, call);
  if (first == "apis") return answer_groups(world, call);
  if (call.path == "/version" || call.path == "/version/") return version(world, call);
  if (auto page = answer_openapi(world, call)) return page;
  if (call.path == "/.well-known/openid-configuration") return json_page(openid_configuration());
  if (call.path == "/openid/v1/jwks") return json_page(world.auth.tokens().keys());
  const bool health = first == "healthz" || first == "livez" || first == "readyz";
  if (health && (call.parts.size() == 1 || (call.parts.size() == 2 && call.parts[1] == "ping"))) return plain("ok");
  return std::nullopt;
}

}  // namespace flyball::apiserver
