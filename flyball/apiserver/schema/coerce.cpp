#include "flyball/apiserver/schema/coerce.hpp"

#include <algorithm>

#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/meta/v1.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::apiserver {
namespace {

using reflect::Shape;
using reflect::Type;

std::string_view json_kind(json::View value) {
  switch (value.kind()) {
    case json::Kind::boolean: return "bool";
    case json::Kind::integer:
    case json::Kind::number: return "number";
    case json::Kind::string: return "string";
    case json::Kind::array: return "array";
    default: return "object";
  }
}

// What Go calls the type; the shapes that metadata has.
std::string go_name(const Type& type) {
  switch (type.shape) {
    case Shape::boolean: return "bool";
    case Shape::int32: return "int32";
    case Shape::int64: return "int64";
    case Shape::string: return "string";
    case Shape::list: return "[]" + go_name(type.element());
    case Shape::map: return "map[string]" + go_name(type.element());
    case Shape::optional: return go_name(type.element());
    default: return "v1." + std::string(type.name);
  }
}

bool fits(const Type& type, json::View value) {
  switch (type.shape) {
    case Shape::boolean: return value.kind() == json::Kind::boolean;
    case Shape::int32:
    case Shape::int64: return value.kind() == json::Kind::integer;
    case Shape::string: return value.is_string();
    case Shape::list: return value.is_array();
    case Shape::map:
    case Shape::structure: return value.is_object();
    default: return true;
  }
}

// Walks a value along the table of its type, the way Go's decoder does.
class Reader {
 public:
  Reader(const std::string& path, std::vector<std::string>& unknown) : path_(path), unknown_(unknown) {}

  // What is wrong, in Go's words; empty when nothing is.
  std::string read(const Type& type, json::View value, std::string_view owner) {
    if (value.is_null()) return {};
    if (type.shape == Shape::optional) return read(type.element(), value, owner);
    if (!fits(type, value)) {
      const std::string where = owner.empty() ? "Go value" : "Go struct field " + std::string(owner) + "." + fields_;
      return "json: cannot unmarshal " + std::string(json_kind(value)) + " into " + where + " of type " + go_name(type);
    }
    std::string wrong;
    if (type.shape == Shape::structure) {
      for (const auto& [name, member] : value.entries()) {
        if (wrong.empty()) wrong = read_member(type, name, member);
      }
    } else if (type.shape == Shape::map) {
      for (const auto& [name, member] : value.entries()) {
        if (wrong.empty()) wrong = read(type.element(), member, owner);
      }
    } else if (type.shape == Shape::list) {
      std::size_t index = 0;
      const std::size_t length = path_.size();
      for (const json::View item : value.items()) {
        path_.append("[").append(std::to_string(index++)).append("]");
        if (wrong.empty()) wrong = read(type.element(), item, owner);
        path_.resize(length);
      }
    }
    return wrong;
  }

 private:
  std::string read_member(const Type& type, std::string_view name, json::View value) {
    const auto field = std::ranges::find(type.fields, name, &reflect::Field::name);
    if (field == type.fields.end()) {
      unknown_.push_back(path_ + "." + std::string(name));
      return {};
    }
    const std::size_t path_length = path_.size();
    const std::size_t fields_length = fields_.size();
    path_.append(".").append(name);
    fields_.append(fields_.empty() ? "" : ".").append(name);
    std::string wrong = read(field->type(), value, type.name);
    path_.resize(path_length);
    fields_.resize(fields_length);
    return wrong;
  }

  std::string path_;
  std::string fields_;
  std::vector<std::string>& unknown_;
};

class Coercer {
 public:
  void coerce(json::View value, const SchemaNode* schema, bool resource, const FieldPath& at, json::Builder& to) {
    const bool described = schema != nullptr && !result_.wrong;
    if (described && value.is_object()) return object(value, *schema, resource, at, to);
    if (!described || !value.is_array()) {
      to.value(value);
      return;
    }
    to.begin_array();
    std::size_t index = 0;
    for (const json::View item : value.items()) child(item, schema->items.get(), at.index(index++), to);
    to.end();
  }

  Coerced take(json::Value object) {
    result_.object = std::move(object);
    std::ranges::sort(result_.unknown);
    return std::move(result_);
  }

 private:
  void refuse(const FieldPath& at, json::View value, std::string_view message) {
    Problems problems;
    problems.invalid(at, json::Value(value), message);
    if (!result_.wrong) result_.wrong = *problems.begin();
  }

  void child(json::View value, const SchemaNode* schema, const FieldPath& at, json::Builder& to) {
    coerce(value, schema, schema != nullptr && schema->embedded_resource, at, to);
  }

  void object(json::View value, const SchemaNode& schema, bool resource, const FieldPath& at, json::Builder& to) {
    to.begin_object();
    for (const auto& [name, member] : value.entries()) {
      const bool meta = resource && name == "metadata";
      const bool word = resource && (name == "apiVersion" || name == "kind");
      if (word && !member.is_string()) refuse(at.child(name), member, "must be a string");
      to.key(name);
      if (meta) {
        metadata(member, at.child(name), to);
      } else if (const SchemaNode* property = schema.property(name)) {
        child(member, property, at.child(name), to);
      } else {
        child(member, schema.additional_schema.get(), at.key(name), to);
      }
    }
    to.end();
  }

  void metadata(json::View value, const FieldPath& at, json::Builder& to) {
    const Type& type = reflect::type_of<kube::meta::v1::ObjectMeta>();
    std::vector<std::string> unknown;
    std::string wrong = Reader(at.text(), unknown).read(type, value, "");
    if (wrong.empty()) {
      try {
        kube::meta::v1::ObjectMeta known;
        if (!value.is_null()) reflect::decode(json::write(value), type, &known);
        to.value(json::parse(reflect::encode(known)));
        result_.unknown.insert(result_.unknown.end(), unknown.begin(), unknown.end());
        return;
      } catch (const reflect::DecodeError& error) {
        wrong = error.problems().front().problem();  // a time that is none
      }
    }
    refuse(at, json::parse(json::write(value, {.sort_keys = true})), wrong);  // as Go shows maps
    to.value(value);
  }

  Coerced result_;
};

}  // namespace

Coerced coerce_embedded(const Schema& schema, json::View object) {
  if (!schema.has_embedded()) return {.object = json::Value(object)};
  return coerce_embedded_part(schema.root(), object, false, {});
}

Coerced coerce_embedded_part(const SchemaNode& schema, json::View value, bool resource, const FieldPath& at) {
  Coercer coercer;
  json::Builder builder(value.encoded_size());
  coercer.coerce(value, &schema, resource || schema.embedded_resource, at, builder);
  return coercer.take(builder.finish());
}

}  // namespace flyball::apiserver
