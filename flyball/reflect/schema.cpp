#include "flyball/reflect/schema.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/reflect/detail/check_default.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::reflect {

namespace {

using json::Value;

// A JSON object under construction: members in the order they are set, each once.
class Node {
 public:
  void set(std::string_view key, Value value) {
    for (auto& [name, old] : members_) {
      if (name == key) {
        old = std::move(value);
        return;
      }
    }
    members_.emplace_back(key, std::move(value));
  }

  void add_rule(const Attribute& rule) { add_rule(rule.text, rule.options); }
  void add_rule(std::string_view expression, const RuleOptions& options) {
    Node node;
    node.set("rule", expression);
    if (!options.message.empty()) node.set("message", options.message);
    if (!options.message_expression.empty()) node.set("messageExpression", options.message_expression);
    if (!options.reason.empty()) node.set("reason", options.reason);
    if (!options.field_path.empty()) node.set("fieldPath", options.field_path);
    if (options.optional_old_self) node.set("optionalOldSelf", true);
    rules_.push_back(node.build());
  }

  Value build() {
    json::Builder builder;
    builder.begin_object();
    for (const auto& [key, value] : members_) builder.key(key).value(value);
    if (!rules_.empty()) {
      builder.key("x-kubernetes-validations").begin_array();
      for (const Value& rule : rules_) builder.value(rule);
      builder.end();
    }
    return builder.end().finish();
  }

