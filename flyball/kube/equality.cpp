#include "flyball/kube/equality.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "flyball/json/write.hpp"
#include "flyball/kube/detail/equality_parts.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::kube {

namespace {

using detail::ListRule;
using reflect::Field;
using reflect::ListType;
using reflect::Shape;
using reflect::Type;

const void* member(const void* object, const Field& field) {
  return static_cast<const std::byte*>(object) + field.offset;
}

template <class T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}

std::string text_of(const Type& type, const void* value) {
  std::string text;
  if (value != nullptr) {
    json::TextWriter writer(text);
    reflect::encode(type, value, writer);
  }
  return text;
}

using Entries = std::vector<std::pair<std::string_view, const void*>>;

Entries entries_of(const Type& map, const void* of) {
  Entries entries;
  entries.reserve(map.ops.count(of));
  map.ops.each(of, &entries, [](void* context, std::string_view key, const void* value) {
    static_cast<Entries*>(context)->emplace_back(key, value);
  });
  return entries;
}

const void* find(const Entries& entries, std::string_view key) {
  const auto found = std::ranges::find(entries, key, &Entries::value_type::first);
  return found == entries.end() ? nullptr : found->second;
}

// What an encoding of `object` would not write: nobody asks for it.
bool is_unset(const Type& owner, const Field& field, const Type& type, const void* object) {
  if (!reflect::is_empty(type, member(object, field))) return false;
  if (field.omit != reflect::Omit::by_rule || field.inlined) return true;
  return !reflect::is_required(owner, field) && reflect::is_empty(type, member(owner.ops.prototype(), field));
}

std::string_view alternative_name(const Type& owner, const Field& field, int index) {
  for (const reflect::Attribute& attribute : owner.attributes_of(field)) {
    if (attribute.kind == reflect::AttributeKind::alternatives && index >= 0) {
      return attribute.words[static_cast<std::size_t>(index)];
    }
  }
  return {};
}

// Walks two values of one type. Every function is true when they mean the same.
class Walk {
 public:
  // `partly`: the second may set less than the first has.
  explicit Walk(bool partly) : partly_(partly) {}

  std::optional<Difference> compare(const Type& type, const void* a, const void* b) {
    if (same(type, a, b)) return std::nullopt;
    return finding_.take();
  }

 private:
  bool same(const Type& type, const void* a, const void* b) {
    switch (type.shape) {
      case Shape::boolean: return leaf(as<bool>(a) == as<bool>(b), type, a, b);
      case Shape::int32: return leaf(as<std::int32_t>(a) == as<std::int32_t>(b), type, a, b);
      case Shape::int64: return leaf(as<std::int64_t>(a) == as<std::int64_t>(b), type, a, b);
      case Shape::uint32: return leaf(as<std::uint32_t>(a) == as<std::uint32_t>(b), type, a, b);
      case Shape::uint64: return leaf(as<std::uint64_t>(a) == as<std::uint64_t>(b), type, a, b);
      case Shape::float32: return leaf(as<float>(a) == as<float>(b), type, a, b);
      case Shape::float64: return leaf(as<double>(a) == as<double>(b), type, a, b);
      case Shape::string: return leaf(as<std::string>(a) == as<std::string>(b), type, a, b);
      case Shape::enumeration: return leaf(type.ops.enum_value(a) == type.ops.enum_value(b), type, a, b);
      case Shape::scalar: return leaf(type.ops.equal(a, b), type, a, b);
      case Shape::json: return json(as<json::Value>(a), as<json::Value>(b));
      case Shape::optional: return optional(type, type.ops.get(a), type.ops.get(b));
      case Shape::wrapped: return same(type.element(), type.ops.get(a), type.ops.get(b));
      case Shape::list: return list(type, detail::list_rule(type), a, b);
      case Shape::map: return map(type, a, b);
      case Shape::structure: return structure(type, a, b);
      case Shape::variant: break;
    }
    throw Error("a variant can only be compared as a field of a described struct");
  }

  bool leaf(bool equal, const Type& type, const void* a, const void* b) {
    return equal || finding_.differ(text_of(type, a), text_of(type, b));
  }

  bool json(json::View a, json::View b) {
    auto found = partly_ ? missing(a, b) : difference(a, b);
    if (!found) return true;
    finding_.differ(found->from, found->to);
    return finding_.inside_path(found->path);
  }

  bool optional(const Type& type, const void* a, const void* b) {
    if (a == nullptr && b == nullptr) return true;
    if (b == nullptr && partly_) return true;
    if (a == nullptr || b == nullptr) return finding_.differ(text_of(type.element(), a), text_of(type.element(), b));
    return same(type.element(), a, b);
  }

  bool structure(const Type& type, const void* a, const void* b) {
    for (const Field& field : type.fields) {
      const Type& inner = field.type();
      if (partly_ && is_unset(type, field, inner, b)) continue;
      if (inner.shape == Shape::variant ? variant(type, field, inner, a, b) : value_of(type, field, inner, a, b)) {
        continue;
      }
      return field.inlined ? false : finding_.inside(field.name);
    }
    return true;
  }

