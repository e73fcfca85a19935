// Where images of a project are: the folder .flyball/images, an OCI layout that `flyball image build` and `pull` fill
// and `push`, `inspect` and `flyball dev` read. A name may also be a path.
//
// Thread-safety: pure functions of the files.
#pragma once

#include <string>

#include "cli/command.hpp"

#include "flyball/image/image.hpp"

namespace flyball::cli {

inline constexpr const char* kImageStore = ".flyball/images";

// The image of that name in `from`, or in the store when that is empty; or the image in the file or folder `name`.
image::Image find_image(const std::string& name, const std::string& from, const Io& io);

// Writes it where `out` says: empty for the store, something that ends with .tar for an archive, else a layout folder.
// `format` is oci or docker-archive. Gives the place for the reader.
std::string put_image(const image::Image& image, const std::string& name, const std::string& out,
                      const std::string& format, const Io& io);

// "9.1 MB"
std::string size_text(std::size_t bytes);

}  // namespace flyball::cli
