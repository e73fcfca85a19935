// Schema: the openAPIV3Schema of a custom resource, read once into a tree that is quick to walk.
//
//   const std::shared_ptr<const Schema> schema =
//   Schema::compile(crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]); json::Value object = prune(*schema,
//   apply_defaults(*schema, sent)).object;      // prune.hpp, defaults.hpp validate(*schema, object, problems); //
//   validate.hpp
//
// Compiling never fails: what is wrong with a schema, check_structural and validate_definition say (definition.hpp);
// the server compiles only what has passed them.
//
// Thread-safety: immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/apiserver/problems.hpp"
#include "flyball/base/regex.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

struct Format;

struct SchemaNode {
  json::View source = {};  // the schema as it was written; lives as long as the Schema

  std::string_view type = {};    // "object", …; empty when not said
  std::string_view format = {};  // only one that is checked; see `checked_format`
  const Format* checked_format = nullptr;
  bool nullable = false;
  bool int_or_string = false;
  bool embedded_resource = false;
  bool preserve_unknown_fields = false;

  std::optional<double> minimum = {};
  std::optional<double> maximum = {};
  std::optional<double> multiple_of = {};
  bool exclusive_minimum = false;
  bool exclusive_maximum = false;
  std::optional<std::int64_t> min_length = {};
  std::optional<std::int64_t> max_length = {};
  std::optional<std::int64_t> min_items = {};
  std::optional<std::int64_t> max_items = {};
  std::optional<std::int64_t> min_properties = {};
  std::optional<std::int64_t> max_properties = {};
  bool unique_items = false;
  std::string_view pattern = {};
  std::shared_ptr<const Regex> regex = {};  // null when there is no pattern, or a wrong one
  std::string regex_error = {};
  std::vector<json::View> enumeration = {};
  std::vector<std::string_view> required = {};
  json::View default_value = {};  // absent when there is none, or null

  std::vector<std::pair<std::string_view, SchemaNode>> properties = {};  // sorted by name
  enum class Additional : std::uint8_t { none, denied, allowed };
  Additional additional = Additional::none;
  std::unique_ptr<SchemaNode> additional_schema = {};  // then `additional` is allowed
  std::unique_ptr<SchemaNode> items = {};

  std::vector<SchemaNode> all_of = {};
  std::vector<SchemaNode> any_of = {};
  std::vector<SchemaNode> one_of = {};
  std::unique_ptr<SchemaNode> not_ = {};

  std::string_view list_type = {};
  std::string_view map_type = {};
  std::vector<std::string_view> list_map_keys = {};
  json::View rules = {};  // x-kubernetes-validations, which a CEL engine checks

  // Null when there is none of that name.
  const SchemaNode* property(std::string_view name) const;
  // What describes the member: its property, or that of all additional ones; null when nothing does.
  const SchemaNode* member(std::string_view name) const;
};

class Schema {
 public:
  // An absent or null schema describes nothing: everything is pruned, nothing is checked.
  static std::shared_ptr<const Schema> compile(json::View open_api_v3_schema);

  const SchemaNode& root() const { return root_; }
  json::View source() const { return source_; }
  // True when some part of it has CEL rules.
  bool has_rules() const { return has_rules_; }
  // True when resources are embedded somewhere.
  bool has_embedded() const { return has_embedded_; }

  explicit Schema(json::Value source);

 private:
  json::Value source_;
  SchemaNode root_;
  bool has_rules_ = false;
  bool has_embedded_ = false;
};

// Whether a schema is structural, in upstream's words; problems are sorted by their text. `at` is where it stands in
// the definition: spec.versions[0].schema.openAPIV3Schema.
void check_structural(const SchemaNode& schema, const FieldPath& at, Problems& problems);

}  // namespace flyball::apiserver
