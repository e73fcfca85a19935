// 'replicas: %d'.format([3]) as version 2 of cel-go's string extensions does it, for the locale en_US.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "flyball/cel/detail/format_clauses.hpp"
#include "flyball/cel/functions.hpp"
#include "flyball/cel/operations.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::cel {
namespace detail {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Behind the %; gives how many characters the clause takes.
std::size_t read_clause(std::string_view text, FormatClause& clause, std::string& problem) {
  std::size_t i = 0;
  if (text[0] == '.') {
    ++i;
    std::string digits;
    while (i < text.size() && is_digit(text[i])) digits += text[i++];
    if (i >= text.size()) {
      problem = "error while parsing precision: could not find end of precision specifier";
      return 0;
    }
    if (digits.empty()) {
      problem =
          "error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing \"\": "
          "invalid syntax";
      return 0;
    }
    clause.precision = std::stoi(digits.substr(0, 6));
  }
  clause.letter = text[i++];
  if (std::string_view("sdfebxXo").find(clause.letter) == std::string_view::npos) {
    problem = "unrecognized formatting clause \"" + std::string(1, clause.letter) + "\"";
    return 0;
  }
  return i;
}

}  // namespace

std::string fill_format(std::string_view format, std::size_t arguments, const FormatArgument& write, std::size_t& seen,
                        std::string& problem, bool counts_missing) {
  std::string made;
  seen = 0;
  for (std::size_t i = 0; i < format.size();) {
    if (format[i] != '%') {
      made += format[i++];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      made += '%';
      i += 2;
      continue;
    }
    if (counts_missing && seen >= arguments) {
      problem = "index " + std::to_string(seen) + " out of range";
      return "";
    }
    ++seen;
    if (i + 1 >= format.size()) {
      problem = "unexpected end of string";
      return "";
    }
    if (seen > arguments) {
      problem = "index " + std::to_string(seen - 1) + " out of range";
      return "";
    }
    FormatClause clause;
    const std::size_t length = read_clause(format.substr(i + 1), clause, problem);
    if (!problem.empty()) {
      problem.insert(0, "could not parse formatting clause: ");
      return "";
    }
    made += write(seen - 1, clause, problem);
    if (!problem.empty()) {
      problem.insert(0, "error during formatting: ");
      return "";
    }
    i += 1 + length;
  }
  return made;
}

std::string format_mismatch(char letter, const std::string& type) {
  const std::string given = ", was given " + type;
  switch (letter) {
    case 'd': return "decimal clause can only be used on integers" + given;
    case 'f': return "fixed-point clause can only be used on doubles" + given;
    case 'e': return "scientific clause can only be used on doubles" + given;
    case 'b': return "only integers and bools can be formatted as binary" + given;
    case 'x':
    case 'X': return "only integers, byte buffers, and strings can be formatted as hex" + given;
    case 'o': return "octal clause can only be used on integers" + given;
    default:
      return "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, "
             "and timestamps" +
             given;
  }
}

}  // namespace detail

namespace {

using Kind = Value::Kind;

std::string printed(const char* format, int precision, double value) {
  const int size = std::snprintf(nullptr, 0, format, precision, value);
  std::string text(static_cast<std::size_t>(std::max(size, 0)), ' ');
  std::snprintf(text.data(), text.size() + 1, format, precision, value);
  return text;
}

std::string in_base(std::uint64_t value, unsigned base, bool negative, bool upper) {
  const std::string_view known = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  std::string digits;
  do digits += known[value % base];
  while ((value /= base) > 0);
  if (negative) digits += '-';
  std::ranges::reverse(digits);
  return digits;
}

std::string integer_in_base(const Value& value, unsigned base, bool upper = false) {
  const bool negative = value.is(Kind::integer) && value.as_int() < 0;
  return in_base(negative ? 0 - value.as_uint() : value.as_uint(), base, negative, upper);
}

std::string hexadecimal(std::string_view bytes, bool upper) {
  std::string text;
  for (const char c : bytes) {
    const std::string digits = in_base(static_cast<unsigned char>(c), 16, false, upper);
    text += digits.size() == 1 ? "0" + digits : digits;
  }
  return text;
}

// 1234567.891000 as 1,234,567.891000.
std::string grouped(const std::string& number) {
  const std::size_t begin = number.starts_with('-') ? 1 : 0;
  const std::size_t point = std::min(number.find('.'), number.size());
  std::string text = number.substr(0, begin);
  for (std::size_t i = begin; i < point; ++i) {
    if (i > begin && (point - i) % 3 == 0) text += ',';
    text += number[i];
  }
  return text + number.substr(point);
}

std::string fixed_point(double value, int precision) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-∞" : "∞";
  return grouped(printed("%.*f", precision, value));
}

