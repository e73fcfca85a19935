// build_image: an image around one program: the program, certificate authorities, and a user that is not root.
//
//   const Image image = build_image(read_file("build/web-operator"), {.name = "web-operator"});
//
// The same program and options give the same bytes, on every machine with the same zlib: no time of day, no user, no
// folder of the builder gets in.
//
// A program that is linked with -static is all there is. One that is not needs its loader and libraries: give them
// along (shared_libraries() finds them), and they go into a layer of their own.
//
// Errors: Error when the program is not a Linux executable, or needs a loader and libraries that were not given.
//
// Thread-safety: build_image() is a pure function; the others may be called from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/image/image.hpp"

namespace flyball::image {

struct ImageFile {
  std::string path = {};  // inside the image, absolute
  std::string bytes = {};
};

struct BuildOptions {
  std::string name = "operator";             // of the program inside: /operator
  std::string certificate_authorities = {};  // PEM text, for /etc/ssl/certs/ca-certificates.crt; empty: none
  std::int64_t time = 0;                     // of all files, in seconds since 1970: SOURCE_DATE_EPOCH
  std::vector<std::string> arguments = {};   // Cmd
  Texts labels = {};
  std::vector<ImageFile> libraries = {};  // with the loader
  bool keep_symbols = false;              // otherwise what only a debugger needs is left out
};

Image build_image(std::string_view program, const BuildOptions& options);

// The loader of a program and the libraries it finds on this machine for it; none for a static one. Runs the loader,
// not the program.
std::vector<ImageFile> shared_libraries(Clock& clock, const std::string& program, const Stop& stop);

// What of an executable the kernel loads: without symbols and debug information.
std::string stripped(std::string_view program);

}  // namespace flyball::image
