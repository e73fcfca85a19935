// Base64, for headers.
#pragma once

#include <string>
#include <string_view>

namespace flyball::net::detail {

std::string base64(std::string_view bytes);

}  // namespace flyball::net::detail
