// What of a request and its answer is text for people: targets as they may be logged, and warnings.
#include "flyball/base/secret.hpp"
#include "flyball/client/engine.hpp"

namespace flyball::client {

std::string loggable_target(std::string_view target) {
  const std::size_t question = target.find('?');
  std::string text(target.substr(0, question));
  if (question == std::string_view::npos) return text;
  char before = '?';
  for (std::string_view rest = target.substr(question + 1); !rest.empty();) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::string_view name = pair.substr(0, pair.find('='));
    text += before;
    before = '&';
    if (name == "continue") {
      text += "continue=…";
    } else if (looks_secret(name)) {
      text += std::string(name) + "=" + std::string(kRedacted);
    } else {
      text += pair;
    }
  }
  return text;
}

namespace {

// The quoted text of `299 - "the text" "a date"`; the whole where it is written otherwise.
std::string warning_text(std::string_view value) {
  const std::size_t open = value.find('"');
  if (open == std::string_view::npos) return std::string(value);
  std::string text;
  for (std::size_t i = open + 1; i < value.size() && value[i] != '"'; ++i) {
    if (value[i] == '\\' && i + 1 < value.size()) ++i;
    text += value[i];
  }
  return text;
}

}  // namespace

std::vector<std::string> warnings_in(const net::Headers& headers) {
  std::vector<std::string> texts;
  for (const auto& field : headers) {
    if (net::same_name(field.name, "Warning")) texts.push_back(warning_text(field.value));
  }
  return texts;
}

}  // namespace flyball::client
