// The merge types of a custom resource, from its OpenAPI schema.
#include <algorithm>
#include <utility>

#include "flyball/apiserver/merge/merge_type.hpp"
#include "flyball/kube/meta/v1.hpp"

namespace flyball::apiserver::merge {

using json::View;

namespace {

bool is_true(View flag) { return flag.is_bool() && flag.as_bool(); }

ScalarForm scalar_form(std::string_view type, std::string_view format) {
  if (type == "integer" || type == "number") return ScalarForm::numeric;
  if (type == "boolean") return ScalarForm::boolean;
  return format.empty() || format == "byte" ? ScalarForm::string : ScalarForm::any;
}

void set_field(MergeType& type, std::string_view name, const MergeType& of) {
  std::erase_if(type.fields, [&](const MergeField& field) { return field.name == name; });
  type.fields.push_back({.name = std::string(name), .type = &of});
}

}  // namespace

class CustomTypes {
 public:
  explicit CustomTypes(MergeSchema& schema, const MergeType& metadata) : schema_(schema), metadata_(metadata) {
    MergeType& text = schema_.add();
    text.scalar = ScalarForm::string;
    text_ = &text;
  }

  const MergeType& root(View schema, bool preserve) {
    MergeType& type = make(schema, preserve);
    add_object_fields(type);
    return type;
  }

 private:
  MergeType& make(View schema, bool preserve) {
    // Holds for everything below it, too.
    preserve = preserve || is_true(schema["x-kubernetes-preserve-unknown-fields"]);
    MergeType& made = schema_.add();
    const std::string_view type = schema["type"].string_or("");
    if (type.empty()) made.scalar = ScalarForm::any;
    if (type.empty() || type == "array") fill_list(made, schema, preserve);
    if (type.empty() || type == "object") fill_map(made, schema, preserve);
    if (!type.empty() && type != "array" && type != "object") {
      made.scalar = scalar_form(type, schema["format"].string_or(""));
    }
    if (is_true(schema["x-kubernetes-embedded-resource"])) add_object_fields(made);
    return made;
  }

  void fill_list(MergeType& made, View schema, bool preserve) {
    made.list = true;
    const std::string_view type = schema["x-kubernetes-list-type"].string_or("atomic");
    made.list_atomic = type != "set" && type != "map";
    if (type == "map") {
      for (const View key : schema["x-kubernetes-list-map-keys"].items()) made.keys.emplace_back(key.string_or(""));
    }
    made.item = schema["items"].is_object() ? &make(schema["items"], preserve) : schema_.whole_;
  }

  void fill_map(MergeType& made, View schema, bool preserve) {
    made.map = true;
    made.map_atomic = schema["x-kubernetes-map-type"].string_or("granular") == "atomic";
    for (const auto [name, member] : schema["properties"].entries()) {
      made.fields.push_back(
          {.name = std::string(name), .type = &make(member, preserve), .fallback = json::Value(member["default"])});
    }
    made.others = others(schema, preserve);
    const bool any = made.others != nullptr && made.others->scalar == ScalarForm::any;
    made.map_deduced = made.fields.empty() && any;
    sort_fields(made);
  }

  const MergeType* others(View schema, bool preserve) {
    const View additional = schema["additionalProperties"];
    if (additional.is_object()) return &make(additional, preserve);
    if (additional.is_bool()) return additional.as_bool() ? schema_.deduced_ : nullptr;
    return preserve || schema["properties"].empty() ? schema_.deduced_ : nullptr;
  }

  void add_object_fields(MergeType& type) {
    set_field(type, "apiVersion", *text_);
    set_field(type, "kind", *text_);
    set_field(type, "metadata", metadata_);
    type.map_deduced = false;
    sort_fields(type);
  }

  MergeSchema& schema_;
  const MergeType& metadata_;
  const MergeType* text_ = nullptr;
};

MergeSchema MergeSchema::of_custom(View schema, bool preserve_unknown) {
  // Its types join those of the metadata, which are a built-in's.
  MergeSchema made = of(reflect::type_of<kube::meta::v1::ObjectMeta>());
  const MergeType& metadata = made.root();
  made.root_ = schema.is_object() ? &CustomTypes(made, metadata).root(schema, preserve_unknown) : made.deduced_;
  made.empty_ = json::object();
  return made;
}

}  // namespace flyball::apiserver::merge
