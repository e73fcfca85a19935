#include "flyball/cluster/controllers/index_set.hpp"

#include <charconv>
#include <optional>

namespace flyball::cluster {
namespace {

std::optional<std::int32_t> number(std::string_view text) {
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Indexes parse_indexes(std::string_view text) {
  Indexes indexes;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const auto hyphen = part.find('-');
    const auto first = number(part.substr(0, hyphen));
    const auto last = hyphen == std::string_view::npos ? first : number(part.substr(hyphen + 1));
    if (!first || !last) continue;
    for (std::int32_t index = *first; index <= *last; ++index) indexes.insert(index);
  }
  return indexes;
}

std::string to_string(const Indexes& indexes) {
  std::string text;
  for (auto at = indexes.begin(); at != indexes.end();) {
    const std::int32_t first = *at;
    std::int32_t last = first;
    for (++at; at != indexes.end() && *at == last + 1; ++at) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(first);
    if (last > first) text += (last == first + 1 ? "," : "-") + std::to_string(last);
  }
  return text;
}

}  // namespace flyball::cluster
