#include "flyball/apiserver/openapi/components.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "flyball/json/builder.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::apiserver::openapi {
namespace {

using reflect::Shape;
using reflect::Type;

constexpr std::string_view kMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.";

json::Value reference(const std::string& name) { return json::object({{"$ref", "#/components/schemas/" + name}}); }

json::Value plain(std::string_view type, std::string_view format = {}) {
  if (format.empty()) return json::object({{"type", type}});
  return json::object({{"type", type}, {"format", format}});
}

// The scalars that have a name of their own upstream.
struct Known {
  std::string_view scalar;
  std::string_view name;
  std::string_view schema;
};
constexpr std::array<Known, 5> kKnown{{
    {"Quantity", "io.k8s.apimachinery.pkg.api.resource.Quantity", R"({"oneOf":[{"type":"string"},{"type":"number"}]})"},
    {"IntOrString", "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
     R"({"format":"int-or-string","oneOf":[{"type":"integer"},{"type":"string"}]})"},
    {"Time", "io.k8s.apimachinery.pkg.apis.meta.v1.Time", R"({"type":"string","format":"date-time"})"},
    {"MicroTime", "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", R"({"type":"string","format":"date-time"})"},
    {"Duration", "io.k8s.apimachinery.pkg.apis.meta.v1.Duration", R"({"type":"string"})"},
}};

std::string_view text_of(reflect::ListType list) {
  switch (list) {
    case reflect::ListType::atomic: return "atomic";
    case reflect::ListType::set: return "set";
    case reflect::ListType::map: return "map";
    default: return {};
  }
}

std::string patch_strategy(const reflect::FieldFacts& facts) {
  std::string text;
  const auto add = [&](bool yes, std::string_view word) {
    if (!yes) return;
    if (!text.empty()) text += ",";
    text += word;
  };
  add(facts.patch_merge, "merge");
  add(facts.patch_replace, "replace");
  add(facts.patch_retain_keys, "retainKeys");
  return text;
}

void add_facts(json::Draft::Node to, const reflect::FieldFacts& facts) {
  if (!facts.default_json.empty()) to.set("default", json::parse(facts.default_json));
  if (facts.closed && !facts.known_values.empty()) {
    std::vector<std::string_view> values(facts.known_values.begin(), facts.known_values.end());
    std::ranges::sort(values);
    // Of a list or a map, what stands in it.
    auto inside = to["items"] ? to["items"] : to["additionalProperties"];
    auto list = (inside ? inside : to).ensure_array("enum");
    for (const std::string_view value : values) list.append(value);
  }
  if (!facts.list_keys.empty()) {
    auto keys = to.ensure_array("x-kubernetes-list-map-keys");
    for (const std::string_view key : facts.list_keys) keys.append(key);
  }
  if (const std::string_view list = text_of(facts.list); !list.empty()) to.set("x-kubernetes-list-type", list);
  if (facts.map != reflect::MapType::none) {
    to.set("x-kubernetes-map-type", facts.map == reflect::MapType::atomic ? "atomic" : "granular");
  }
  if (!facts.merge_key.empty()) to.set("x-kubernetes-patch-merge-key", facts.merge_key);
  if (const std::string strategy = patch_strategy(facts); !strategy.empty()) {
    to.set("x-kubernetes-patch-strategy", strategy);
  }
}

// Fields of which at most one is set, and what the field that says which says then.
json::Value unions_of(const Type& type) {
  json::Builder to;
  to.begin_array();
  for (const reflect::Union& each : type.unions) {
    to.begin_object();
    if (!each.discriminator.empty()) to.key("discriminator").string(each.discriminator);
    to.key("fields-to-discriminateBy").begin_object();
    for (const std::string_view member : each.members) {
      const std::size_t equals = member.find('=');
      to.key(member.substr(0, equals)).string(member.substr(equals + 1));
    }
    to.end().end();
  }
  to.end();
  return to.finish();
}

json::Value group_version_kind(const reflect::KindInfo& kind) {
  return json::array({json::object({{"group", kind.group}, {"kind", kind.kind}, {"version", kind.version}})});
}

}  // namespace