  bool value_of(const Type& owner, const Field& field, const Type& type, const void* a, const void* b) {
    const void* from = member(a, field);
    const void* to = member(b, field);
    // Only `partly` looks at how a list is merged.
    if (type.shape == Shape::list) return list(type, partly_ ? detail::list_rule(owner, field) : ListRule{}, from, to);
    return same(type, from, to);
  }

  bool variant(const Type& owner, const Field& field, const Type& type, const void* a, const void* b) {
    const void* from = member(a, field);
    const void* to = member(b, field);
    const int active = type.ops.active(from);
    const auto quoted = [&](const void* of) {
      const std::string_view name = alternative_name(owner, field, type.ops.active(of));
      return name.empty() ? std::string() : json::write(json::Value(name));
    };
    if (active != type.ops.active(to)) return finding_.differ(quoted(from), quoted(to));
    if (active < 0) return true;
    const Type& alternative = type.alternatives[static_cast<std::size_t>(active)]();
    return same(alternative, type.ops.alternative(from), type.ops.alternative(to)) ||
           finding_.inside(alternative_name(owner, field, active));
  }

  bool map(const Type& type, const void* a, const void* b) {
    const Entries from = entries_of(type, a);
    const Entries to = entries_of(type, b);
    const Type& element = type.element();
    for (const auto& [key, value] : to) {
      const void* other = find(from, key);
      if (other == nullptr ? finding_.differ({}, text_of(element, value)) : same(element, other, value)) continue;
      return finding_.inside(key);
    }
    if (partly_ || from.size() == to.size()) return true;
    for (const auto& [key, value] : from) {
      if (find(to, key) != nullptr) continue;
      finding_.differ(text_of(element, value), {});
      return finding_.inside(key);
    }
    return true;
  }

  bool list(const Type& type, const ListRule& rule, const void* a, const void* b) {
    if (partly_ && rule.type == ListType::set) return set_elements(type, a, b);
    if (partly_ && rule.type == ListType::map) return keyed_elements(type, rule, a, b);
    const std::size_t count = type.ops.count(b);
    const std::size_t have = type.ops.count(a);
    const Type& element = type.element();
    for (std::size_t i = 0; i < std::min(count, have); ++i) {
      if (!same(element, type.ops.element(a, i), type.ops.element(b, i))) return finding_.inside(i);
    }
    if (count == have) return true;
    const std::size_t at = std::min(count, have);
    finding_.differ(text_of(element, at < have ? type.ops.element(a, at) : nullptr),
                    text_of(element, at < count ? type.ops.element(b, at) : nullptr));
    return finding_.inside(at);
  }

  bool set_elements(const Type& type, const void* a, const void* b) {
    const Type& element = type.element();
    for (std::size_t i = 0; i < type.ops.count(b); ++i) {
      const void* wanted = type.ops.element(b, i);
      bool found = false;
      for (std::size_t j = 0; j < type.ops.count(a) && !found; ++j) {
        found = !difference(element, type.ops.element(a, j), wanted);
      }
      if (found) continue;
      finding_.differ({}, text_of(element, wanted));
      return finding_.inside(i);
    }
    return true;
  }

  bool keyed_elements(const Type& type, const ListRule& rule, const void* a, const void* b) {
    const Type& element = type.element();
    std::vector<std::vector<std::string>> keys;
    keys.reserve(type.ops.count(a));
    for (std::size_t j = 0; j < type.ops.count(a); ++j) keys.push_back(keys_of(element, rule, type.ops.element(a, j)));
    for (std::size_t i = 0; i < type.ops.count(b); ++i) {
      const void* wanted = type.ops.element(b, i);
      const auto at = std::ranges::find(keys, keys_of(element, rule, wanted));
      if (at == keys.end() ? finding_.differ({}, text_of(element, wanted))
                           : same(element, type.ops.element(a, static_cast<std::size_t>(at - keys.begin())), wanted)) {
        continue;
      }
      return finding_.inside(i);
    }
    return true;
  }

  static std::vector<std::string> keys_of(const Type& element, const ListRule& rule, const void* object) {
    std::vector<std::string> keys;
    for (const std::string_view key : rule.keys) {
      const auto field = std::ranges::find(element.fields, key, &Field::name);
      if (field == element.fields.end()) continue;
      const void* value = member(object, *field);
      const std::string_view fallback = detail::default_of_key(element, key);
      const bool absent = reflect::is_empty(field->type(), value) && !fallback.empty();
      keys.push_back(absent ? std::string(fallback) : text_of(field->type(), value));
    }
    return keys;
  }

  const bool partly_;
  detail::Finding finding_;
};

}  // namespace

std::optional<Difference> difference(const Type& type, const void* from, const void* to) {
  return Walk(false).compare(type, from, to);
}

std::optional<Difference> missing(const Type& type, const void* actual, const void* desired) {
  return Walk(true).compare(type, actual, desired);
}

}  // namespace flyball::kube
