// PathElement and Path: how server-side apply names a field.
//
//   Path path = {PathElement::field("spec"), PathElement::field("containers"),
//                PathElement::key(json::object({{"name", "nginx"}})), PathElement::field("image")};
//   to_string(path);                        // .spec.containers[name="nginx"].image
//   to_text(path[2]);                       // k:{"name":"nginx"}, as FieldsV1 writes it
//
// A step is the name of a member, the keys of an item in a list of type map, the value of an item in a set, or an
// index. Their order is upstream's: names before keys before values before indexes; names by their bytes, values by
// kind and then by value, numbers among each other whatever their type.
//
// Thread-safety: values.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver::merge {

// A text that should be a step, or a set of fields, is not.
class FieldsError : public Error {
 public:
  using Error::Error;
};

class PathElement {
 public:
  enum class Kind : std::uint8_t { field, key, value, index };

  static PathElement field(std::string_view name);
  // `keys` is an object; its members are brought into the order of their names.
  static PathElement key(const json::Value& keys);
  static PathElement value(json::Value scalar);
  static PathElement index(std::int64_t index);

  Kind kind() const { return kind_; }
  bool is_field() const { return kind_ == Kind::field; }
  // Of a field.
  std::string_view name() const { return name_; }
  // Of the others: the object of keys, the value, the index.
  const json::Value& content() const { return content_; }

  friend std::strong_ordering operator<=>(const PathElement& a, const PathElement& b);
  friend bool operator==(const PathElement& a, const PathElement& b) { return (a <=> b) == 0; }

 private:
  explicit PathElement(Kind kind) : kind_(kind) {}

  Kind kind_;
  std::string name_;
  json::Value content_;
};

using Path = std::vector<PathElement>;

// `.name`, `[name="nginx"]`, `[="a"]`, `[3]`: as messages have it.
std::string to_string(const PathElement& element);
std::string to_string(const Path& path);

// `f:name`, `k:{"name":"nginx"}`, `v:"a"`, `i:3`: as FieldsV1 has it.
std::string to_text(const PathElement& element);
void append_text(const PathElement& element, std::string& to);
// Empty for a kind of step that a later Kubernetes may have brought; throws FieldsError for what is none at all.
// Numbers come back as doubles, as they do upstream: messages show it from a million on.
std::optional<PathElement> path_element_from(std::string_view text);

// The order that values have in paths: numbers, strings, booleans, lists, objects, null.
std::strong_ordering compare_values(json::View a, json::View b);

}  // namespace flyball::apiserver::merge
