#include "flyball/apiserver/go_errors.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace flyball::apiserver {
namespace {

// Reads a text as Go's scanner does, up to the first thing it does not like.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::string run() {
    if (!value()) return problem_;
    blanks();
    if (at_ < text_.size()) fail("after top-level value");
    return problem_;
  }

 private:
  static constexpr std::size_t kDeepest = 1000;  // as our own parser has it

  void blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool ended() {
    if (at_ < text_.size()) return false;
    problem_ = "unexpected end of JSON input";
    return true;
  }
  bool fail(std::string_view where) {
    if (ended()) return false;
    problem_ = "invalid character " + quoted(text_[at_]) + " " + std::string(where);
    return false;
  }
  static std::string quoted(char c) {
    if (c == '\'') return R"('\'')";
    if (c == '"') return "'\"'";
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) return {'\'', c, '\''};
    constexpr std::string_view kDigits = "0123456789abcdef";
    if (c == '\n') return R"('\n')";
    if (c == '\t') return R"('\t')";
    if (byte >= 0x80) {
      // Go takes the byte for the code point of that number.
      if (byte < 0xA0) return std::string(R"('\u00)") + kDigits[byte >> 4U] + kDigits[byte & 15U] + "'";
      return std::string("'") + static_cast<char>(0xC0U | (byte >> 6U)) + static_cast<char>(0x80U | (byte & 0x3FU)) +
             "'";
    }
    return std::string(R"('\x)") + kDigits[byte >> 4U] + kDigits[byte & 15U] + "'";
  }

  bool value() {
    blanks();
    if (ended()) return false;
    switch (text_[at_]) {
      case '{': return object();
      case '[': return array();
      case '"': return string();
      case 't': return literal("true");
      case 'f': return literal("false");
      case 'n': return literal("null");
      default: break;
    }
    if (text_[at_] == '-' || std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return number();
    return fail("looking for beginning of value");
  }

  bool object() {
    ++at_;
    if (++depth_ > kDeepest) {
      problem_ = "exceeded max depth";
      return false;
    }
    blanks();
    if (at_ < text_.size() && text_[at_] == '}') return close();
    for (;;) {
      blanks();
      if (ended()) return false;
      if (text_[at_] != '"') return fail("looking for beginning of object key string");
      if (!string()) return false;
      blanks();
      if (ended()) return false;
      if (text_[at_] != ':') return fail("after object key");
      ++at_;
      if (!value()) return false;
      blanks();
      if (ended()) return false;
      if (text_[at_] == '}') return close();
      if (text_[at_] != ',') return fail("after object key:value pair");
      ++at_;
    }
  }

  bool array() {
    ++at_;
    if (++depth_ > kDeepest) {
      problem_ = "exceeded max depth";
      return false;
    }
    blanks();
    if (at_ < text_.size() && text_[at_] == ']') return close();
    for (;;) {
      if (!value()) return false;
      blanks();
      if (ended()) return false;
      if (text_[at_] == ']') return close();
      if (text_[at_] != ',') return fail("after array element");
      ++at_;
    }
  }

  bool close() {
    ++at_;
    --depth_;
    return true;
  }

  bool string() {
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20) return fail("in string literal");
      if (c != '\\') continue;
      ++at_;
      if (ended()) return false;
      if (text_[at_] == 'u') {
        for (int i = 0; i < 4; ++i) {
          ++at_;
          if (ended()) return false;
          if (std::isxdigit(static_cast<unsigned char>(text_[at_])) == 0)
            return fail("in \\u hexadecimal character escape");
        }
      } else if (std::string_view("\"\\/bfnrt").find(text_[at_]) == std::string_view::npos) {
        return fail("in string escape code");
      }
    }
    return !ended();
  }

  bool literal(std::string_view word) {
    for (std::size_t i = 0; i < word.size(); ++i, ++at_) {
      if (ended()) return false;
      if (text_[at_] != word[i]) {
        return fail("in literal " + std::string(word) + " (expecting '" + word[i] + "')");
      }
    }
    return true;
  }

  bool digits(std::string_view where) {
    if (ended()) return false;
    if (std::isdigit(static_cast<unsigned char>(text_[at_])) == 0) return fail(where);
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return true;
  }

  bool number() {
    if (text_[at_] == '-') ++at_;
    if (at_ < text_.size() && text_[at_] == '0') {
      ++at_;
    } else if (!digits("in numeric literal")) {
      return false;
    }
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      if (!digits("after decimal point in numeric literal")) return false;
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      if (!digits("in exponent of numeric literal")) return false;
    }
    return true;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::string problem_;
};

