// cel-go's string extensions, version 2, as Kubernetes turns them on; and its regular expressions.
#include <algorithm>

#include "flyball/base/regex.hpp"
#include "flyball/cel/functions.hpp"
#include "flyball/cel/operations.hpp"
#include "flyball/cel/source.hpp"

namespace flyball::cel {
namespace {

using Kind = Value::Kind;

Value out_of_range(std::int64_t index) { return Value::error("index out of range: " + std::to_string(index)); }

Value char_at(Args args) {
  const std::u32string text = from_utf8(args[0].text());
  const std::int64_t index = args[1].as_int();
  if (index < 0 || args[1].as_uint() > text.size()) return out_of_range(index);
  return Value::string(to_utf8(std::u32string_view(text).substr(static_cast<std::size_t>(index), 1)));
}

Value index_in_string(Args args) {
  const std::int64_t offset = args.size() == 3 ? args[2].as_int() : 0;
  if (args[1].text().empty()) return Value::integer(offset);
  if (offset < 0) return out_of_range(offset);
  const std::u32string text = from_utf8(args[0].text());
  if (static_cast<std::size_t>(offset) >= text.size()) return Value::integer(-1);
  const std::size_t found = text.find(from_utf8(args[1].text()), static_cast<std::size_t>(offset));
  return Value::integer(found == std::u32string::npos ? -1 : static_cast<std::int64_t>(found));
}

Value last_index_in_string(Args args) {
  const std::u32string text = from_utf8(args[0].text());
  const std::u32string part = from_utf8(args[1].text());
  if (args.size() == 2 && part.empty()) return Value::integer(static_cast<std::int64_t>(text.size()));
  if (args.size() == 2 && args[0].text().size() < args[1].text().size()) return Value::integer(-1);
  const std::int64_t offset = args.size() == 3 ? args[2].as_int() : static_cast<std::int64_t>(text.size()) - 1;
  if (part.empty()) return Value::integer(offset);
  if (offset < 0) return out_of_range(offset);
  if (static_cast<std::size_t>(offset) >= text.size()) return Value::integer(-1);
  const std::size_t found = text.rfind(part, static_cast<std::size_t>(offset));
  return Value::integer(found == std::u32string::npos ? -1 : static_cast<std::int64_t>(found));
}

template <char From, char To>
Value shift_case(Args args) {
  std::string text = args[0].text();
  for (char& c : text) {
    if (c >= From && c <= From + 25) c = static_cast<char>(c - From + To);
  }
  return Value::string(std::move(text));
}

// The characters of a text, at most `most`; the last one has the rest.
std::vector<std::string> characters(const std::string& text, std::size_t most) {
  std::vector<std::string> parts;
  const std::u32string all = from_utf8(text);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool last = i + 1 == most;
    parts.push_back(to_utf8(std::u32string_view(all).substr(i, last ? all.size() : 1)));
    if (last) break;
  }
  return parts;
}

Value replace(Args args) {
  const std::string& text = args[0].text();
  const std::string& old = args[1].text();
  const std::string& with = args[2].text();
  std::uint64_t most = args.size() == 4 && args[3].as_int() >= 0 ? args[3].as_uint() : UINT64_MAX;
  std::string made;
  if (old.empty()) {
    for (const std::string& c : characters(text, SIZE_MAX)) {
      if (most > 0) {
        made += with;
        --most;
      }
      made += c;
    }
    return Value::string(made + (most > 0 ? with : ""));
  }
  std::size_t at = 0;
  for (; most > 0; --most) {
    const std::size_t found = text.find(old, at);
    if (found == std::string::npos) break;
    made.append(text, at, found - at).append(with);
    at = found + old.size();
  }
  return Value::string(made + text.substr(at));
}

Value split(Args args) {
  const std::string& text = args[0].text();
  const std::string& between = args[1].text();
  const std::int64_t limit = args.size() == 3 ? args[2].as_int() : -1;
  const std::size_t most = limit < 0 ? SIZE_MAX : static_cast<std::size_t>(limit);
  std::vector<Value> parts;
  if (most == 0) return Value::list(std::move(parts));
  if (between.empty()) {
    for (std::string& c : characters(text, most)) parts.push_back(Value::string(std::move(c)));
    return Value::list(std::move(parts));
  }
  std::size_t at = 0;
  while (parts.size() + 1 < most) {
    const std::size_t found = text.find(between, at);
    if (found == std::string::npos) break;
    parts.push_back(Value::string(text.substr(at, found - at)));
    at = found + between.size();
  }
  parts.push_back(Value::string(text.substr(at)));
  return Value::list(std::move(parts));
}

Value substring(Args args) {
  const std::u32string text = from_utf8(args[0].text());
  const auto size = static_cast<std::int64_t>(text.size());
  const std::int64_t start = args[1].as_int();
  const std::int64_t end = args.size() == 3 ? args[2].as_int() : size;
  if (args.size() == 3 && start > end) {
    return Value::error("invalid substring range. start: " + std::to_string(start) + ", end: " + std::to_string(end));
  }
  if (start < 0 || start > size) return out_of_range(start);
  if (end < 0 || end > size) return out_of_range(end);
  return Value::string(to_utf8(
      std::u32string_view(text).substr(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start))));
}

