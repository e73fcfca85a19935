#include "flyball/apiserver/schema/json_path.hpp"

#include <algorithm>
#include <charconv>

namespace flyball::apiserver {
namespace {

using Step = JsonPath::Step;
using Steps = std::vector<Step>;
using Views = std::vector<json::View>;

bool is_terminator(char c) { return std::string_view(" \t\r\n.,[]$@{}").find(c) != std::string_view::npos; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> integer(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string unquoted(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    plain.push_back(text[i]);
  }
  return plain;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  Steps parse() {
    Steps steps;
    while (!rest_.empty()) step(steps);
    return steps;
  }

 private:
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  void step(Steps& to) {
    if (take("[?(")) return filter(to);
    if (take("..")) {
      if (!to.empty() && to.back().kind == Step::Kind::recursive)
        throw JsonPathError("invalid multiple recursive descent");
      to.push_back({.kind = Step::Kind::recursive});
      if (!rest_.empty() && !is_terminator(rest_[0])) member(to);
      return;
    }
    const char c = rest_[0];
    if (c == ' ' || c == '@' || c == '$') {
      rest_.remove_prefix(1);
    } else if (take("[")) {
      bracket(to);
    } else if (c == '"' || c == '\'') {
      to.push_back({.kind = Step::Kind::literal, .literal = json::Value(quoted())});
    } else if (take(".")) {
      member(to);
    } else if (c == '+' || c == '-' || is_digit(c)) {
      number(to);
    } else {
      word(to);
    }
  }

  std::string_view until_terminator() {
    std::size_t end = 0;
    while (end < rest_.size() && !is_terminator(rest_[end])) end += rest_[end] == '\\' ? 2 : 1;
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(text.size());
    return text;
  }

  void member(Steps& to) {
    const std::string_view name = until_terminator();
    if (name == "*") {
      to.push_back({.kind = Step::Kind::wildcard});
      return;
    }
    std::string plain(name);
    std::erase(plain, '\\');
    to.push_back({.name = std::move(plain)});
  }

  std::string quoted() {
    const char quote = rest_[0];
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] != quote || rest_[i - 1] == '\\') continue;
      const std::string text = unquoted(rest_.substr(1, i - 1));
      rest_.remove_prefix(i + 1);
      return text;
    }
    throw JsonPathError("unterminated quoted string");
  }

  void number(Steps& to) {
    std::size_t end = 1;
    while (end < rest_.size() && (is_digit(rest_[end]) || rest_[end] == '.')) ++end;
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end);
    if (const auto value = integer(text)) {
      to.push_back({.kind = Step::Kind::literal, .literal = json::Value(*value)});
      return;
    }
    double value = 0;
    const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || last != text.data() + text.size()) {
      throw JsonPathError("cannot parse number " + std::string(text));
    }
    to.push_back({.kind = Step::Kind::literal, .literal = json::Value(value)});
  }

  void word(Steps& to) {
    const std::string_view text = until_terminator();
    if (text != "true" && text != "false") throw JsonPathError("unrecognized identifier " + std::string(text));
    to.push_back({.kind = Step::Kind::literal, .literal = json::Value(text == "true")});
  }

  void bracket(Steps& to) {
    const std::size_t end = rest_.find(']');
    if (end == std::string_view::npos) throw JsonPathError("unterminated array");
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (text.find(',') == std::string_view::npos) return index(text, to);
    Step choice{.kind = Step::Kind::choice};
    for (std::string_view left = text;;) {
      const std::size_t comma = left.find(',');
      index(trimmed(left.substr(0, comma)), choice.paths.emplace_back());
      if (comma == std::string_view::npos) break;
      left.remove_prefix(comma + 1);
    }
    to.push_back(std::move(choice));
  }

  static void index(std::string_view text, Steps& to) {
    if (text.size() > 2 && text.front() == '\'' && text.back() == '\'') {
      const Steps members = Parser("." + std::string(text.substr(1, text.size() - 2))).parse_owned();
      to.insert(to.end(), members.begin(), members.end());
      return;
    }
    if (text == "*") text = ":";
    Step step{.kind = Step::Kind::slice, .single = text.find(':') == std::string_view::npos};
    std::size_t part = 0;
    for (std::string_view left = text; part < 3; ++part) {
      const std::size_t colon = left.find(':');
      const std::string_view number = left.substr(0, colon);
      if (!number.empty()) {
        step.slice[part] = integer(number);
        if (!step.slice[part]) throw JsonPathError("invalid array index " + std::string(text));
      }
      if (colon == std::string_view::npos) break;
      left.remove_prefix(colon + 1);
    }
    if (part == 3 || text.empty()) throw JsonPathError("invalid array index " + std::string(text));
    to.push_back(std::move(step));
  }

  explicit Parser(std::string&& text) : owned_(std::move(text)), rest_(owned_) {}
  Steps parse_owned() { return parse(); }

  void filter(Steps& to) {
    const std::string_view text = filter_text();
    Step step{.kind = Step::Kind::filter, .name = "exists"};
    const std::size_t begin = text.find_first_of("!<>=");
    const std::size_t end = text.find_first_not_of("!<>=", begin);
    if (begin == std::string_view::npos || begin == 0 || end == std::string_view::npos) {
      step.paths.push_back(Parser(text).parse());
    } else {
      step.name = text.substr(begin, end - begin);
      step.paths.push_back(Parser(text.substr(0, begin)).parse());
      step.paths.push_back(Parser(text.substr(end)).parse());
    }
    to.push_back(std::move(step));
  }

  // To the parenthesis that closes it, which none in a quoted text does.
  std::string_view filter_text() {
    char quote = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const char c = rest_[i];
      if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (quote != 0 && c == quote && rest_[i - 1] != '\\') {
        quote = 0;
      } else if (quote == 0 && c == ')') {
        const std::string_view text = rest_.substr(0, i);
        rest_.remove_prefix(i + 1);
        if (!take("]")) throw JsonPathError("unclosed array expect ]");
        return text;
      }
    }
    throw JsonPathError("unterminated filter");
  }

  std::string owned_;
  std::string_view rest_;
};

