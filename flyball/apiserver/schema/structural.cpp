#include "flyball/apiserver/schema/structural.hpp"

#include <algorithm>

#include "flyball/apiserver/schema/formats.hpp"

namespace flyball::apiserver {
namespace {

bool flag(json::View source, std::string_view name) {
  const json::View value = source[name];
  return value.kind() == json::Kind::boolean && value.as_bool();
}

std::optional<double> number(json::View source, std::string_view name) {
  const json::View value = source[name];
  if (value.kind() != json::Kind::integer && value.kind() != json::Kind::number) return std::nullopt;
  return value.as_double();
}

std::optional<std::int64_t> count(json::View source, std::string_view name) {
  const json::View value = source[name];
  if (value.kind() != json::Kind::integer) return std::nullopt;
  return value.as_int();
}

std::vector<std::string_view> words(json::View list) {
  std::vector<std::string_view> found;
  for (const json::View word : list.items()) {
    if (word.is_string()) found.push_back(word.as_string());
  }
  return found;
}

class Compiler {
 public:
  SchemaNode node(json::View source) {
    SchemaNode to;
    to.source = source;
    shape(source, to);
    limits(source, to);
    children(source, to);
    extensions(source, to);
    return to;
  }

  bool has_rules() const { return has_rules_; }
  bool has_embedded() const { return has_embedded_; }

 private:
  static void shape(json::View source, SchemaNode& to) {
    to.type = source["type"].string_or("");
    to.nullable = flag(source, "nullable");
    to.int_or_string = flag(source, "x-kubernetes-int-or-string");
    to.embedded_resource = flag(source, "x-kubernetes-embedded-resource");
    to.preserve_unknown_fields = flag(source, "x-kubernetes-preserve-unknown-fields");
    const std::string_view format = source["format"].string_or("");
    if (is_checked_format(to.int_or_string ? "" : to.type, format)) {
      to.format = format;
      to.checked_format = find_format(format);
    }
    if (const json::View value = source["default"]; value.exists() && !value.is_null()) to.default_value = value;
    for (const json::View value : source["enum"].items()) to.enumeration.push_back(value);
    to.required = words(source["required"]);
  }

  static void limits(json::View source, SchemaNode& to) {
    to.minimum = number(source, "minimum");
    to.maximum = number(source, "maximum");
    to.multiple_of = number(source, "multipleOf");
    to.exclusive_minimum = flag(source, "exclusiveMinimum");
    to.exclusive_maximum = flag(source, "exclusiveMaximum");
    to.min_length = count(source, "minLength");
    to.max_length = count(source, "maxLength");
    to.min_items = count(source, "minItems");
    to.max_items = count(source, "maxItems");
    to.min_properties = count(source, "minProperties");
    to.max_properties = count(source, "maxProperties");
    to.unique_items = flag(source, "uniqueItems");
    to.pattern = source["pattern"].string_or("");
    if (to.pattern.empty()) return;
    try {
      to.regex = std::make_shared<const Regex>(to.pattern);
    } catch (const RegexError& error) {
      to.regex_error = error.what();
    }
  }

  std::unique_ptr<SchemaNode> optional_node(json::View source) {
    if (!source.is_object()) return nullptr;
    return std::make_unique<SchemaNode>(node(source));
  }

  void list(json::View source, std::vector<SchemaNode>& to) {
    for (const json::View schema : source.items()) to.push_back(node(schema));
  }

  void children(json::View source, SchemaNode& to) {
    for (const auto& [name, schema] : source["properties"].entries()) to.properties.emplace_back(name, node(schema));
    std::ranges::sort(to.properties, {}, [](const auto& property) { return property.first; });
    if (const json::View additional = source["additionalProperties"]; additional.is_object()) {
      to.additional = SchemaNode::Additional::allowed;
      to.additional_schema = optional_node(additional);
    } else if (additional.kind() == json::Kind::boolean) {
      to.additional = additional.as_bool() ? SchemaNode::Additional::allowed : SchemaNode::Additional::denied;
    }
    to.items = optional_node(source["items"]);
    list(source["allOf"], to.all_of);
    list(source["anyOf"], to.any_of);
    list(source["oneOf"], to.one_of);
    to.not_ = optional_node(source["not"]);
  }

  void extensions(json::View source, SchemaNode& to) {
    to.list_type = source["x-kubernetes-list-type"].string_or("");
    to.map_type = source["x-kubernetes-map-type"].string_or("");
    to.list_map_keys = words(source["x-kubernetes-list-map-keys"]);
    to.rules = source["x-kubernetes-validations"];
    has_rules_ = has_rules_ || !to.rules.empty();
    has_embedded_ = has_embedded_ || to.embedded_resource;
  }

  bool has_rules_ = false;
  bool has_embedded_ = false;
};

}  // namespace

const SchemaNode* SchemaNode::property(std::string_view name) const {
  const auto found =
      std::ranges::lower_bound(properties, name, {}, [](const auto& property) { return property.first; });
  return found == properties.end() || found->first != name ? nullptr : &found->second;
}

const SchemaNode* SchemaNode::member(std::string_view name) const {
  if (const SchemaNode* found = property(name)) return found;
  return additional_schema.get();
}

Schema::Schema(json::Value source) : source_(std::move(source)) {
  Compiler compiler;
  root_ = compiler.node(source_);
  has_rules_ = compiler.has_rules();
  has_embedded_ = compiler.has_embedded();
}

std::shared_ptr<const Schema> Schema::compile(json::View open_api_v3_schema) {
  return std::make_shared<const Schema>(json::Value(open_api_v3_schema));
}

}  // namespace flyball::apiserver
