// Gzip, for layers: the same bytes in, the same bytes out, without the time of day in the header.
//
//   const std::string packed = gzip(tar);
//   const std::string tar = gunzip(packed, limit);          // also of several gzip streams one after the other
//
// Errors: Error for what is not gzip, ends too early or unpacks to more than the limit.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flyball::image {

std::string gzip(std::string_view bytes);
std::string gunzip(std::string_view packed, std::size_t limit);
bool is_gzip(std::string_view bytes);

}  // namespace flyball::image
