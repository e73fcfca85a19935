#include "flyball/reflect/decode.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::reflect {

namespace {

void* member(void* object, const Field& field) { return static_cast<std::byte*>(object) + field.offset; }

template <class T>
T& as(void* value) {
  return *static_cast<T*>(value);
}

std::string join(const std::vector<InputError>& problems) {
  std::string text;
  for (const InputError& problem : problems) {
    if (!text.empty()) text += '\n';
    text += problem.what();
  }
  return text;
}

const Field* find_field(const Type& type, std::string_view name) {
  const auto name_of = [&](std::uint16_t index) { return type.fields[index].name; };
  const auto found = std::ranges::lower_bound(type.sorted, name, {}, name_of);
  return found != type.sorted.end() && name_of(*found) == name ? &type.fields[*found] : nullptr;
}

// A field of the struct or of one it has inlined, and the object that holds it.
struct Found {
  const Type* owner = nullptr;
  const Field* field = nullptr;
  void* object = nullptr;
};

Found find_member(const Type& type, void* object, std::string_view name) {
  if (const Field* field = find_field(type, name); field != nullptr && !field->inlined) return {&type, field, object};
  for (const Field& field : type.fields) {
    if (!field.inlined) continue;
    const Type& inner = field.type();
    void* at = member(object, field);
    if (inner.shape != Shape::optional) {
      if (const Found found = find_member(inner, at, name); found.field != nullptr) return found;
    } else if (find_field(inner.element(), name) != nullptr) {
      const void* present = inner.ops.get(at);
      void* made = present != nullptr ? const_cast<void*>(present) : inner.ops.emplace(at);
      return find_member(inner.element(), made, name);
    }
  }
  return {};
}

void collect_names(const Type& type, std::vector<std::string_view>& names) {
  for (const Field& field : type.fields) {
    if (!field.inlined) {
      names.push_back(field.name);
    } else {
      const Type& inner = field.type();
      collect_names(inner.shape == Shape::optional ? inner.element() : inner, names);
    }
  }
}

class Decoder {
 public:
  Decoder(std::string_view text, const DecodeOptions& options) : options_(options), reader_(text, options.limits) {}

  void decode(const Type& type, void* to) {
    value(type, to);
    reader_.finish();
    if (!problems_.empty()) throw DecodeError(std::move(problems_));
  }

 private:
  void value(const Type& type, void* to) {
    const json::Kind kind = reader_.peek();
    if (kind == json::Kind::null) return null(type, to);
    switch (type.shape) {
      case Shape::boolean:
        if (expect(kind == json::Kind::boolean, "a boolean")) as<bool>(to) = reader_.boolean();
        return;
      case Shape::int32: return integer<std::int32_t>(kind, "a 32-bit integer", to);
      case Shape::int64: return integer<std::int64_t>(kind, "a 64-bit integer", to);
      case Shape::uint32: return integer<std::uint32_t>(kind, "an integer from 0 to 4294967295", to);
      case Shape::uint64: return unsigned_integer(kind, to);
      case Shape::float32:
        if (expect(kind == json::Kind::number, "a number"))
          as<float>(to) = static_cast<float>(reader_.number().as_double);
        return;
      case Shape::float64:
        if (expect(kind == json::Kind::number, "a number")) as<double>(to) = reader_.number().as_double;
        return;
      case Shape::string:
        if (expect(kind == json::Kind::string, "a string")) as<std::string>(to) = reader_.string();
        return;
      case Shape::json: as<json::Value>(to) = any(); return;
      case Shape::enumeration:
        if (kind != json::Kind::string) return void(expect(false, "one of " + names_of(type)));
        return enumeration(type, to);
      case Shape::scalar: return scalar(type, to);
      case Shape::optional:
      case Shape::wrapped: return value(type.element(), type.ops.emplace(to));
      case Shape::list:
        if (expect(kind == json::Kind::array, "a list")) list(type, to);
        return;
      case Shape::map:
        if (expect(kind == json::Kind::object, "a map")) map(type, to);
        return;
      case Shape::structure:
        if (type.either) return either(type, to, kind);
        if (expect(kind == json::Kind::object, "an object")) structure(type, to);
        return;
      case Shape::variant: throw Error("a variant can only be decoded as a field of a described struct");
    }
  }

