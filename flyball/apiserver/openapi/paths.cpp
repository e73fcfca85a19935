#include "flyball/apiserver/openapi/paths.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/apiserver/schema/custom_kind.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/kube/kinds.hpp"
#include "flyball/kube/meta/v1.hpp"

namespace flyball::apiserver::openapi {
namespace {

namespace meta = kube::meta::v1;

constexpr std::array<std::string_view, 4> kPatches{"application/apply-patch+yaml", "application/json-patch+json",
                                                   "application/merge-patch+json",
                                                   "application/strategic-merge-patch+json"};

struct Parameter {
  std::string_view name;
  std::string_view type = "string";
};
constexpr std::array kOfWrites{Parameter{"dryRun"}, Parameter{"fieldManager"}, Parameter{"fieldValidation"}};
constexpr std::array kOfPatches{Parameter{"dryRun"}, Parameter{"fieldManager"}, Parameter{"fieldValidation"},
                                Parameter{"force", "boolean"}};
constexpr std::array kOfDeletes{Parameter{"dryRun"}, Parameter{"gracePeriodSeconds", "integer"},
                                Parameter{"orphanDependents", "boolean"}, Parameter{"propagationPolicy"}};
constexpr std::array kOfLists{Parameter{"allowWatchBookmarks", "boolean"},
                              Parameter{"continue"},
                              Parameter{"fieldSelector"},
                              Parameter{"labelSelector"},
                              Parameter{"limit", "integer"},
                              Parameter{"resourceVersion"},
                              Parameter{"resourceVersionMatch"},
                              Parameter{"sendInitialEvents", "boolean"},
                              Parameter{"timeoutSeconds", "integer"},
                              Parameter{"watch", "boolean"}};

json::Value parameter(const Parameter& one, std::string_view in) {
  const json::Value schema = json::object({{"type", one.type}, {"uniqueItems", true}});
  if (in == "path") return json::object({{"name", one.name}, {"in", in}, {"required", true}, {"schema", schema}});
  return json::object({{"name", one.name}, {"in", in}, {"schema", schema}});
}

json::Value content(const std::vector<std::string_view>& types, const json::Value& schema) {
  json::Draft draft;
  for (const std::string_view type : types) draft.root().ensure_object(type).set("schema", schema);
  return draft.build();
}

// One method of a path.
class Operation {
 public:
  Operation(std::string_view action, std::string_view id, const GroupName& group_kind, std::string_view version) {
    auto root = draft_.root();
    root.set("operationId", id);
    root.set("x-kubernetes-action", action);
    root.set("x-kubernetes-group-version-kind",
             json::object({{"group", group_kind.group}, {"kind", group_kind.name}, {"version", version}}));
  }
  template <std::size_t N>
  Operation& with(const std::array<Parameter, N>& parameters) {
    auto list = draft_.root().ensure_array("parameters");
    for (const Parameter& one : parameters) list.append(parameter(one, "query"));
    return *this;
  }
  Operation& takes(const json::Value& schema, const std::vector<std::string_view>& types = {"*/*"}) {
    auto body = draft_.root().ensure_object("requestBody");
    body.set("content", content(types, schema));
    body.set("required", true);
    return *this;
  }
  Operation& gives(const json::Value& schema, std::string_view status = "200") {
    draft_.root()
        .ensure_object("responses")
        .set(status, json::object({{"description", status == "201" ? "Created" : "OK"},
                                   {"content", content({"application/json", "application/yaml"}, schema)}}));
    return *this;
  }
  json::Value build() { return draft_.build(); }

 private:
  json::Draft draft_;
};

// "createAppsV1NamespacedDeployment"
std::string operation_id(std::string_view verb, const Resource& resource, std::string_view more = {}) {
  std::string group = resource.group.empty() ? "core" : resource.group.substr(0, resource.group.find('.'));
  group[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(group[0])));
  std::string version = resource.version;
  version[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(version[0])));
  return std::string(verb) + group + version + (resource.namespaced ? "Namespaced" : "") + resource.kind +
         std::string(more);
}

class Maker {
 public:
  Maker(const Resource& resource, Components& components, Paths& paths)
      : resource_(resource), components_(components), paths_(paths) {
    base_ = resource.group.empty() ? "/api/" + resource.version : "/apis/" + resource.group + "/" + resource.version;
    if (resource.is_custom()) {
      object_ = custom_object();
      list_ = custom_list();
    } else {
      object_ = components.ref(*resource.type);
      const reflect::Type* list = kube::find_kind(resource.api_version(), resource.list_kind);
      list_ = list != nullptr ? components.ref(*list) : object_;
    }
  }

  void add() {
    const std::string all = base_ + "/" + resource_.plural;
    const std::string collection = resource_.namespaced ? base_ + "/namespaces/{namespace}/" + resource_.plural : all;
    if (resource_.namespaced && resource_.serves("list")) {
      add_list(all, operation_id("list", resource_, "ForAllNamespaces"), false);
    }
    add_collection(collection);
    add_item(collection + "/{name}");
    for (const ServedSubresource& sub : resource_.subresources)
      add_subresource(collection + "/{name}/" + sub.name, sub);
  }

