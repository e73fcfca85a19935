#include "flyball/reflect/detail/check_default.hpp"

#include <algorithm>

#include "flyball/json/write.hpp"

namespace flyball::reflect {

namespace {

using json::View;

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

class Checker {
 public:
  explicit Checker(const std::string& field) : field_(field) {}

  void check(View value, View schema) const {
    if (value.is_null()) {
      if (schema["nullable"].exists()) return;
      wrong(value, "is null, and the field is not nullable");
    }
    if (schema["x-kubernetes-int-or-string"].exists()) return;
    type(value, schema["type"].string_or(""));
    if (value.is_number()) numbers(value, schema);
    if (value.is_string()) texts(value, schema);
    if (value.is_array()) lists(value, schema);
    if (value.is_object()) objects(value, schema);
  }

 private:
  void type(View value, std::string_view expected) const {
    const bool fits = expected.empty() || (expected == "boolean" && value.is_bool()) ||
                      (expected == "integer" && value.is_int()) || (expected == "number" && value.is_number()) ||
                      (expected == "string" && value.is_string()) || (expected == "array" && value.is_array()) ||
                      (expected == "object" && value.is_object());
    if (!fits) wrong(value, "is not of the type " + std::string(expected));
  }

  void numbers(View value, View schema) const {
    const double number = value.as_double();
    if (const View bound = schema["minimum"]; bound.exists()) {
      const bool open = schema["exclusiveMinimum"].exists();
      if (number < bound.as_double() || (open && number <= bound.as_double())) {
        wrong(value, (open ? "is not greater than the minimum " : "is less than the minimum ") + json::write(bound));
      }
    }
    if (const View bound = schema["maximum"]; bound.exists()) {
      const bool open = schema["exclusiveMaximum"].exists();
      if (number > bound.as_double() || (open && number >= bound.as_double())) {
        wrong(value, (open ? "is not less than the maximum " : "is greater than the maximum ") + json::write(bound));
      }
    }
  }

  void texts(View value, View schema) const {
    limit(value, characters(value.as_string()), schema["minLength"], schema["maxLength"], "characters");
    if (const View allowed = schema["enum"]; allowed.exists()) {
      for (View one : allowed.items()) {
        if (one == value) return;
      }
      wrong(value, "is not one of " + json::write(allowed));
    }
  }

  void lists(View value, View schema) const {
    limit(value, value.size(), schema["minItems"], schema["maxItems"], "items");
    for (View element : value.items()) check(element, schema["items"]);
  }

  void objects(View value, View schema) const {
    // {} stands for the members' own defaults, which are checked where they stand.
    if (value.empty()) return;
    limit(value, value.size(), schema["minProperties"], schema["maxProperties"], "members");
    for (View name : schema["required"].items()) {
      if (!value.contains(name.as_string())) wrong(value, "lacks the required member " + json::write(name));
    }
    for (auto [key, inner] : value.entries()) {
      if (const View known = schema["properties"][key]; known.exists()) {
        check(inner, known);
      } else if (const View any = schema["additionalProperties"]; any.exists()) {
        check(inner, any);
      }
    }
  }

  void limit(View value, std::size_t count, View least, View most, std::string_view what) const {
    if (least.exists() && count < static_cast<std::size_t>(least.as_int())) {
      wrong(value, "has fewer than " + json::write(least) + " " + std::string(what));
    }
    if (most.exists() && count > static_cast<std::size_t>(most.as_int())) {
      wrong(value, "has more than " + json::write(most) + " " + std::string(what));
    }
  }

  [[noreturn]] void wrong(View value, const std::string& problem) const {
    throw Error(field_ + ": the default " + json::write(value, {.escape_html = false}) + " " + problem);
  }

  const std::string& field_;
};

}  // namespace

void check_default(const std::string& field, View schema) { Checker(field).check(schema["default"], schema); }

}  // namespace flyball::reflect
