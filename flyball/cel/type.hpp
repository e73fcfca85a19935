// Type: what the checker knows of an expression, and what `type(x)` gives at run time.
//
//   const TypeRef ports = list_type(int_type());
//   ports->text();                                   // "list(int)"
//   parse_type("map(string, list(A))");              // as signatures of functions are written in this room
//
// Thread-safety: immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace flyball::cel {

class Type;
using TypeRef = std::shared_ptr<const Type>;

class Type {
 public:
  enum class Kind : std::uint8_t {
    dyn,
    error,  // what could not be checked; goes with everything, so that one mistake is told once
    null,
    boolean,
    integer,
    unsigned_integer,
    real,
    string,
    bytes,
    list,
    map,
    duration,
    timestamp,
    type,
    opaque,  // known by name only: optional_type(A), net.IP
    object,  // with fields that a TypeProvider knows
    parameter,
  };

  Type(Kind kind, std::string name, std::vector<TypeRef> parameters = {})
      : kind_(kind), name_(std::move(name)), parameters_(std::move(parameters)) {}

  Kind kind() const { return kind_; }
  // The name at run time: "list", "google.protobuf.Timestamp".
  const std::string& name() const { return name_; }
  const std::vector<TypeRef>& parameters() const { return parameters_; }
  bool is_dyn() const { return kind_ == Kind::dyn; }
  bool is_dyn_or_error() const { return kind_ == Kind::dyn || kind_ == Kind::error; }
  bool is_optional() const { return kind_ == Kind::opaque && name_ == "optional_type"; }

  // As the checker's messages name it: "map(string, dyn)", "timestamp".
  std::string text() const;
  bool same(const Type& other) const;
  // The same but for the names of type parameters.
  bool equivalent(const Type& other) const;

 private:
  Kind kind_;
  std::string name_;
  std::vector<TypeRef> parameters_;
};

TypeRef dyn_type();
TypeRef error_type();
TypeRef null_type();
TypeRef bool_type();
TypeRef int_type();
TypeRef uint_type();
TypeRef double_type();
TypeRef string_type();
TypeRef bytes_type();
TypeRef duration_type();
TypeRef timestamp_type();
TypeRef type_type();
TypeRef type_type(TypeRef of);
TypeRef list_type(TypeRef element);
TypeRef map_type(TypeRef key, TypeRef value);
TypeRef optional_type(TypeRef value);
TypeRef opaque_type(std::string name, std::vector<TypeRef> parameters = {});
TypeRef object_type(std::string name);
TypeRef parameter_type(std::string name);

// int, list(A), optional(string), net.IP …: one upper-case letter is a parameter, what has a dot and begins with "net."
// is opaque, anything else unknown is an object. Asserts that the text is well-formed: it is for tables, not for input.
TypeRef parse_type(std::string_view text);

// Which objects there are and what fields they have: how OpenAPI schemas reach the checker.
class TypeProvider {
 public:
  TypeProvider() = default;
  TypeProvider(const TypeProvider&) = delete;
  TypeProvider& operator=(const TypeProvider&) = delete;
  virtual ~TypeProvider() = default;
  virtual bool has_type(std::string_view name) const = 0;
  // Null when the object has no such field.
  virtual TypeRef field(std::string_view type, std::string_view field) const = 0;
};

}  // namespace flyball::cel
