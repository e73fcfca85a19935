// The merge types of built-in kinds, from their tables.
#include <map>
#include <utility>

#include "flyball/apiserver/merge/merge_type.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/protobuf_json.hpp"

namespace flyball::apiserver::merge {

using reflect::FieldFacts;
using reflect::ListType;
using reflect::MapType;
using reflect::Shape;
using reflect::Type;

class BuiltinTypes {
 public:
  BuiltinTypes(MergeSchema& schema, const Type& root) : schema_(schema) {
    // Raw JSON is an object of another kind, which is owned as a whole, except in schemas.
    const bool has_schemas = root.kind != nullptr && root.kind->group == "apiextensions.k8s.io";
    json_ = has_schemas ? schema.deduced_ : schema.whole_;
  }

  // A type at a place that has nothing more to say about it. Structs are made once: some contain themselves.
  const MergeType& plain(const Type& type) {
    const Type& inner = unwrap(type);
    if (const auto known = made_.find(&inner); known != made_.end()) return *known->second;
    if (const MergeType* special = special_type(inner)) return *special;
    MergeType& made = schema_.add();
    made_.emplace(&inner, &made);
    fill(made, inner, nullptr);
    return made;
  }

 private:
  static const Type& unwrap(const Type& type) {
    const Type* inner = &type;
    while (inner->shape == Shape::optional || inner->shape == Shape::wrapped) inner = &inner->element();
    return *inner;
  }

  const MergeType* special_type(const Type& type) const {
    // A number or a text, a schema or a flag: of a choice OpenAPI says nothing.
    if (type.either) return schema_.deduced_;
    if (type.shape == Shape::scalar && type.name == "IntOrString") return schema_.deduced_;
    return type.shape == Shape::json ? json_ : nullptr;
  }

  const MergeType& at_field(const Type& type, const FieldFacts* facts) {
    const Type& inner = unwrap(type);
    const bool says_more = facts != nullptr && (inner.shape == Shape::list || inner.shape == Shape::map ||
                                                (inner.shape == Shape::structure && facts->map != MapType::none));
    if (!says_more || special_type(inner) != nullptr) return plain(type);
    MergeType& made = schema_.add();
    fill(made, inner, facts);
    return made;
  }

  void fill(MergeType& made, const Type& type, const FieldFacts* facts) {
    switch (type.shape) {
      case Shape::structure: fill_struct(made, type, facts); return;
      case Shape::list: fill_list(made, type, facts); return;
      case Shape::map:
        made.map = true;
        made.map_atomic = facts != nullptr && facts->map == MapType::atomic;
        made.others = &plain(type.element());
        return;
      case Shape::boolean: made.scalar = ScalarForm::boolean; return;
      case Shape::int32:
      case Shape::int64:
      case Shape::uint32:
      case Shape::uint64:
      case Shape::float32:
      case Shape::float64: made.scalar = ScalarForm::numeric; return;
      case Shape::scalar: fill_scalar(made, type); return;
      default: made.scalar = ScalarForm::string; return;
    }
  }

  // A text with a format, such as a date or a quantity, is compared as it stands.
  void fill_scalar(MergeType& made, const Type& type) const {
    const json::Value schema = json::parse(type.schema);
    const std::string_view of = schema["type"].string_or("");
    const std::string_view format = schema["format"].string_or("");
    if (of == "object") {
      made.map = true;
      made.map_deduced = true;
      made.others = schema_.deduced_;
    } else {
      made.scalar = of == "string" && (format.empty() || format == "byte") ? ScalarForm::string : ScalarForm::any;
    }
  }

  void fill_list(MergeType& made, const Type& type, const FieldFacts* facts) {
    made.list = true;
    made.item = &plain(type.element());
    if (facts == nullptr) return;
    switch (facts->list) {
      case ListType::atomic: return;
      case ListType::set: made.list_atomic = false; return;
      case ListType::map:
        made.list_atomic = false;
        for (const std::string_view key : facts->list_keys) made.keys.emplace_back(key);
        return;
      case ListType::none: break;
    }
    // What only strategic merge describes is taken from there.
    if (!facts->patch_merge) return;
    made.list_atomic = false;
    if (!facts->merge_key.empty()) made.keys.emplace_back(facts->merge_key);
  }

  void fill_struct(MergeType& made, const Type& type, const FieldFacts* facts) {
    made.map = true;
    made.map_atomic = type.atomic;
    if (facts != nullptr && facts->map != MapType::none) made.map_atomic = facts->map == MapType::atomic;
    if (type.kind != nullptr) {
      made.fields.push_back({.name = "apiVersion", .type = &text()});
      made.fields.push_back({.name = "kind", .type = &text()});
    }
    add_fields(made, type);
    sort_fields(made);
    if (!made.fields.empty()) return;
    // OpenAPI has no word for an object without fields: it may have any.
    made.map_deduced = true;
    made.others = schema_.deduced_;
  }

  void add_fields(MergeType& made, const Type& type) {
    for (const reflect::Field& field : type.fields) {
      if (field.inlined) {
        add_fields(made, unwrap(field.type()));
        continue;
      }
      made.fields.push_back(
          {.name = std::string(field.name), .type = &at_field(field.type(), field.facts), .fallback = fallback(field)});
    }
  }

  // The default of a scalar that Go always writes is its zero.
  static json::Value fallback(const reflect::Field& field) {
    if (field.facts != nullptr && !field.facts->default_json.empty()) return json::parse(field.facts->default_json);
    if (field.omit != reflect::Omit::never) return nullptr;
    switch (field.type().shape) {
      case Shape::string: return "";
      case Shape::boolean: return false;
      case Shape::int32:
      case Shape::int64: return 0;
      default: return nullptr;
    }
  }

  const MergeType& text() {
    if (text_ == nullptr) {
      MergeType& made = schema_.add();
      made.scalar = ScalarForm::string;
      text_ = &made;
    }
    return *text_;
  }

  MergeSchema& schema_;
  const MergeType* json_ = nullptr;
  std::map<const Type*, const MergeType*> made_;
  const MergeType* text_ = nullptr;
};

MergeSchema MergeSchema::of(const reflect::Type& type) {
  MergeSchema schema;
  schema.root_ = &BuiltinTypes(schema, type).plain(type);
  if (type.proto != nullptr) schema.empty_ = kube::message_to_json("", type);
  return schema;
}

}  // namespace flyball::apiserver::merge
