// Problems: what is wrong with the fields of an object, in the words of kube-apiserver. Clients read them.
//
//   void check(const FieldPath& at, const Container& container, Problems& problems) {
//     if (container.image.empty()) problems.required(at.child("image"));
//     if (container.name == "x") problems.invalid(at.child("name"), container.name, "must be longer");
//   }
//   Problems problems;
//   check(FieldPath("spec").child("containers").index(0), container, problems);
//   problems.text();          // spec.containers[0].image: Required value
//
// Every problem is found, not only the first; their order is the order in which they are reported.
//
// Thread-safety: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/api_error.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

// Where in an object: `spec.containers[0].ports`, `metadata.labels[app]`.
class FieldPath {
 public:
  FieldPath() = default;  // the object itself: its children have no dot before them
  explicit FieldPath(std::string_view name) : text_(name) {}

  FieldPath child(std::string_view name) const;
  FieldPath index(std::size_t index) const;
  FieldPath key(std::string_view key) const;

  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

struct Problem {
  enum class Kind : std::uint8_t {
    not_found,
    required,
    duplicate,
    invalid,
    not_supported,
    forbidden,
    too_long,
    too_many,
    too_few,
    too_short,
    type_invalid,
    internal,
  };
  Kind kind = Kind::invalid;
  std::string field = {};
  std::string message = {};  // without the field: `Invalid value: "x": must be longer`

  // With the field before it.
  std::string text() const { return field + ": " + message; }
};

// The reason of a cause: "FieldValueRequired".
std::string_view wire_name(Problem::Kind kind) noexcept;

class Problems {
 public:
  void required(const FieldPath& at, std::string_view detail = {});
  void forbidden(const FieldPath& at, std::string_view detail);
  // A value is shown as Go shows it: strings quoted, the rest as JSON.
  void invalid(const FieldPath& at, const json::Value& value, std::string_view detail);
  // The same for each of the messages, as names:: functions give them.
  void invalid(const FieldPath& at, const json::Value& value, const std::vector<std::string>& details);
  void type_invalid(const FieldPath& at, const json::Value& value, std::string_view detail);
  void duplicate(const FieldPath& at, const json::Value& value);
  void not_found(const FieldPath& at, const json::Value& value);
  // The supported ones are shown in the order given.
  void not_supported(const FieldPath& at, const json::Value& value, const std::vector<std::string_view>& supported);
  void too_long(const FieldPath& at, std::size_t most_bytes);
  void too_long_characters(const FieldPath& at, std::size_t most);
  void too_many(const FieldPath& at, std::size_t found, std::size_t most);
  void too_many(const FieldPath& at, std::size_t most);  // without the number found
  // Anything else: `message` is all that comes behind the field.
  void add(Problem::Kind kind, const FieldPath& at, std::string message);
  void add(const Problems& others);

  bool empty() const noexcept { return problems_.empty(); }
  std::size_t size() const noexcept { return problems_.size(); }
  auto begin() const noexcept { return problems_.begin(); }
  auto end() const noexcept { return problems_.end(); }

  // One as it is, several in brackets; what is said twice is shown once.
  std::string text() const;
  std::vector<ApiError::Cause> causes() const;

 private:
  std::vector<Problem> problems_;
};

}  // namespace flyball::apiserver
