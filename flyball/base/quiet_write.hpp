// Writing to a pipe whose reader may be gone. It raises SIGPIPE, which ends a program that does not expect it, and only
// sockets can be written without.
//
//   const long written = write_quietly(fd, text);       // as ::write: -1 and errno, EPIPE when nobody reads
//
// Thread-safety: any thread; the signals of others are not touched.
#pragma once

#include <string_view>

namespace flyball {

long write_quietly(int fd, std::string_view bytes) noexcept;

}  // namespace flyball
