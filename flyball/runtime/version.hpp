// The version of Flyball that a program was built with.
#pragma once

#include <string_view>

#include "flyball/client/http_transport.hpp"

namespace flyball::runtime {
inline constexpr std::string_view kVersion = client::kVersion;
}
