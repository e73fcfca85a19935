// The formats of strings that custom resources are checked against: date-time, ipv4, uuid, …
//
//   const Format* format = find_format("date-time");       // null when there is no such format
//   format->matches("2026-11-16T05:00:00Z");
//
// Thread-safety: pure functions; the table is constant.
#pragma once

#include <string_view>

namespace flyball::apiserver {

struct Format {
  std::string_view name;  // without dashes
  bool (*matches)(std::string_view text);
};

// Dashes in the name do not matter.
const Format* find_format(std::string_view name);

// Whether a schema of that type heeds the format. Others are ignored, as upstream ignores them.
bool is_checked_format(std::string_view type, std::string_view format);

}  // namespace flyball::apiserver
