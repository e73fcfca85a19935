#include <algorithm>
#include <vector>

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/detail/equality_parts.hpp"
#include "flyball/kube/quantity.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::kube {

namespace {

using detail::ListRule;
using json::View;
using reflect::Field;
using reflect::ListType;
using reflect::Shape;
using reflect::Type;

struct Found {
  const Type* owner = nullptr;
  const Field* field = nullptr;
};

// The field of that name, also of an inlined struct.
Found find_field(const Type& type, std::string_view name) {
  for (const Field& field : type.fields) {
    if (!field.inlined) {
      if (field.name == name) return {&type, &field};
      continue;
    }
    const Type& inner = field.type();
    if (const Found found = find_field(inner.shape == Shape::optional ? inner.element() : inner, name);
        found.field != nullptr) {
      return found;
    }
  }
  return {};
}

// Zero, which in a struct cannot be told from what was not given.
bool is_zero(View value) {
  switch (value.kind()) {
    case json::Kind::absent:
    case json::Kind::null: return true;
    case json::Kind::boolean: return !value.as_bool();
    case json::Kind::integer:
    case json::Kind::number: return value.as_double() == 0;
    case json::Kind::string:
    case json::Kind::array:
    case json::Kind::object: return value.kind() == json::Kind::string ? value.as_string().empty() : value.empty();
  }
  return false;
}

bool is_nothing(View value) { return !value.exists() || value.is_null() || (value.is_array() && value.empty()); }

template <class T>
T read(View value) {
  return is_nothing(value) ? T() : T::parse(value.as_string());
}
template <>
Quantity read(View value) {
  if (is_nothing(value)) return {};
  return value.is_string() ? Quantity(value.as_string()) : Quantity(json::write(value));
}

// A number or a word: an empty word is not zero.
bool same_number_or_word(View a, View b) {
  const json::Value zero(0);
  return (is_nothing(a) ? View(zero) : a) == (is_nothing(b) ? View(zero) : b);
}

// Two spellings of one scalar of Kubernetes'; what cannot be read as one is compared as it stands.
bool same_scalar(const Type& type, View a, View b) {
  if (a == b) return true;
  try {
    if (type.name == "IntOrString") return same_number_or_word(a, b);
    if (type.name == "Quantity") return read<Quantity>(a) == read<Quantity>(b);
    if (type.name == "Time") return read<Time>(a) == read<Time>(b);
    if (type.name == "MicroTime") return read<MicroTime>(a) == read<MicroTime>(b);
    if (type.name == "Duration") return read<Duration>(a) == read<Duration>(b);
  } catch (const Error&) {
    return false;
  }
  return false;
}

std::string text_of(View value) { return value.exists() ? json::write(value) : std::string(); }

class Walk {
 public:
  explicit Walk(bool partly) : partly_(partly) {}

  std::optional<Difference> compare(const Type* type, View a, View b) {
    if (type == nullptr ? any(a, b) : present(*type, a, b)) return std::nullopt;
    return finding_.take();
  }

 private:
  bool differ(View a, View b) { return finding_.differ(text_of(a), text_of(b)); }

  // JSON of which no type is known.
  bool any(View a, View b) {
    if (is_nothing(b) && (partly_ || is_nothing(a))) return true;
    if (is_nothing(a) || is_nothing(b)) return differ(a, b);
    if (a.is_object() && b.is_object())
      return object(a, b, [&](std::string_view, View x, View y) { return any(x, y); });
    if (!a.is_array() || !b.is_array()) return a == b || differ(a, b);
    return elements(a, b, [&](View x, View y) { return any(x, y); });
  }

  // A field, which may be absent where it is zero.
  bool field(const Found& of, View a, View b) {
    const Type& type = of.field->type();
    if (type.shape == Shape::optional || type.shape == Shape::json || type.shape == Shape::variant) {
      return optional(type, a, b);
    }
    if (partly_ ? is_zero(b) : is_zero(a) && is_zero(b) && type.shape != Shape::scalar) return true;
    if (type.shape == Shape::list) return list(type, detail::list_rule(*of.owner, *of.field), a, b);
    return present(type, a, b);
  }

  bool optional(const Type& type, View a, View b) {
    const auto absent = [](View v) { return !v.exists() || v.is_null(); };
    if (absent(b) && (partly_ || absent(a))) return true;
    if (absent(a) || absent(b)) return differ(a, b);
    return type.shape == Shape::optional ? present(type.element(), a, b) : any(a, b);
  }