  // null takes back what an earlier member of the same name set, and is otherwise nothing.
  void null(const Type& type, void* to) {
    if (type.shape == Shape::wrapped) return null(type.element(), type.ops.emplace(to));
    reader_.null();
    if (type.ops.clear != nullptr) type.ops.clear(to);
    if (type.shape == Shape::json) as<json::Value>(to) = json::Value();
  }

  template <class T>
  void integer(json::Kind kind, std::string_view expected, void* to) {
    if (!expect(kind == json::Kind::number, expected)) return;
    const std::size_t start = reader_.offset();
    const json::Number number = reader_.number();
    if (number.integer && std::in_range<T>(number.as_int)) {
      as<T>(to) = static_cast<T>(number.as_int);
      return;
    }
    problem_at(start, "expected " + std::string(expected) + ", found " + std::string(reader_.since(start)));
  }

  void unsigned_integer(json::Kind kind, void* to) {
    constexpr std::string_view kExpected = "an integer from 0 to 18446744073709551615";
    if (!expect(kind == json::Kind::number, kExpected)) return;
    const std::size_t start = reader_.offset();
    const std::string_view text = reader_.raw();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
      problem_at(start, "expected " + std::string(kExpected) + ", found " + std::string(text));
      return;
    }
    as<std::uint64_t>(to) = number;
  }

  json::Value any() {
    if (!options_.strict) return json::parse_next(reader_, {.duplicates = json::Duplicates::last_wins});
    const json::Reader::Mark start = reader_.mark();
    try {
      return json::parse_next(reader_, {.duplicates = json::Duplicates::refuse});
    } catch (const json::ParseError&) {
      reader_.rewind(start);
    }
    find_repeated();  // throws when the text is not even JSON
    return {};
  }

  // Reports every member that stands twice within the next value, and passes over it.
  void find_repeated() {
    const json::Kind kind = reader_.peek();
    if (kind == json::Kind::array) {
      reader_.begin_array();
      while (reader_.next_element()) find_repeated();
    } else if (kind == json::Kind::object) {
      std::set<std::string, std::less<>> seen;
      reader_.begin_object();
      while (const auto key = reader_.next_member()) {
        if (!seen.emplace(*key).second) repeated(*key);
        find_repeated();
      }
    } else {
      reader_.skip();
    }
  }

  void enumeration(const Type& type, void* to) {
    const std::size_t start = reader_.offset();
    const std::string_view text = reader_.string();
    for (const EnumValue& one : type.values) {
      if (one.name == text) return type.ops.set_enum(to, one.value);
    }
    std::vector<std::string_view> names;
    for (const EnumValue& one : type.values) names.push_back(one.name);
    problem_at(start,
               "expected one of " + names_of(type) + ", found " + json::summary(json::Value(text)) + hint(text, names));
  }

  static std::string names_of(const Type& type) {
    std::string list;
    for (const EnumValue& one : type.values) list += (list.empty() ? "" : ", ") + std::string(one.name);
    return list;
  }

  // A scalar reports through the reader; the decoder goes on behind it.
  void scalar(const Type& type, void* to) {
    const json::Reader::Mark start = reader_.mark();
    const std::size_t offset = reader_.offset();
    try {
      type.ops.decode(reader_, to);
    } catch (const InputError& error) {
      reader_.rewind(start);
      reader_.skip();  // throws again when the text is not even JSON
      problem_at(offset, error.problem());
    }
  }

