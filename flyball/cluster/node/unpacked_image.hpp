// Images of OCI layouts and archives, unpacked where the node can run them.
//
//   if (store_has(".flyball/images", "shop/web:1")) use(unpacked_image(".flyball/images", "shop/web:1", folder, {}));
//
// An image is unpacked once, into a folder named after its digest; another one of the same name is another folder.
//
// Errors: ImageError. Thread-safety: all may be called from any thread, also for the same image.
#pragma once

#include <string>

#include "flyball/cluster/node/images.hpp"

namespace flyball::cluster::node {

// False, too, when there is no store.
bool store_has(const std::string& layout, const std::string& name);

// What the image says of itself, and where its files are; what is set in `over` goes before that.
Image unpacked_image(const std::string& path, const std::string& name, const std::string& folder, const Image& over);

}  // namespace flyball::cluster::node
