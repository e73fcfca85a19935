// The tar reader never crashes or reads beyond its input, and a safe path never climbs.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "flyball/base/error.hpp"
#include "flyball/image/tar.hpp"

using namespace flyball;
using namespace flyball::image;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view archive(reinterpret_cast<const char*>(data), size);
  try {
    TarReader reader(archive);
    while (const auto entry = reader.next()) {
      if (entry->data.data() < archive.data() || entry->data.data() + entry->data.size() > archive.data() + size)
        std::abort();
      const std::string path = "/" + safe_path(entry->name) + "/";
      if (path.find("/../") != std::string::npos || path.find("/./") != std::string::npos) std::abort();
    }
  } catch (const Error&) {
  }
  return 0;
}