 private:
  std::vector<std::pair<std::string, Value>> members_;
  std::vector<Value> rules_;
};

Value number(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? Value(whole) : Value(value);
}

Value strings(const std::vector<std::string_view>& texts) {
  json::Builder builder;
  builder.begin_array();
  for (const std::string_view text : texts) builder.string(text);
  return builder.end().finish();
}

std::vector<std::string_view> words(const Attribute& attribute) {
  return {attribute.words.begin(), attribute.words.begin() + attribute.word_count};
}

std::string join(const std::vector<std::string_view>& parts, std::string_view separator) {
  std::string text;
  for (const std::string_view part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

// A field's name as Kubernetes' CEL rules spell it: its own words and what is no letter are escaped.
std::string cel_name(std::string_view field) {
  static constexpr std::array<std::string_view, 21> kWords = {
      "true", "false",  "null", "in",   "as",      "break",     "const",  "continue", "else", "for",  "function",
      "if",   "import", "let",  "loop", "package", "namespace", "return", "var",      "void", "while"};
  if (std::ranges::find(kWords, field) != kWords.end()) return "__" + std::string(field) + "__";
  std::string name;
  for (std::size_t i = 0; i < field.size(); ++i) {
    switch (field[i]) {
      case '.': name += "__dot__"; break;
      case '-': name += "__dash__"; break;
      case '/': name += "__slash__"; break;
      case '_':
        if (field.substr(i).starts_with("__")) {
          name += "__underscores__";
          ++i;
          break;
        }
        [[fallthrough]];
      default: name += field[i];
    }
  }
  return name;
}

std::string has(std::string_view field) { return "has(self." + cel_name(field) + ")"; }

void add_one_of(const Attribute& attribute, Node& node) {
  const auto names = words(attribute);
  std::string rule;
  for (const std::string_view name : names) {
    const bool least = attribute.kind == AttributeKind::at_least_one_of;
    if (!rule.empty()) rule += least ? " || " : " + ";
    rule += least ? has(name) : "(" + has(name) + " ? 1 : 0)";
  }
  std::string message = "of " + join(names, ", ") + " must be set";
  switch (attribute.kind) {
    case AttributeKind::exactly_one_of:
      rule += " == 1";
      message = "exactly one " + message;
      break;
    case AttributeKind::at_most_one_of:
      rule += " <= 1";
      message = "at most one of " + join(names, ", ") + " may be set";
      break;
    default: message = "at least one " + message; break;
  }
  node.add_rule(rule, {.message = message});
}

// An attribute that is one member of the schema.
void apply(const Attribute& attribute, Node& node) {
  using K = AttributeKind;
  switch (attribute.kind) {
    case K::description: node.set("description", attribute.text); break;
    case K::title: node.set("title", attribute.text); break;
    case K::example: node.set("example", json::parse(attribute.text)); break;
    case K::external_docs: node.set("externalDocs", json::object({{"url", attribute.text}})); break;
    case K::nullable: node.set("nullable", true); break;
    case K::default_value: node.set("default", json::parse(attribute.text)); break;
    case K::minimum: node.set("minimum", number(attribute.number)); break;
    case K::maximum: node.set("maximum", number(attribute.number)); break;
    case K::exclusive_minimum:
      node.set("minimum", number(attribute.number));
      node.set("exclusiveMinimum", true);
      break;
    case K::exclusive_maximum:
      node.set("maximum", number(attribute.number));
      node.set("exclusiveMaximum", true);
      break;
    case K::multiple_of: node.set("multipleOf", number(attribute.number)); break;
    case K::min_length: node.set("minLength", number(attribute.number)); break;
    case K::max_length: node.set("maxLength", number(attribute.number)); break;
    case K::pattern: node.set("pattern", attribute.text); break;
    case K::format: node.set("format", attribute.text); break;
    case K::allowed: node.set("enum", strings(words(attribute))); break;
    case K::min_items: node.set("minItems", number(attribute.number)); break;
    case K::max_items: node.set("maxItems", number(attribute.number)); break;
    // The API server refuses uniqueItems, because checking it is quadratic; a list that is a set says the same.
    case K::unique_items: node.set("x-kubernetes-list-type", "set"); break;
    case K::min_properties: node.set("minProperties", number(attribute.number)); break;
    case K::max_properties: node.set("maxProperties", number(attribute.number)); break;
    case K::list_type: node.set("x-kubernetes-list-type", attribute.text); break;
    case K::list_map_key: node.set("x-kubernetes-list-map-keys", strings(words(attribute))); break;
    case K::map_type:
    case K::struct_type: node.set("x-kubernetes-map-type", attribute.text); break;
    case K::preserve_unknown: node.set("x-kubernetes-preserve-unknown-fields", true); break;
    case K::embedded_resource:
      node.set("type", "object");
      node.set("x-kubernetes-embedded-resource", true);
      break;
    case K::rule: node.add_rule(attribute); break;
    case K::immutable: node.add_rule("self == oldSelf", {.message = "this field cannot be changed"}); break;
    case K::exactly_one_of:
    case K::at_most_one_of:
    case K::at_least_one_of: add_one_of(attribute, node); break;
    case K::json_name:
    case K::required:
    case K::optional:
    case K::inlined:
    case K::alternatives:
    case K::int_or_string:
    case K::schemaless: break;
  }
}

bool says(std::span<const Attribute> attributes, AttributeKind kind, int level = 0) {
  return std::ranges::any_of(attributes, [&](const Attribute& a) { return a.kind == kind && a.level == level; });
}

// What the table of a built-in type says of a field, as a description would say it.
std::vector<Attribute> attributes_of(const FieldFacts& facts, bool with_default) {
  std::vector<Attribute> attributes;
  constexpr std::array<std::string_view, 4> kLists = {"", "atomic", "set", "map"};
  if (facts.list != ListType::none) {
    attributes.emplace_back(AttributeKind::list_type, kLists[static_cast<std::size_t>(facts.list)]);
  }
  if (!facts.list_keys.empty()) {
    Attribute keys(AttributeKind::list_map_key);
    for (const std::string_view key : facts.list_keys) keys.words[keys.word_count++] = key;
    attributes.push_back(keys);
  }
  if (facts.map != MapType::none) {
    attributes.emplace_back(AttributeKind::map_type,
                            std::string_view(facts.map == MapType::atomic ? "atomic" : "granular"));
  }
  if (with_default && !facts.default_json.empty()) {
    attributes.emplace_back(AttributeKind::default_value, facts.default_json);
  }
  return attributes;
}

const void* member(const void* object, const Field& field) {
  return static_cast<const std::byte*>(object) + field.offset;
}

class Maker {
 public:
  explicit Maker(const SchemaOptions& options) : options_(options) {}

  Value make(const Type& type, std::span<const Attribute> attributes, int level) {
    Node node;
    if (!says(attributes, AttributeKind::schemaless, level)) shape(type, attributes, level, node);
    annotate(attributes, level, node);
    return node.build();
  }

  // The members of a struct, its own attributes and the rules its fields put on it.
  void structure(const Type& type, Node& node) {
    if (std::ranges::find(open_, &type) != open_.end()) {
      throw Error(std::string(type.name) +
                  " contains itself: a structural schema cannot say that; use json::Value with " +
                  "preserve_unknown where it repeats");
    }
    open_.push_back(&type);
    const auto keys = std::exchange(keys_, {});
    node.set("type", "object");
    json::Builder properties;
    properties.begin_object();
    std::vector<std::string> required;
    std::set<std::string_view> names;
    members(type, properties, required, names, node);
    const Value made = properties.end().finish();
    require_keys(type, keys, made, required);
    if (!names.empty()) node.set("properties", made);
    if (!required.empty()) {
      std::ranges::sort(required);
      node.set("required", strings({required.begin(), required.end()}));
    }
    for (const Attribute& attribute : type.own()) apply(attribute, node);
    if (type.atomic) node.set("x-kubernetes-map-type", "atomic");
    open_.pop_back();
  }

 private:
  static void annotate(std::span<const Attribute> attributes, int level, Node& node) {
    for (const Attribute& attribute : attributes) {
      if (attribute.level == level) apply(attribute, node);
    }
  }

  static std::vector<std::string_view> keys_at(std::span<const Attribute> attributes, int level) {
    for (const Attribute& attribute : attributes) {
      if (attribute.kind == AttributeKind::list_map_key && attribute.level == level) return words(attribute);
    }
    return {};
  }

  // The API server takes a list map key only when every element has one, in a status too. A built-in type that does
  // not ask for its key is made to.
  void require_keys(const Type& type, const std::vector<std::string_view>& keys, json::View properties,
                    std::vector<std::string>& required) const {
    for (const std::string_view key : keys) {
      if (!properties.contains(key)) {
        throw Error(std::string(type.name) + "." + std::string(key) + " is a list map key, but there is no such field");
      }
      if (properties[key]["default"].exists() || std::ranges::find(required, key) != required.end()) continue;
      const bool described = type.ops.reset != nullptr;
      if (!options_.status && described) {
        throw Error(std::string(type.name) + "." + std::string(key) +
                    ": a list map key must be required or have a default");
      }
      required.emplace_back(key);
    }
  }

  void shape(const Type& type, std::span<const Attribute> attributes, int level, Node& node) {
    const auto plain = [&](std::string_view name, std::string_view format = {}) {
      node.set("type", name);
      if (!format.empty()) node.set("format", format);
    };
    switch (type.shape) {
      case Shape::boolean: return plain("boolean");
      case Shape::int32: return plain("integer", "int32");
      case Shape::int64: return plain("integer", "int64");
      case Shape::uint32:
        plain("integer", "int64");
        node.set("minimum", 0);
        return node.set("maximum", 4294967295U);
      case Shape::uint64: plain("integer"); return node.set("minimum", 0);
      case Shape::float32: return plain("number", "float");
      case Shape::float64: return plain("number", "double");
      case Shape::string: return plain("string");
      case Shape::json: return any(says(attributes, AttributeKind::int_or_string, level), node);
      case Shape::enumeration: return enumeration(type, node);
      case Shape::scalar:
        for (const Value scalar = json::parse(type.schema); auto [key, value] : scalar.entries())
          node.set(key, Value(value));
        return;
      case Shape::optional: return shape(type.element(), attributes, level, node);
      case Shape::list:
        node.set("type", "array");
        keys_ = type.own().empty() ? keys_at(attributes, level) : keys_at(type.own(), 0);
        node.set("items", make(type.element(), attributes, level + 1));
        return annotate(type.own(), 0, node);
      case Shape::map:
        node.set("type", "object");
        return node.set("additionalProperties", make(type.element(), attributes, level + 1));
      case Shape::structure: return structure(type, node);
      case Shape::wrapped: return wrapped(type, attributes, level, node);
      case Shape::variant: return variant(type, attributes, node);
    }
  }

  // What the type says of itself comes first, so that the field that uses it can say more, or otherwise.
  void wrapped(const Type& type, std::span<const Attribute> attributes, int level, Node& node) {
    std::vector<Attribute> all(type.own().begin(), type.own().end());
    for (Attribute& attribute : all) attribute.level = static_cast<std::uint8_t>(attribute.level + level);
    const std::vector<Attribute> own = all;
    all.insert(all.end(), attributes.begin(), attributes.end());
    shape(type.element(), all, level, node);
    annotate(own, level, node);
  }

  static void any(bool int_or_string, Node& node) {
    if (!int_or_string) return node.set("x-kubernetes-preserve-unknown-fields", true);
    node.set("anyOf", json::parse(R"([{"type":"integer"},{"type":"string"}])"));
    node.set("x-kubernetes-int-or-string", true);
  }

  static void enumeration(const Type& type, Node& node) {
    std::vector<std::string_view> names;
    for (const EnumValue& value : type.values) names.push_back(value.name);
    node.set("type", "string");
    node.set("enum", strings(names));
  }

  void variant(const Type& type, std::span<const Attribute> attributes, Node& node) {
    const auto names = std::ranges::find(attributes, AttributeKind::alternatives, &Attribute::kind);
    node.set("type", "object");
    json::Builder properties;
    properties.begin_object();
    for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
      properties.key(names->words[i]).value(make(type.alternatives[i](), {}, 0));
    }
    node.set("properties", properties.end().finish());
    node.set("minProperties", 1);
    node.set("maxProperties", 1);
  }

  void members(const Type& type, json::Builder& properties, std::vector<std::string>& required,
               std::set<std::string_view>& names, Node& parent) {
    for (const Field& field : type.fields) {
      if (field.inlined) {
        const Type& inner = field.type();
        check_inlined(type, field, inner);
        members(inner.shape == Shape::optional ? inner.element() : inner, properties, required, names, parent);
        continue;
      }
      if (!names.insert(field.name).second) {
        throw Error(std::string(type.name) + "." + std::string(field.name) +
                    ": an inlined struct brings a field of the same name");
      }
      const bool must = !options_.status && is_required(type, field);
      if (must) required.emplace_back(field.name);
      properties.key(field.name).value(property(type, field, must));
      if (!must && says(type.attributes_of(field), AttributeKind::immutable)) {
        // Taking the field away would be a change too.
        parent.add_rule("!has(oldSelf." + cel_name(field.name) + ") || " + has(field.name),
                        {.message = "a field that cannot be changed cannot be removed", .field_path = {}});
      }
    }
  }

  // The members of an inlined struct are absent one by one, so only their own initialisers can be their defaults.
  static void check_inlined(const Type& owner, const Field& field, const Type& inner) {
    if (inner.shape != Shape::structure || owner.ops.prototype == nullptr || inner.ops.prototype == nullptr) return;
    if (equal(inner, member(owner.ops.prototype(), field), inner.ops.prototype())) return;
    throw Error(std::string(owner.name) + "." + std::string(field.name) +
                ": an inlined struct cannot have an initialiser here; give its members theirs in " +
                std::string(inner.name));
  }

  Value property(const Type& owner, const Field& field, bool required) {
    Node node;
    std::vector<Attribute> of_facts;
    if (field.facts != nullptr) of_facts = attributes_of(*field.facts, !options_.status);
    const auto attributes = field.facts != nullptr ? std::span<const Attribute>(of_facts) : owner.attributes_of(field);
    const Type& type = field.type();
    if (!says(attributes, AttributeKind::schemaless)) shape(type, attributes, 0, node);
    if (const auto initial = required ? std::nullopt : default_of(owner, field)) node.set("default", *initial);
    annotate(attributes, 0, node);
    Value schema = node.build();
    if (schema.contains("default")) check_default(std::string(owner.name) + "." + std::string(field.name), schema);
    return schema;
  }

  // What the field's initialiser says, when it says something.
  std::optional<Value> default_of(const Type& owner, const Field& field) const {
    if (options_.status || owner.ops.prototype == nullptr) return std::nullopt;
    const Type& type = field.type();
    const void* initial = member(owner.ops.prototype(), field);
    if (type.shape == Shape::structure) return struct_default(type, initial);
    if (type.shape == Shape::variant || is_empty(type, initial)) return std::nullopt;
    return encoded(type, initial);
  }

  // An absent sub-object gets its members' defaults only when it has a default itself: {} where that is enough.
  static std::optional<Value> struct_default(const Type& type, const void* initial) {
    if (is_empty(type, initial)) return std::nullopt;
    Value value = encoded(type, initial);
    const bool own = type.ops.prototype != nullptr && value == encoded(type, type.ops.prototype());
    return own ? json::object() : value;
  }

  static Value encoded(const Type& type, const void* value) {
    std::string text;
    json::TextWriter writer(text);
    encode(type, value, writer);
    writer.finish();
    return json::parse(text);
  }

  const SchemaOptions& options_;
  std::vector<const Type*> open_;       // the structs around the one being described
  std::vector<std::string_view> keys_;  // of the list around the struct that is described next
};

}  // namespace

Value schema(const Type& type, const SchemaOptions& options) { return Maker(options).make(type, {}, 0); }

}  // namespace flyball::reflect
