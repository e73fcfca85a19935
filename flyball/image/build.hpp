// build_image: an image around one program: the program, certificate authorities, and a user that is not root.
//
//   const Image image = build_image(read_file("build/web-operator"), {.name = "web-operator"});
//
// The same program and options give the same bytes, on every machine with the same zlib: no time of day, no user, no
// folder of the builder gets in.
//
// Errors: Error when the program is not a Linux executable, or needs a loader and libraries that the image has not.
//
// Thread-safety: a pure function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/image/image.hpp"

namespace flyball::image {

struct BuildOptions {
  std::string name = "operator";             // of the program inside: /operator
  std::string certificate_authorities = {};  // PEM text, for /etc/ssl/certs/ca-certificates.crt; empty: none
  std::int64_t time = 0;                     // of all files, in seconds since 1970: SOURCE_DATE_EPOCH
  std::vector<std::string> arguments = {};   // Cmd
  Texts labels = {};
  bool keep_symbols = false;  // otherwise what only a debugger needs is left out
};

Image build_image(std::string_view program, const BuildOptions& options);

// What of an executable the kernel loads: without symbols and debug information.
std::string stripped(std::string_view program);

}  // namespace flyball::image
