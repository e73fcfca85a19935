// Time zones by name, from the system's zoneinfo files.
//
// Thread-safety: pure functions; files are read at every call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace flyball::cel::detail {

// Seconds east of UTC at that moment; `problem` says why there are none. Beyond the last change that the file lists,
// the rule behind it (EST5EDT,M3.2.0,M11.1.0) is followed.
std::optional<std::int64_t> zone_offset(const std::string& name, std::int64_t seconds, std::string& problem);

}  // namespace flyball::cel::detail