// 1.500000×10⁰⁰, as Go's locale-aware printer writes it.
std::string scientific(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-∞" : "∞";
  const std::string text = printed("%.*e", 6, value);
  const std::size_t e = text.find('e');
  std::string exponent = text.substr(e + 1);
  std::string power;
  static constexpr std::array<const char*, 10> kRaised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (const char c : exponent) {
    if (c == '-') power += "⁻";
    if (c >= '0' && c <= '9') power += kRaised[static_cast<std::size_t>(c - '0')];
  }
  return text.substr(0, e) + "×10" + power;
}

std::string in_string(const Value& value, std::string& problem);

// Inside of lists and maps.
std::string nested(const Value& value, std::string& problem) {
  switch (value.kind()) {
    case Kind::string: return kube::go::quote(value.text());
    case Kind::bytes: {
      const std::string text = in_string(value, problem);
      return "b" + kube::go::quote(text);
    }
    case Kind::real: {
      const double d = value.as_double();
      if (std::isnan(d)) return "\"NaN\"";
      if (std::isinf(d)) return d < 0 ? "\"-Inf\"" : "\"+Inf\"";
      return printed("%.*f", 6, d);
    }
    case Kind::timestamp: return "timestamp(" + kube::go::quote(timestamp_text(value)) + ")";
    case Kind::duration: return "duration(" + kube::go::quote(duration_seconds_text(value.as_int())) + ")";
    case Kind::optional:
    case Kind::object: problem = "no formatting function for " + type_of(value)->name(); return "";
    default: return in_string(value, problem);
  }
}

std::string list_in_string(const List& list, std::string& problem) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size() && problem.empty(); ++i) {
    text += (i == 0 ? "" : ", ") + nested(list.at(i), problem);
  }
  return text + "]";
}

std::string map_in_string(const Map& map, std::string& problem) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const Value& key : map.keys()) {
    if (key.is(Kind::real) || key.is(Kind::bytes) || key.is(Kind::null)) {
      problem = "no formatting function for map key of type " + type_of(key)->name();
      return "";
    }
    entries.emplace_back(nested(key, problem), nested(*map.find(key), problem));
    if (!problem.empty()) return "";
  }
  std::ranges::stable_sort(entries, {}, &std::pair<std::string, std::string>::first);
  std::string text = "{";
  for (const auto& [key, value] : entries) {
    if (text.size() > 1) text += ", ";
    text.append(key).append(":").append(value);
  }
  return text + "}";
}

std::string in_string(const Value& value, std::string& problem) {
  switch (value.kind()) {
    case Kind::list: return list_in_string(value.as_list(), problem);
    case Kind::map: return map_in_string(value.as_map(), problem);
    case Kind::null: return "null";
    case Kind::optional:
    case Kind::object: problem = detail::format_mismatch('s', type_of(value)->name()); return "";
    default: {
      const Value text = convert(value, string_type());
      if (!text.is_error()) return text.text();
      problem = "could not convert argument " + kube::go::quote(text.text()) + " to string";
      return "";
    }
  }
}

bool clause_takes(char letter, const Value& value) {
  const bool integer = value.is(Kind::integer) || value.is(Kind::unsigned_integer);
  switch (letter) {
    case 'd':
    case 'o': return integer;
    case 'b': return integer || value.is(Kind::boolean);
    case 'x':
    case 'X': return integer || value.is(Kind::string) || value.is(Kind::bytes);
    case 'f':
    case 'e':
      return value.is(Kind::real) || (value.is(Kind::string) && (value.text() == "NaN" || value.text() == "Infinity" ||
                                                                 value.text() == "-Infinity"));
    default: return true;
  }
}

std::string written(const Value& value, const detail::FormatClause& clause, std::string& problem) {
  if (!clause_takes(clause.letter, value)) {
    problem = detail::format_mismatch(clause.letter, type_of(value)->name());
    return "";
  }
  const bool upper = clause.letter == 'X';
  switch (clause.letter) {
    case 'd': return integer_in_base(value, 10);
    case 'o': return integer_in_base(value, 8);
    case 'b': return integer_in_base(value, 2);
    case 'x':
    case 'X':
      if (value.is(Kind::string) || value.is(Kind::bytes)) return hexadecimal(value.text(), upper);
      return integer_in_base(value, 16, upper);
    case 'f': return fixed_point(convert(value, double_type()).as_double(), clause.precision.value_or(6));
    case 'e': return scientific(convert(value, double_type()).as_double());
    default: return in_string(value, problem);
  }
}

Value format(Args args) {
  const List& list = args[1].as_list();
  std::string problem;
  std::size_t seen = 0;
  std::string text = detail::fill_format(
      args[0].text(), list.size(),
      [&](std::size_t index, const detail::FormatClause& clause, std::string& why) {
        return written(list.at(index), clause, why);
      },
      seen, problem, true);
  return problem.empty() ? Value::string(std::move(text)) : Value::error(std::move(problem));
}

}  // namespace

void add_string_format(Functions& to) {
  to.member("format", "string_format", "string, list(dyn) -> string", format);
  to.function("format").overloads.back().stops_at_error = true;
}

}  // namespace flyball::cel