bool is_space(char32_t c) {
  return (c >= 9 && c <= 13) || c == ' ' || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

Value trim(Args args) {
  const std::u32string text = from_utf8(args[0].text());
  const auto begin = std::ranges::find_if_not(text, is_space);
  auto end = text.end();
  while (end != begin && is_space(*(end - 1))) --end;
  return Value::string(to_utf8(std::u32string(begin, end)));
}

Value join(Args args) {
  std::string text;
  const List& list = args[0].as_list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0 && args.size() == 2) text += args[1].text();
    const Value element = list.at(i);
    if (!element.is(Kind::string)) return Value::error("join: invalid input: " + go_text(element));
    text += element.text();
  }
  return Value::string(std::move(text));
}

Value quote(Args args) {
  std::string text = "\"";
  static constexpr std::string_view kSpecial = "\a\b\f\n\r\t\v\\\"";
  static constexpr std::string_view kLetters = "abfnrtv\\\"";
  for (const char c : args[0].text()) {
    if (const std::size_t at = kSpecial.find(c); at != std::string_view::npos) {
      text += '\\';
      text += kLetters[at];
    } else {
      text += c;
    }
  }
  return Value::string(text + "\"");
}

Value illegal(const RegexError& error) { return Value::error(std::string("Illegal regex: ") + error.what()); }

Value find(Args args) {
  try {
    const std::string& text = args[0].text();
    const auto found = Regex(args[1].text()).find(text);
    return Value::string(found ? text.substr(found->begin, found->end - found->begin) : "");
  } catch (const RegexError& error) {
    return illegal(error);
  }
}

Value find_all(Args args) {
  try {
    const std::string& text = args[0].text();
    const std::size_t most = args.size() == 3 && args[2].as_int() >= 0 ? args[2].as_uint() : SIZE_MAX;
    std::vector<Value> all;
    for (const auto& [begin, end] : Regex(args[1].text()).find_all(text, most)) {
      all.push_back(Value::string(text.substr(begin, end - begin)));
    }
    return Value::list(std::move(all));
  } catch (const RegexError& error) {
    return illegal(error);
  }
}

}  // namespace

void add_strings(Functions& to) {
  to.member("charAt", "string_char_at_int", "string, int -> string", char_at);
  to.member("indexOf", "string_index_of_string", "string, string -> int", index_in_string);
  to.member("indexOf", "string_index_of_string_int", "string, string, int -> int", index_in_string);
  to.member("lastIndexOf", "string_last_index_of_string", "string, string -> int", last_index_in_string);
  to.member("lastIndexOf", "string_last_index_of_string_int", "string, string, int -> int", last_index_in_string);
  to.member("lowerAscii", "string_lower_ascii", "string -> string", shift_case<'A', 'a'>);
  to.member("replace", "string_replace_string_string", "string, string, string -> string", replace);
  to.member("replace", "string_replace_string_string_int", "string, string, string, int -> string", replace);
  to.member("split", "string_split_string", "string, string -> list(string)", split);
  to.member("split", "string_split_string_int", "string, string, int -> list(string)", split);
  to.member("substring", "string_substring_int", "string, int -> string", substring);
  to.member("substring", "string_substring_int_int", "string, int, int -> string", substring);
  to.member("trim", "string_trim", "string -> string", trim);
  to.member("upperAscii", "string_upper_ascii", "string -> string", shift_case<'a', 'A'>);
  to.global("strings.quote", "strings_quote", "string -> string", quote);
  to.member("join", "list_join", "list(string) -> string", join);
  to.member("join", "list_join_string", "list(string), string -> string", join);
}

void add_regex(Functions& to) {
  to.member("find", "string_find_string", "string, string -> string", find);
  to.member("findAll", "string_find_all_string", "string, string -> list(string)", find_all);
  to.member("findAll", "string_find_all_string_int", "string, string, int -> list(string)", find_all);
}

}  // namespace flyball::cel