  // A value that counts as one even when it is zero: an element, an entry of a map, what is in an optional.
  bool present(const Type& type, View a, View b) {
    switch (type.shape) {
      case Shape::optional: return optional(type, a, b);
      case Shape::wrapped: return present(type.element(), a, b);
      case Shape::scalar: return same_scalar(type, a, b) || differ(a, b);
      case Shape::list: return list(type, detail::list_rule(type), a, b);
      case Shape::map:
        if (!a.exists() || !b.exists()) return (is_zero(a) && is_zero(b)) || differ(a, b);
        return object(a, b, [&](std::string_view, View x, View y) {
          return x.exists() && y.exists() ? present(type.element(), x, y) : differ(x, y);
        });
      case Shape::structure: return structure(type, a, b);
      case Shape::json:
      case Shape::variant: return any(a, b);
      default: return a == b || differ(a, b);
    }
  }

  bool structure(const Type& type, View a, View b) {
    if (type.either || (a.exists() && !a.is_object()) || (b.exists() && !b.is_object())) return any(a, b);
    return object(a, b, [&](std::string_view name, View x, View y) {
      const Found found = find_field(type, name);
      return found.field == nullptr ? any(x, y) : field(found, x, y);
    });
  }

  // Absent stands for an object without members.
  template <class Same>
  bool object(View a, View b, Same same) {
    for (const auto [key, value] : b.entries()) {
      if (!same(key, a[key], value)) return finding_.inside(key);
    }
    if (partly_) return true;
    for (const auto [key, value] : a.entries()) {
      if (!b.contains(key) && !same(key, value, View())) return finding_.inside(key);
    }
    return true;
  }

  template <class Same>
  bool elements(View a, View b, Same same) {
    auto x = a.items().begin();
    std::size_t index = 0;
    for (const View wanted : b.items()) {
      const View have = index < a.size() ? *x++ : View();
      if (!have.exists() ? differ(have, wanted) : same(have, wanted)) {
        ++index;
        continue;
      }
      return finding_.inside(index);
    }
    if (index == a.size()) return true;
    differ(*x, View());
    return finding_.inside(index);
  }

  bool list(const Type& type, const ListRule& rule, View a, View b) {
    if ((a.exists() && !a.is_null() && !a.is_array()) || (b.exists() && !b.is_null() && !b.is_array())) {
      return any(a, b);
    }
    const Type& element = type.element();
    if (!partly_ || (rule.type != ListType::set && rule.type != ListType::map)) {
      return elements(a, b, [&](View x, View y) { return present(element, x, y); });
    }
    std::size_t index = 0;
    for (const View wanted : b.items()) {
      const View have = rule.type == ListType::set ? member_like(element, a, wanted) : keyed(element, rule, a, wanted);
      if (!have.exists() ? differ(have, wanted) : present(element, have, wanted)) {
        ++index;
        continue;
      }
      return finding_.inside(index);
    }
    return true;
  }

  static View member_like(const Type& element, View list, View wanted) {
    for (const View one : list.items()) {
      if (!difference(element, one, wanted)) return one;
    }
    return {};
  }

  static View keyed(const Type& element, const ListRule& rule, View list, View wanted) {
    const auto same_key = [&](View a, View b, std::string_view key) {
      const std::string_view fallback = detail::default_of_key(element, key);
      const json::Value standing = fallback.empty() ? json::Value() : json::parse(fallback);
      const View x = is_zero(a[key]) ? View(standing) : a[key];
      const View y = is_zero(b[key]) ? View(standing) : b[key];
      return x == y;
    };
    for (const View one : list.items()) {
      if (std::ranges::all_of(rule.keys, [&](std::string_view key) { return same_key(one, wanted, key); })) return one;
    }
    return {};
  }

  const bool partly_;
  detail::Finding finding_;
};

}  // namespace

std::optional<Difference> difference(const Type& type, View from, View to) {
  return Walk(false).compare(&type, from, to);
}

std::optional<Difference> missing(const Type& type, View actual, View desired) {
  return Walk(true).compare(&type, actual, desired);
}

std::optional<Difference> difference(View from, View to) { return Walk(false).compare(nullptr, from, to); }

std::optional<Difference> missing(View actual, View desired) { return Walk(true).compare(nullptr, actual, desired); }

}  // namespace flyball::kube