  void list(const Type& type, void* to) {
    type.ops.clear(to);
    const Type& element = type.element();
    reader_.begin_array();
    while (reader_.next_element()) value(element, type.ops.append(to));
  }

  void map(const Type& type, void* to) {
    type.ops.clear(to);
    const Type& element = type.element();
    reader_.begin_object();
    std::size_t count = 0;
    while (const auto key = reader_.next_member()) {
      void* at = type.ops.insert(to, *key);
      if (options_.strict && type.ops.count(to) == count) repeated(*key);
      count = type.ops.count(to);
      value(element, at);
    }
  }

  void structure(const Type& type, void* to) {
    std::vector<const Field*> seen;  // strict only
    std::size_t next = 0;            // writers keep to the table's order: the field after the last one comes first
    reader_.begin_object();
    while (const auto key = reader_.next_member()) {
      Found found;
      if (next < type.fields.size() && type.fields[next].name == *key && !type.fields[next].inlined) {
        found = {&type, &type.fields[next], to};
      } else {
        found = find_member(type, to, *key);
      }
      if (found.field == nullptr) {
        if (type.kind != nullptr && type_meta(*type.kind, *key)) continue;
        if (options_.strict) unknown(type, *key);
        reader_.skip();
        continue;
      }
      if (found.owner == &type) next = static_cast<std::size_t>(found.field - type.fields.data()) + 1;
      if (options_.strict) {
        if (std::ranges::find(seen, found.field) != seen.end()) repeated(*key);
        seen.push_back(found.field);
      }
      void* at = member(found.object, *found.field);
      if (const Type& field_type = found.field->type(); field_type.shape == Shape::variant) {
        variant(*found.owner, *found.field, field_type, at);
      } else {
        // What the outer struct's initialiser puts into a sub-object holds only when the sub-object is not there at
        // all; so the API server's defaulting has it, and so encoding takes it.
        if (field_type.ops.reset != nullptr && reader_.peek() == json::Kind::object) field_type.ops.reset(at);
        value(field_type, at);
      }
    }
  }

  // apiVersion and kind of a top-level kind are no members; what they say must fit all the same.
  bool type_meta(const KindInfo& kind, std::string_view key) {
    const bool is_version = key == "apiVersion";
    if (!is_version && key != "kind") return false;
    if (!expect(reader_.peek() == json::Kind::string, "a string")) return true;
    const std::size_t start = reader_.offset();
    const std::string_view expected = is_version ? kind.api_version : kind.kind;
    const std::string_view found = reader_.string();
    if (found == expected || found.empty() || (is_version && kind.any_group)) return true;
    const std::string text(found);
    problem_at(start, "expected " + std::string(expected) + ", found " + json::summary(json::Value(text)));
    return true;
  }

  // An object belongs to the field that is boxed, anything else to the other one.
  void either(const Type& type, void* to, json::Kind kind) {
    const bool boxed_first = type.fields[0].type().shape == Shape::optional;
    const Field& boxed = type.fields[boxed_first ? 0 : 1];
    const Field& other = type.fields[boxed_first ? 1 : 0];
    const bool other_is_flag = other.type().shape == Shape::boolean;
    if (kind == json::Kind::object) {
      value(boxed.type(), member(to, boxed));
      if (other_is_flag) as<bool>(member(to, other)) = true;  // a schema allows
      return;
    }
    const bool fits = kind == (other_is_flag ? json::Kind::boolean : json::Kind::array);
    if (!expect(fits, other_is_flag ? "an object or a boolean" : "an object or a list")) return;
    boxed.type().ops.clear(member(to, boxed));
    value(other.type(), member(to, other));
  }

