#include "flyball/image/challenge.hpp"

#include <algorithm>
#include <cctype>

namespace flyball::image {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string_view skipped(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t,"), text.size());
  return text.substr(begin);
}

// The value behind "=", quoted or not; `rest` stands behind it.
std::string value_of(std::string_view& rest) {
  std::string value;
  if (!rest.starts_with('"')) {
    const std::size_t end = std::min(rest.find_first_of(", \t"), rest.size());
    value = rest.substr(0, end);
    rest.remove_prefix(end);
    return value;
  }
  std::size_t at = 1;
  for (; at < rest.size() && rest[at] != '"'; ++at) {
    if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
    value += rest[at];
  }
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return value;
}

}  // namespace

Challenge parse_challenge(std::string_view header) {
  std::string_view rest = skipped(header);
  const std::size_t blank = std::min(rest.find(' '), rest.size());
  Challenge challenge{.scheme = lower(rest.substr(0, blank))};
  rest.remove_prefix(blank);
  for (rest = skipped(rest); !rest.empty(); rest = skipped(rest)) {
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) break;
    const std::string name = lower(rest.substr(0, equals));
    rest.remove_prefix(equals + 1);
    challenge.parameters[name] = value_of(rest);
  }
  return challenge;
}

}  // namespace flyball::image
