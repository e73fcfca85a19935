// Whole pieces of bytes, packed for a file: with a checksum, and no dictionary. Private to the room.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flyball::cache::detail {

std::string compress_piece(std::string_view bytes);
// Throws InputError when it is damaged or larger than `limit`.
std::string decompress_piece(std::string_view packed, std::size_t limit);

}  // namespace flyball::cache::detail
