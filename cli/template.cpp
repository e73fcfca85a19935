#include "cli/template.hpp"

#include "flyball/base/error.hpp"

namespace flyball::cli {
namespace {

bool in_name(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

// The name of the hole that begins at `at`; empty when none does. Braces of C++ are none.
std::string_view hole_at(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("{{")) return {};
  std::size_t end = at + 2;
  while (end < text.size() && in_name(text[end])) ++end;
  return text.substr(end).starts_with("}}") ? text.substr(at + 2, end - at - 2) : std::string_view();
}

std::string fill_line(std::string_view line, const Values& values) {
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    const std::string_view name = hole_at(line, at);
    if (name.empty()) {
      out += line[at++];
      continue;
    }
    const auto found = values.find(name);
    if (found == values.end()) throw Error("a template asks for " + std::string(name));
    out += found->second;
    at += name.size() + 4;
  }
  return out;
}

bool is_there(const Values& values, std::string_view name) {
  const auto found = values.find(name);
  return found != values.end() && !found->second.empty();
}

}  // namespace

std::string fill_text(std::string_view text, const Values& values) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end_of_line = text.find('\n');
    std::string_view line = text.substr(0, end_of_line == std::string_view::npos ? end_of_line : end_of_line + 1);
    text.remove_prefix(line.size());
    if (line.starts_with("{{?")) {
      const std::size_t end = line.find("}}");
      if (!is_there(values, line.substr(3, end - 3))) continue;
      line.remove_prefix(end + 2);
    }
    out += fill_line(line, values);
  }
  return out;
}

std::string fill(std::string_view name, const Values& values) {
  const auto found = templates().find(name);
  if (found == templates().end()) throw Error("there is no template " + std::string(name));
  return fill_text(found->second, values);
}

}  // namespace flyball::cli
