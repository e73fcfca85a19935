// SHA-256, for those outside this room who need one: OpenSSL stays inside.
//
//   sha256("abc")                       // 32 bytes
//
// Thread-safety: a pure function.
#pragma once

#include <string>
#include <string_view>

namespace flyball::net {

std::string sha256(std::string_view bytes);

}  // namespace flyball::net