// An object does not fit the path.
struct Misfit {};

Views walk(const Steps& steps, Views values);

bool is_number(json::View value) { return value.kind() == json::Kind::integer || value.kind() == json::Kind::number; }

// -1, 0 or 1. Only values of the same kind compare.
int compared(json::View a, json::View b) {
  if (a.is_string() && b.is_string()) return a.as_string().compare(b.as_string());
  if (!is_number(a) || a.kind() != b.kind()) throw Misfit();
  if (a.as_double() == b.as_double()) return 0;
  return a.as_double() < b.as_double() ? -1 : 1;
}

bool passes(std::string_view op, json::View a, json::View b) {
  if (a.kind() == json::Kind::boolean && b.kind() == json::Kind::boolean) {
    if (op == "==") return a.as_bool() == b.as_bool();
    if (op == "!=") return a.as_bool() != b.as_bool();
    throw Misfit();
  }
  const int order = compared(a, b);
  if (op == "==") return order == 0;
  if (op == "!=") return order != 0;
  if (op == "<") return order < 0;
  if (op == ">") return order > 0;
  if (op == "<=") return order <= 0;
  if (op == ">=") return order >= 0;
  throw Misfit();
}

bool keeps(const Step& filter, json::View item) {
  const Views left = walk(filter.paths[0], {item});
  if (filter.name == "exists") return !left.empty();
  if (left.empty()) return false;
  const Views right = walk(filter.paths[1], {item});
  if (right.empty()) return false;
  if (left.size() > 1 || right.size() > 1) throw Misfit();
  return passes(filter.name, left[0], right[0]);
}

void slice(const Step& step, json::View list, Views& to) {
  if (list.is_null()) return;
  if (!list.is_array()) throw Misfit();
  const auto length = static_cast<std::int64_t>(list.size());
  std::int64_t begin = step.slice[0].value_or(0);
  std::int64_t end = step.single ? begin + 1 : step.slice[1].value_or(length);
  if (begin < 0) begin += length;
  if (end < 0 || (end == 0 && step.single)) end += length;
  if (begin == end) return;
  const std::int64_t stride = step.slice[2].value_or(1);
  if (begin < 0 || begin >= length || end < 0 || end > length || begin > end || stride <= 0) throw Misfit();
  std::int64_t index = 0;
  for (const json::View item : list.items()) {
    if (index >= begin && index < end && (index - begin) % stride == 0) to.push_back(item);
    ++index;
  }
}

void children(json::View value, Views& to) {
  for (const auto& [name, member] : value.entries()) to.push_back(member);
  for (const json::View item : value.items()) to.push_back(item);
}

void all_below(json::View value, Views& to) {
  Views below;
  children(value, below);
  if (below.empty()) return;
  to.push_back(value);
  for (const json::View one : below) all_below(one, to);
}

void take_step(const Step& step, json::View value, Views& to) {
  switch (step.kind) {
    case Step::Kind::member:
      if (const json::View member = value[step.name]; member.exists()) to.push_back(member);
      break;
    case Step::Kind::slice: slice(step, value, to); break;
    case Step::Kind::wildcard: children(value, to); break;
    case Step::Kind::recursive: all_below(value, to); break;
    case Step::Kind::filter:
      if (!value.is_array()) throw Misfit();
      for (const json::View item : value.items()) {
        if (keeps(step, item)) to.push_back(item);
      }
      break;
    case Step::Kind::literal: to.push_back(step.literal); break;
    case Step::Kind::choice: break;  // of all values at once
  }
}

Views walk(const Steps& steps, Views values) {
  for (const Step& step : steps) {
    Views next;
    if (step.kind == Step::Kind::choice) {
      for (const Steps& path : step.paths) {
        const Views found = walk(path, values);
        next.insert(next.end(), found.begin(), found.end());
      }
    } else {
      for (const json::View value : values) take_step(step, value, next);
    }
    values = std::move(next);
  }
  return values;
}

}  // namespace

JsonPath::JsonPath(std::string_view path) : steps_(Parser(path).parse()) {}

std::optional<std::vector<json::View>> JsonPath::find(json::View object) const {
  try {
    return walk(steps_, {object});
  } catch (const Misfit&) {
    return std::nullopt;
  }
}

}  // namespace flyball::apiserver