const reflect::Type& bare(const reflect::Type& type) {
  return type.shape == reflect::Shape::optional ? bare(type.element()) : type;
}

std::string go_name(const reflect::Type& type) {
  switch (type.shape) {
    case reflect::Shape::boolean: return "bool";
    case reflect::Shape::int32: return "int32";
    case reflect::Shape::int64: return "int64";
    case reflect::Shape::float64: return "float64";
    case reflect::Shape::list: return "[]" + go_name(bare(type.element()));
    case reflect::Shape::map: return "map[string]" + go_name(bare(type.element()));
    case reflect::Shape::structure: return "v1." + std::string(type.name.substr(type.name.rfind('.') + 1));
    default: return "string";
  }
}

const reflect::Field* find_field(const reflect::Type& type, std::string_view name) {
  for (const reflect::Field& field : type.fields) {
    if (field.inlined) {
      if (const reflect::Field* inner = find_field(bare(field.type()), name)) return inner;
    } else if (field.name == name) {
      return &field;
    }
  }
  return nullptr;
}

// "the string "x"" → string; "an array of 2" → array; "the integer 1" → number.
std::string found_kind(std::string_view problem) {
  const std::size_t at = problem.rfind(", found ");
  if (at == std::string_view::npos) return {};
  const std::string_view found = problem.substr(at + 8);
  using Pair = std::pair<std::string_view, std::string_view>;
  static constexpr std::array<Pair, 6> kKinds = {{{"the string", "string"},
                                                  {"the integer", "number"},
                                                  {"the number", "number"},
                                                  {"the boolean", "bool"},
                                                  {"an array", "array"},
                                                  {"an object", "object"}}};
  if (!found.empty() && (found[0] == '-' || std::isdigit(static_cast<unsigned char>(found[0])) != 0)) {
    return "number " + std::string(found.substr(0, found.find_first_of("; ")));
  }
  for (const auto& [start, kind] : kKinds) {
    if (!found.starts_with(start)) continue;
    // A number that is not of that kind is shown.
    if (start == "the number" && problem.find("integer") != std::string_view::npos) {
      const std::string_view number = found.substr(start.size() + 1);
      return "number " + std::string(number.substr(0, number.find_first_of("; ")));
    }
    return std::string(kind);
  }
  return {};
}

// The names of a path without its indexes and keys: spec.containers[0].image.
std::vector<std::string_view> names_of(std::string_view path) {
  std::vector<std::string_view> names;
  while (!path.empty()) {
    const std::size_t end = path.find_first_of(".[");
    if (end != 0) names.push_back(path.substr(0, end));
    if (end == std::string_view::npos) break;
    path.remove_prefix(path[end] == '[' ? std::min(path.size(), path.find(']', end) + 1) : end + 1);
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  return names;
}

}  // namespace

std::string go_syntax_error(std::string_view text) { return Scanner(text).run(); }

std::string go_type_error(const reflect::Type& type, const InputError& problem) {
  const std::string kind = found_kind(problem.problem());
  const reflect::Type* owner = &type;
  const reflect::Type* at = &type;
  std::string path;
  for (const std::string_view name : names_of(problem.path())) {
    while (at->shape == reflect::Shape::list) at = &bare(at->element());
    if (at->shape == reflect::Shape::map) {
      at = &bare(at->element());
      continue;
    }
    const reflect::Field* field = find_field(*at, name);
    if (field == nullptr) break;
    owner = at;
    at = &bare(field->type());
    path += "." + std::string(name);
  }
  if (kind.empty() || path.empty()) return problem.path() + ": " + problem.problem();
  if (problem.path().ends_with(']')) {
    while (at->shape == reflect::Shape::list || at->shape == reflect::Shape::map) at = &bare(at->element());
  }
  return "json: cannot unmarshal " + kind + " into Go struct field " +
         std::string(owner->name.substr(owner->name.rfind('.') + 1)) + path + " of type " + go_name(*at);
}

std::string go_package(std::string_view group) {
  return group.empty() ? "core" : std::string(group.substr(0, group.find('.')));
}

}  // namespace flyball::apiserver
