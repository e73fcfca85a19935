// The files of an image, laid out in a folder: every layer over the one before it.
//
//   unpack(read_image("web.tar"), "/tmp/root");
//
// Whatever the archives say, nothing outside the folder is touched: names with ".." are refused, and symbolic links are
// followed as if the folder were the root. Whiteouts take away what lower layers brought. Devices are left out, as are
// set-user-id bits; owners are set where we are root.
//
// Errors: Error that names the entry. What was unpacked by then stays.
//
// Thread-safety: one call per folder, which nobody else changes meanwhile.
#pragma once

#include <string>
#include <string_view>

#include "flyball/image/image.hpp"

namespace flyball::image {

void unpack(const Image& image, const std::string& root);
// One layer, given as a tar archive.
void unpack_layer(std::string_view tar, const std::string& root);

}  // namespace flyball::image