 private:
  json::Value custom_object() {
    json::Draft draft(json::Value(resource_.custom->schema_text()));
    auto properties = draft.root().ensure_object("properties");
    properties.set("apiVersion", json::object({{"type", "string"}}));
    properties.set("kind", json::object({{"type", "string"}}));
    json::Draft metadata;
    metadata.root().ensure_array("allOf").append(components_.ref(reflect::type_of<meta::ObjectMeta>()));
    properties.set("metadata", metadata.build());
    return named(resource_.kind, draft);
  }
  json::Value custom_list() {
    json::Draft draft(json::object({{"type", "object"}, {"required", json::array({"items"})}}));
    auto properties = draft.root().ensure_object("properties");
    properties.set("apiVersion", json::object({{"type", "string"}}));
    properties.set("items", json::object({{"type", "array"}, {"items", object_}}));
    properties.set("kind", json::object({{"type", "string"}}));
    json::Draft metadata;
    metadata.root().ensure_array("allOf").append(components_.ref(reflect::type_of<meta::ListMeta>()));
    properties.set("metadata", metadata.build());
    return named(resource_.list_kind, draft);
  }
  json::Value named(const std::string& kind, json::Draft& draft) {
    draft.root().set(
        "x-kubernetes-group-version-kind",
        json::array({json::object({{"group", resource_.group}, {"kind", kind}, {"version", resource_.version}})}));
    return components_.ref(component_name(resource_.group, resource_.version, kind), draft.build());
  }

  void put(const std::string& path, std::string_view method, Operation& operation) {
    json::Draft draft(paths_.contains(path) ? paths_[path] : json::object());
    draft.root().set(method, operation.build());
    paths_[path] = draft.build();
  }
  // What the path itself has in it.
  void finish(const std::string& path) {
    if (!paths_.contains(path)) return;
    json::Draft draft(paths_[path]);
    auto list = draft.root().ensure_array("parameters");
    if (path.find("{name}") != std::string::npos) list.append(parameter({"name"}, "path"));
    if (path.find("{namespace}") != std::string::npos) list.append(parameter({"namespace"}, "path"));
    list.append(parameter({"pretty"}, "query"));
    paths_[path] = draft.build();
  }
  Operation begin(std::string_view action, const std::string& id) const {
    return {action, id, resource_.group_kind(), resource_.version};
  }

  void add_list(const std::string& path, const std::string& id, bool more) {
    Operation list = begin("list", id);
    put(path, "get", list.with(kOfLists).gives(list_));
    if (!more) finish(path);
  }
  void add_collection(const std::string& path) {
    if (resource_.serves("list")) add_list(path, operation_id("list", resource_), true);
    if (resource_.serves("create")) {
      Operation create = begin("post", operation_id("create", resource_));
      put(path, "post", create.with(kOfWrites).takes(object_).gives(object_).gives(object_, "201"));
    }
    if (resource_.serves("deletecollection")) {
      Operation remove = begin("deletecollection", operation_id("deletecollection", resource_));
      put(path, "delete", remove.with(kOfDeletes).gives(components_.ref(reflect::type_of<meta::Status>())));
    }
    finish(path);
  }
  void add_item(const std::string& path) {
    if (resource_.serves("get")) {
      Operation get = begin("get", operation_id("read", resource_));
      put(path, "get", get.gives(object_));
    }
    if (resource_.serves("update")) {
      Operation update = begin("put", operation_id("replace", resource_));
      put(path, "put", update.with(kOfWrites).takes(object_).gives(object_));
    }
    if (resource_.serves("patch")) {
      Operation patch = begin("patch", operation_id("patch", resource_));
      put(path, "patch", patch.with(kOfPatches).takes(patch_body(), patch_types()).gives(object_));
    }
    if (resource_.serves("delete")) {
      Operation remove = begin("delete", operation_id("delete", resource_));
      put(path, "delete", remove.with(kOfDeletes).gives(components_.ref(reflect::type_of<meta::Status>())));
    }
    finish(path);
  }
  void add_subresource(const std::string& path, const ServedSubresource& sub) {
    const std::string group = sub.group.empty() && sub.version.empty() ? resource_.group : sub.group;
    const std::string version = sub.version.empty() ? resource_.version : sub.version;
    std::string word = sub.name;
    word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
    const reflect::Type* kind = kube::find_kind(group.empty() ? version : group + "/" + version, sub.kind);
    const json::Value schema = kind != nullptr ? components_.ref(*kind) : object_;
    for (const std::string& verb : sub.verbs) {
      Operation operation(verb == "create"   ? "post"
                          : verb == "update" ? "put"
                                             : verb,
                          operation_id(verb == "get"      ? "read"
                                       : verb == "update" ? "replace"
                                                          : verb,
                                       resource_, word),
                          {group, sub.kind}, version);
      if (verb == "get") put(path, "get", operation.gives(schema));
      if (verb == "create") put(path, "post", operation.with(kOfWrites).takes(schema).gives(schema, "201"));
      if (verb == "update") put(path, "put", operation.with(kOfWrites).takes(schema).gives(schema));
      if (verb == "patch") {
        put(path, "patch", operation.with(kOfPatches).takes(patch_body(), patch_types()).gives(schema));
      }
    }
    finish(path);
  }
  json::Value patch_body() {
    return components_.ref(std::string("io.k8s.apimachinery.pkg.apis.meta.v1.Patch"),
                           json::object({{"type", "object"}}));
  }
  std::vector<std::string_view> patch_types() const {
    std::vector<std::string_view> types(kPatches.begin(), kPatches.end());
    if (resource_.is_custom()) types.pop_back();  // no strategic merge: it needs to know the type
    return types;
  }

  const Resource& resource_;
  Components& components_;
  Paths& paths_;
  std::string base_;
  json::Value object_;
  json::Value list_;
};

}  // namespace

void add_paths(const Resource& resource, Components& components, Paths& paths) {
  if (resource.type == nullptr && !resource.is_custom()) return;
  Maker(resource, components, paths).add();
}

}  // namespace flyball::apiserver::openapi
