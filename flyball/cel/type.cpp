#include "flyball/cel/type.hpp"

#include <cassert>
#include <utility>

namespace flyball::cel {
namespace {

using Kind = Type::Kind;

TypeRef make(Kind kind, std::string name, std::vector<TypeRef> parameters = {}) {
  return std::make_shared<const Type>(kind, std::move(name), std::move(parameters));
}

bool same_shape(const Type& a, const Type& b, bool parameter_names) {
  if (&a == &b) return true;
  if (a.kind() != b.kind() || a.parameters().size() != b.parameters().size()) return false;
  if ((parameter_names || a.kind() != Kind::parameter) && a.name() != b.name()) return false;
  for (std::size_t i = 0; i < a.parameters().size(); ++i) {
    if (!same_shape(*a.parameters()[i], *b.parameters()[i], parameter_names)) return false;
  }
  return true;
}

// The text of a type, read from the left.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  TypeRef read() {
    const std::string_view name = word();
    std::vector<TypeRef> parameters;
    if (take('(')) {
      do parameters.push_back(read());
      while (take(','));
      const bool closed = take(')');
      assert(closed);
      static_cast<void>(closed);
    }
    return named(name, std::move(parameters));
  }

 private:
  bool take(char c) {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view word() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    const std::string_view found = rest_.substr(0, rest_.find_first_of("(,) "));
    rest_.remove_prefix(found.size());
    return found;
  }

  static TypeRef named(std::string_view name, std::vector<TypeRef> parameters) {
    if (name == "list") return list_type(parameters.at(0));
    if (name == "map") return map_type(parameters.at(0), parameters.at(1));
    if (name == "optional") return optional_type(parameters.at(0));
    if (name == "type") return parameters.empty() ? type_type() : type_type(parameters.at(0));
    for (const TypeRef& simple :
         {dyn_type(), bool_type(), int_type(), uint_type(), double_type(), string_type(), bytes_type()}) {
      if (simple->name() == name) return simple;
    }
    if (name == "null") return null_type();
    if (name == "duration") return duration_type();
    if (name == "timestamp") return timestamp_type();
    if (name.size() == 1) return parameter_type(std::string(name));
    if (name.starts_with("net.")) return opaque_type(std::string(name));
    return object_type(std::string(name));
  }

  std::string_view rest_;
};

}  // namespace

std::string Type::text() const {
  switch (kind_) {
    case Kind::error: return "!error!";
    case Kind::null: return "null";
    case Kind::duration: return "duration";
    case Kind::timestamp: return "timestamp";
    default: break;
  }
  if (parameters_.empty()) return name_;
  std::string text = name_ + "(";
  for (const TypeRef& parameter : parameters_) {
    if (&parameter != parameters_.data()) text += ", ";
    text += parameter->text();
  }
  return text + ")";
}

bool Type::same(const Type& other) const { return same_shape(*this, other, true); }
bool Type::equivalent(const Type& other) const { return same_shape(*this, other, false); }

#define FLYBALL_CEL_TYPE(function, kind, name)          \
  TypeRef function() {                                  \
    static const TypeRef type = make(Kind::kind, name); \
    return type;                                        \
  }
FLYBALL_CEL_TYPE(dyn_type, dyn, "dyn")
FLYBALL_CEL_TYPE(error_type, error, "error")
FLYBALL_CEL_TYPE(null_type, null, "null_type")
FLYBALL_CEL_TYPE(bool_type, boolean, "bool")
FLYBALL_CEL_TYPE(int_type, integer, "int")
FLYBALL_CEL_TYPE(uint_type, unsigned_integer, "uint")
FLYBALL_CEL_TYPE(double_type, real, "double")
FLYBALL_CEL_TYPE(string_type, string, "string")
FLYBALL_CEL_TYPE(bytes_type, bytes, "bytes")
FLYBALL_CEL_TYPE(duration_type, duration, "google.protobuf.Duration")
FLYBALL_CEL_TYPE(timestamp_type, timestamp, "google.protobuf.Timestamp")
FLYBALL_CEL_TYPE(type_type, type, "type")
#undef FLYBALL_CEL_TYPE

TypeRef type_type(TypeRef of) { return make(Kind::type, "type", {std::move(of)}); }
TypeRef list_type(TypeRef element) { return make(Kind::list, "list", {std::move(element)}); }
TypeRef map_type(TypeRef key, TypeRef value) { return make(Kind::map, "map", {std::move(key), std::move(value)}); }
TypeRef optional_type(TypeRef value) { return make(Kind::opaque, "optional_type", {std::move(value)}); }
TypeRef opaque_type(std::string name, std::vector<TypeRef> parameters) {
  return make(Kind::opaque, std::move(name), std::move(parameters));
}
TypeRef object_type(std::string name) { return make(Kind::object, std::move(name)); }
TypeRef parameter_type(std::string name) { return make(Kind::parameter, std::move(name)); }

TypeRef parse_type(std::string_view text) { return Reader(text).read(); }

}  // namespace flyball::cel
