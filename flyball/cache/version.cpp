#include "flyball/cache/version.hpp"

#include <charconv>
#include <functional>

namespace flyball::cache {

std::uint64_t version_number(std::string_view resource_version) {
  constexpr std::uint64_t kNoNumber = std::uint64_t{1} << 63U;
  std::uint64_t number = 0;
  const char* end = resource_version.data() + resource_version.size();
  const auto [stopped_at, problem] = std::from_chars(resource_version.data(), end, number);
  if (problem == std::errc() && stopped_at == end && is_ordered(number)) return number;
  return std::hash<std::string_view>()(resource_version) | kNoNumber;
}

}  // namespace flyball::cache