std::string component_name(const Type& type) {
  std::string name(type.proto != nullptr ? type.proto->name : type.name);
  if (type.proto == nullptr) return std::string(kMeta) + name;
  constexpr std::string_view kHost = "k8s.io.";
  if (name.starts_with(kHost)) name = "io.k8s." + name.substr(kHost.size());
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string component_name(const std::string& group, const std::string& version, const std::string& kind) {
  std::string name;
  for (std::size_t end = group.size(); end != std::string::npos && end != 0;) {
    const std::size_t dot = group.rfind('.', end - 1);
    const std::size_t begin = dot == std::string::npos ? 0 : dot + 1;
    name += group.substr(begin, end - begin) + ".";
    end = dot;
  }
  return name + version + "." + kind;
}

json::Value Components::ref(const Type& type) {
  const std::string name = component_name(type);
  if (schemas_.try_emplace(name).second) waiting_.emplace_back(name, &type);
  return reference(name);
}

json::Value Components::ref(const std::string& name, json::Value schema) {
  schemas_.insert_or_assign(name, std::move(schema));
  return reference(name);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as a type is nested; structures refer to each other by name
json::Value Components::of(const Type& type) {
  switch (type.shape) {
    case Shape::boolean: return plain("boolean");
    case Shape::int32:
    case Shape::uint32: return plain("integer", "int32");
    case Shape::int64:
    case Shape::uint64: return plain("integer", "int64");
    case Shape::float32: return plain("number", "float");
    case Shape::float64: return plain("number", "double");
    case Shape::optional:
    case Shape::wrapped: return of(type.element());
    case Shape::list: return json::object({{"type", "array"}, {"items", of_item(type.element())}});
    case Shape::map: return json::object({{"type", "object"}, {"additionalProperties", of(type.element())}});
    case Shape::structure: return ref(type);
    case Shape::json: return plain("object");
    case Shape::scalar: break;
    default: return plain("string");
  }
  const auto known = std::ranges::find(kKnown, type.name, &Known::scalar);
  if (known != kKnown.end()) return ref(std::string(known->name), json::parse(known->schema));
  return type.schema.empty() ? plain("string") : json::parse(type.schema);
}

// NOLINTNEXTLINE(misc-no-recursion): as of()
json::Value Components::of_item(const Type& type) {
  const json::Value schema = of(type);
  return type.shape == Shape::structure ? json::object({{"allOf", json::array({schema})}}) : schema;
}

json::Value Components::of_field(const reflect::Field& field) {
  const json::Value plain_schema = of(field.type());
  json::Draft draft(plain_schema);
  if (plain_schema["$ref"]) {
    draft = json::Draft();
    draft.root().ensure_array("allOf").append(plain_schema);
  }
  if (field.facts != nullptr) add_facts(draft.root(), *field.facts);
  return draft.build();
}

// NOLINTNEXTLINE(misc-no-recursion): one level for what is inlined
void Components::add_properties(const Type& type, std::map<std::string, json::Value>& properties,
                                std::vector<std::string>& required) {
  for (const reflect::Field& field : type.fields) {
    if (field.inlined) {
      add_properties(field.type(), properties, required);
      continue;
    }
    properties[std::string(field.name)] = of_field(field);
    if (field.required) required.emplace_back(field.name);
  }
}

json::Value Components::of_structure(const Type& type) {
  std::map<std::string, json::Value> properties;
  std::vector<std::string> required;
  add_properties(type, properties, required);
  if (type.kind != nullptr) {
    properties["apiVersion"] = plain("string");
    properties["kind"] = plain("string");
  }
  json::Builder to;
  to.begin_object().key("type").string("object");
  std::ranges::sort(required);
  if (!required.empty()) {
    to.key("required").begin_array();
    for (const std::string& name : required) to.string(name);
    to.end();
  }
  if (!properties.empty()) {
    to.key("properties").begin_object();
    for (const auto& [name, schema] : properties) to.key(name).value(schema);
    to.end();
  }
  if (type.atomic) to.key("x-kubernetes-map-type").string("atomic");
  if (!type.unions.empty()) to.key("x-kubernetes-unions").value(unions_of(type));
  if (type.kind != nullptr && !type.kind->kind.empty() && !type.kind->any_group) {
    to.key("x-kubernetes-group-version-kind").value(group_version_kind(*type.kind));
  }
  to.end();
  return to.finish();
}

json::Value Components::build() {
  while (!waiting_.empty()) {
    const auto [name, type] = waiting_.back();
    waiting_.pop_back();
    json::Value schema = of_structure(*type);
    schemas_.insert_or_assign(name, std::move(schema));
  }
  json::Builder to;
  to.begin_object();
  for (const auto& [name, schema] : schemas_) to.key(name).value(schema);
  to.end();
  return to.finish();
}

}  // namespace flyball::apiserver::openapi
