#include "flyball/client/discovery.hpp"

#include <algorithm>

#include "flyball/client/refusal.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::client {
namespace {

constexpr const char* kAccept =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

std::vector<std::string> words(json::View list) {
  std::vector<std::string> all;
  for (const json::View word : list.items()) all.emplace_back(word.string_or(""));
  return all;
}

void append(std::vector<ServedResource>& to, std::vector<ServedResource> more) {
  std::ranges::move(more, std::back_inserter(to));
}

ServedResource read_entry(json::View entry, std::string_view group, std::string_view version) {
  ServedResource one;
  one.resource.kind = {std::string(group), std::string(version),
                       std::string(entry["responseKind"]["kind"].string_or(""))};
  one.resource.plural = entry["resource"].string_or("");
  one.resource.namespaced = entry["scope"].string_or("") == "Namespaced";
  one.singular = entry["singularResource"].string_or("");
  one.short_names = words(entry["shortNames"]);
  one.categories = words(entry["categories"]);
  one.verbs = words(entry["verbs"]);
  for (const json::View sub : entry["subresources"].items()) {
    one.subresources.emplace_back(sub["subresource"].string_or(""));
    one.resource.status |= one.subresources.back() == "status";
  }
  return one;
}

class Discoverer {
 public:
  Discoverer(Engine& engine, const Stop& stop) : engine_(engine), stop_(stop) {}

  std::vector<ServedResource> all() {
    std::vector<ServedResource> found = core();
    append(found, groups());
    return found;
  }

 private:
  json::Value ask(const std::string& target) {
    const Call call{
        .verb = "discover", .request = {.target = target, .headers = {{"Accept", kAccept}}}, .repeatable = true};
    const Answer answer = engine_.send(call, stop_);
    try {
      return json::parse(answer.response.body);
    } catch (const Error& error) {
      throw Error(answer.about + ": expected the list of what the server serves, found something else: " +
                  error.what() + ": is this the address of a Kubernetes API server?");
    }
  }

  static bool is_aggregated(const json::Value& answer) {
    return answer["kind"].string_or("") == "APIGroupDiscoveryList";
  }

  std::vector<ServedResource> core() {
    const json::Value answer = ask("/api");
    if (is_aggregated(answer)) return read_aggregated(answer);
    std::vector<ServedResource> found;
    for (const json::View version : answer["versions"].items()) {
      append(found, read_resource_list(ask("/api/" + std::string(version.string_or("")))));
    }
    return found;
  }

  std::vector<ServedResource> groups() {
    const json::Value answer = ask("/apis");
    if (is_aggregated(answer)) return read_aggregated(answer);
    std::vector<ServedResource> found;
    for (const json::View group : answer["groups"].items()) {
      const std::string_view preferred = group["preferredVersion"]["groupVersion"].string_or("");
      if (!preferred.empty()) append(found, group_version(preferred));
      for (const json::View version : group["versions"].items()) {
        const std::string_view name = version["groupVersion"].string_or("");
        if (name != preferred) append(found, group_version(name));
      }
    }
    return found;
  }

  std::vector<ServedResource> group_version(std::string_view name) {
    try {
      return read_resource_list(ask("/apis/" + std::string(name)));
    } catch (const ApiError& error) {
      // The server of an aggregated group is down, or the group has gone since: the others are still there.
      if (error.code() < 500 && !error.is_not_found()) throw;
      engine_.options().log.warn("discovery left a group out", "group", name, "error", error);
      return {};
    }
  }

  Engine& engine_;
  const Stop& stop_;
};

}  // namespace

std::vector<ServedResource> read_aggregated(json::View list) {
  std::vector<ServedResource> found;
  for (const json::View group : list["items"].items()) {
    const std::string_view name = group["metadata"]["name"].string_or("");
    for (const json::View version : group["versions"].items()) {
      for (const json::View entry : version["resources"].items()) {
        found.push_back(read_entry(entry, name, version["version"].string_or("")));
      }
    }
  }
  return found;
}

std::vector<ServedResource> read_resource_list(json::View list) {
  std::vector<ServedResource> found;
  const auto group_version = kube::GroupVersion::parse(list["groupVersion"].string_or(""));
  for (const json::View entry : list["resources"].items()) {
    const std::string_view name = entry["name"].string_or("");
    if (name.find('/') != std::string_view::npos) continue;
    ServedResource one;
    one.resource.kind = {group_version.group, group_version.version, std::string(entry["kind"].string_or(""))};
    one.resource.plural = name;
    one.resource.namespaced = entry["namespaced"].is_bool() && entry["namespaced"].as_bool();
    one.singular = entry["singularName"].string_or("");
    one.short_names = words(entry["shortNames"]);
    one.categories = words(entry["categories"]);
    one.verbs = words(entry["verbs"]);
    found.push_back(std::move(one));
  }
  for (const json::View entry : list["resources"].items()) {
    const std::string_view name = entry["name"].string_or("");
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos) continue;
    const auto owner = std::ranges::find(
        found, name.substr(0, slash), [](const ServedResource& one) { return std::string_view(one.resource.plural); });
    if (owner == found.end()) continue;
    owner->subresources.emplace_back(name.substr(slash + 1));
    owner->resource.status |= owner->subresources.back() == "status";
  }
  return found;
}

std::vector<ServedResource> discover(Engine& engine, const Stop& stop) { return Discoverer(engine, stop).all(); }

}  // namespace flyball::client
