// The time zones there are.
#pragma once

#include <string_view>

namespace flyball::apiserver {

// "Europe/London"; false for what the IANA database has no zone of, which is never "Local".
bool is_time_zone(std::string_view name);

}  // namespace flyball::apiserver