  void variant(const Type& owner, const Field& field, const Type& type, void* to) {
    const json::Kind kind = reader_.peek();
    if (kind == json::Kind::null) return null(type, to);
    if (!expect(kind == json::Kind::object, "an object")) return;
    const auto attributes = owner.attributes_of(field);
    const auto names = std::ranges::find(attributes, AttributeKind::alternatives, &Attribute::kind);
    type.ops.clear(to);
    std::optional<std::size_t> chosen;
    reader_.begin_object();
    while (const auto key = reader_.next_member()) {
      const auto end = names->words.begin() + names->word_count;
      const auto name = std::find(names->words.begin(), end, *key);
      if (name == end) {
        if (options_.strict) {
          problem_at(reader_.member_offset(),
                     "unknown field \"" + std::string(*key) + "\"" + hint(*key, {names->words.begin(), end}));
        }
        reader_.skip();
        continue;
      }
      const auto index = static_cast<std::size_t>(name - names->words.begin());
      if (chosen && *chosen != index) {
        problem_at(reader_.member_offset(), "only one of the alternatives may be set, and one stands before this");
        reader_.skip();
        continue;
      }
      if (chosen && options_.strict) repeated(*key);
      chosen = index;
      value(type.alternatives[index](), type.ops.choose(to, index));
    }
  }

  // Reports and passes over what is not of the kind that was expected.
  bool expect(bool holds, std::string_view expected) {
    if (holds) return true;
    const std::size_t start = reader_.offset();
    const std::string path = reader_.path();
    const std::string_view found = reader_.raw();
    std::string problem = "expected " + std::string(expected) + ", found ";
    const json::Value value = json::parse(found, {.duplicates = json::Duplicates::last_wins});
    problem += json::summary(value);
    // What YAML takes for a number or a boolean was often meant as text: a version, `on`.
    if (expected == "a string" && !value.is_object() && !value.is_array()) problem += "; put it in quotes";
    if (value.is_string() && reads_as(value.as_string(), expected)) problem += "; take the quotes away";
    problems_.emplace_back(reader_.position_of(start), path, std::move(problem));
    return false;
  }

  // Whether the text, without its quotes, would be what was expected.
  static bool reads_as(std::string_view text, std::string_view expected) {
    if (expected == "a boolean") return text == "true" || text == "false";
    if (expected != "a number" && expected.find("integer") == std::string_view::npos) return false;
    const std::string_view letters = expected == "a number" ? "-.eE0123456789" : "-0123456789";
    if (text.find_first_not_of(letters) != std::string_view::npos) return false;
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
  }

  void unknown(const Type& type, std::string_view name) {
    std::vector<std::string_view> names;
    collect_names(type, names);
    problem_at(reader_.member_offset(), "unknown field \"" + std::string(name) + "\"" + hint(name, names));
  }

  void repeated(std::string_view name) {
    problem_at(reader_.member_offset(), "the field \"" + std::string(name) + "\" stands twice");
  }

  static std::string hint(std::string_view wrong, const std::vector<std::string_view>& names) {
    const std::string_view near = nearest_name(wrong, names);
    return near.empty() ? "" : "; did you mean \"" + std::string(near) + "\"?";
  }

  void problem_at(std::size_t offset, std::string problem) {
    problems_.emplace_back(reader_.position_of(offset), reader_.path(), std::move(problem));
  }

  const DecodeOptions& options_;
  json::Reader reader_;
  std::vector<InputError> problems_;
};

// How many letters to change, add, take away or swap with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

DecodeError::DecodeError(std::vector<InputError> problems) : Error(join(problems)), problems_(std::move(problems)) {}

std::string_view nearest_name(std::string_view wrong, const std::vector<std::string_view>& known) {
  // A third of the letters may be wrong; a hostile name is not worth comparing.
  if (wrong.empty() || wrong.size() > 64) return {};
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, wrong.size() / 3);
  for (const std::string_view name : known) {
    if (const std::size_t d = distance(wrong, name); d <= least && (best.empty() || d < least)) {
      best = name;
      least = d;
    }
  }
  return best;
}

void decode(std::string_view text, const Type& type, void* to, const DecodeOptions& options) {
  Decoder(text, options).decode(type, to);
}

}  // namespace flyball::reflect
