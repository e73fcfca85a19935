// What both ends of a SPDY/3 connection know before the first header: zlib begins with it.
#pragma once

#include <string>
#include <string_view>

namespace flyball::net::detail {

std::string spdy_dictionary();

}  // namespace flyball::net::detail
