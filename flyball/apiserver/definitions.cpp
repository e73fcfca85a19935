#include "flyball/apiserver/definitions.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "flyball/apiserver/after_write.hpp"
#include "flyball/apiserver/custom_table.hpp"
#include "flyball/apiserver/managed_fields.hpp"
#include "flyball/apiserver/object.hpp"
#include "flyball/apiserver/schema/custom_kind.hpp"
#include "flyball/apiserver/schema/definition_status.hpp"
#include "flyball/apiserver/writes.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/net/digest.hpp"

namespace flyball::apiserver {
namespace {

// What discovery shows, so that clients see when the stored version changes.
std::string storage_hash(std::string_view what) {
  constexpr std::size_t kShown = 8;
  return kube::to_base64(net::sha256(what).substr(0, kShown));
}

constexpr std::string_view kCleanup = "customresourcecleanup.apiextensions.k8s.io";
constexpr std::string_view kGroup = "apiextensions.k8s.io";
constexpr int kTries = 100;

// Requests that the server makes of itself.
struct OwnCall {
  OwnCall(World& world, std::string method, std::string target, ResourcePointer resource)
      : request{.method = std::move(method), .target = std::move(target)},
        call(request, {.common_name = "system:apiserver", .organizations = {"system:masters"}}),
        context{.world = world, .call = call, .resource = std::move(resource)} {}
  net::Request request;
  Call call;
  Context context;
};

ResourcePointer definitions(const World& world) {
  return world.registry.find(kGroup, "v1", "customresourcedefinitions");
}

std::vector<std::string> verbs_of_custom() {
  return {"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"};
}

ResourcePointer resource_of(std::shared_ptr<const CustomKind> kind) {
  auto resource = std::make_shared<Resource>();
  const KindNames& names = kind->names();
  resource->group = kind->group();
  resource->version = kind->version();
  resource->kind = names.kind;
  resource->plural = names.plural;
  resource->singular = names.singular;
  resource->list_kind = names.list_kind;
  resource->namespaced = kind->namespaced();
  resource->short_names = names.short_names;
  resource->categories = names.categories;
  resource->verbs = verbs_of_custom();
  resource->shelf = GroupName{kind->group(), names.plural}.text();
  resource->storage_version = kind->storage_version();
  resource->storage_hash = storage_hash(kind->group() + "/" + kind->storage_version() + "/" + names.kind);
  resource->selectable = kind->selectable_fields();
  resource->traits.name = kube::names::dns1123_subdomain;
  resource->traits.generation = true;
  resource->traits.unconditional_update = false;
  if (kind->has_status()) {
    resource->subresources.push_back({.name = "status", .kind = names.kind, .verbs = {"get", "patch", "update"}});
  }
  if (kind->scale()) {
    resource->subresources.push_back({.name = "scale",
                                      .group = "autoscaling",
                                      .version = "v1",
                                      .kind = "Scale",
                                      .verbs = {"get", "patch", "update"}});
  }
  resource->custom_table = std::make_shared<CustomTable>(kind);
  resource->custom = std::move(kind);
  return resource;
}

void serve(World& world, const json::Value& definition) {
  const std::string group(definition["spec"]["group"].string_or({}));
  const std::string plural(definition["spec"]["names"]["plural"].string_or({}));
  std::vector<ResourcePointer> versions;
  if (is_condition_true(definition["status"], "Established")) {
    for (std::shared_ptr<const CustomKind>& kind : CustomKind::compile(definition)) {
      versions.push_back(resource_of(std::move(kind)));
    }
    std::ranges::sort(versions, [](const ResourcePointer& a, const ResourcePointer& b) {
      return compare_kube_versions(a->version, b->version) > 0;
    });
  }
  world.registry.serve(group, plural, std::move(versions));
}

std::vector<json::Value> others_of(const World& world, const json::Value& definition) {
  std::vector<json::Value> others;
  for (const auto& [key, stored] : world.store.list(std::string(kDefinitionShelf)).items) {
    json::Value one = json::parse(*stored.bytes);
    if (one["metadata"]["name"] == definition["metadata"]["name"]) continue;
    if (one["spec"]["group"] == definition["spec"]["group"]) others.push_back(std::move(one));
  }
  return others;
}

// What upstream's controllers make of it, in one write; the definition as it is then.
std::optional<json::Value> settle(World& world, const std::string& name) {
  OwnCall own(world, "PUT", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + name, definitions(world));
  for (int tries = 0; tries < kTries; ++tries) {
    const auto stored = world.store.find({std::string(kDefinitionShelf), name});
    if (!stored) return std::nullopt;
    json::Value definition = json::parse(*stored->bytes);
    const std::vector<json::Value> others = others_of(world, definition);
    const std::vector<json::View> views(others.begin(), others.end());
    const json::Value status = settled_definition_status(definition, views, own.context.now());
    if (definition["status"] == status) return definition;
    json::Draft draft(definition);
    draft.root().set("status", status);
    Object next = Object::from(own.context.resource, draft.build());
    const Object live = Object::from(own.context.resource, definition);
    track_write(own.context, next, &live, {.manager = "kube-apiserver"}, "status");
    try {
      world.store.put({std::string(kDefinitionShelf), name}, stored->revision, [&](Revision revision) {
        next.metadata().resourceVersion = std::to_string(revision);
        return next.text();
      });
      return next.value();
    } catch (const Outdated&) {
      continue;
    }
  }
  return std::nullopt;
}

bool is_deleting(const json::Value& definition) { return definition["metadata"]["deletionTimestamp"].exists(); }

bool waits_for_objects(const json::Value& definition) {
  for (const json::View one : definition["metadata"]["finalizers"].items()) {
    if (one.string_or({}) == kCleanup) return true;
  }
  return false;
}

void delete_objects(World& world, const ResourcePointer& resource) {
  for (const auto& [key, stored] : world.store.list(resource->shelf).items) {
    const json::Value object = json::parse(*stored.bytes);
    const std::string_view space = object["metadata"]["namespace"].string_or({});
    std::string target = "/apis/" + resource->group + "/" + resource->version;
    if (!space.empty()) target += "/namespaces/" + std::string(space);
    target += "/" + resource->plural + "/" + std::string(object["metadata"]["name"].as_string());
    OwnCall own(world, "DELETE", std::move(target), resource);
    try {
      remove(own.context);
    } catch (const Refusal& refusal) {
      if (!refusal.is_not_found()) throw;
    }
  }
}

// Its objects are gone: so may the definition be.
void release(World& world, const std::string& name) {
  OwnCall own(world, "PUT", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + name, definitions(world));
  for (int tries = 0; tries < kTries; ++tries) {
    const auto stored = world.store.find({std::string(kDefinitionShelf), name});
    if (!stored) return;
    Object next = Object::parse(own.context.resource, *stored->bytes);
    std::erase(next.metadata().finalizers, kCleanup);
    try {
      if (next.metadata().finalizers.empty()) {
        world.store.erase({std::string(kDefinitionShelf), name}, stored->revision, [&](Revision revision) {
          next.metadata().resourceVersion = std::to_string(revision);
          return next.text();
        });
        definition_gone(world, name);
      } else {
        replace_object(own.context, next, stored->revision);
      }
      return;
    } catch (const Outdated&) {
      continue;
    }
  }
}

void end_definition(World& world, const std::string& name, const json::Value& definition) {
  if (!waits_for_objects(definition)) return;
  const std::string group(definition["spec"]["group"].string_or({}));
  const std::string plural(definition["spec"]["names"]["plural"].string_or({}));
  const ResourcePointer resource = world.registry.find_any(group, plural);
  if (resource != nullptr) {
    delete_objects(world, resource);
    if (world.store.count(resource->shelf) > 0) return;
  }
  release(world, name);
}

}  // namespace

bool begin_definition_end(Context& context, Object& object) {
  ObjectMeta& metadata = object.metadata();
  if (metadata.deletionTimestamp) return false;
  const json::Value value = object.value();
  json::Draft draft(value);
  draft.root().set("status", with_condition(value["status"], terminating_started(), context.now()));
  Object next = Object::from(object.resource_pointer(), draft.build());
  object = std::move(next);
  object.metadata().deletionTimestamp = context.now();
  object.metadata().finalizers.emplace_back(kCleanup);
  return true;
}

void definition_written(World& world, const std::string& name) {
  const auto settled = settle(world, name);
  if (!settled) return;
  serve(world, *settled);
  if (is_deleting(*settled)) end_definition(world, name, *settled);
}

void definition_gone(World& world, const std::string& name) {
  const std::size_t dot = name.find('.');
  world.registry.serve(name.substr(dot + 1), name.substr(0, dot), {});
  // Names it held may now go to others.
  for (const auto& [other, stored] : world.store.list(std::string(kDefinitionShelf)).items) {
    if (other.ends_with(name.substr(dot))) definition_written(world, other);
  }
}

void instance_gone(World& world, const Resource& resource) {
  const std::string name = resource.plural + "." + resource.group;
  const auto stored = world.store.find({std::string(kDefinitionShelf), name});
  if (!stored || world.store.count(resource.shelf) > 0) return;
  const json::Value definition = json::parse(*stored->bytes);
  if (is_deleting(definition)) end_definition(world, name, definition);
}

void serve_definitions(World& world) {
  for (const auto& [name, stored] : world.store.list(std::string(kDefinitionShelf)).items) {
    serve(world, json::parse(*stored.bytes));
  }
}

}  // namespace flyball::apiserver
