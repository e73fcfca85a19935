// The tar reader never crashes or reads beyond its input, and a safe path never climbs.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "flyball/base/error.hpp"
#include "flyball/image/tar.hpp"

using namespace flyball;
using namespace flyball::image;

namespace {

void read(std::string_view archive) {
  try {
    TarReader reader(archive);
    while (const auto entry = reader.next()) {
      const char* const data = entry->data.data();
      if (data < archive.data() || data + entry->data.size() > archive.data() + archive.size()) std::abort();
      const std::string path = "/" + safe_path(entry->name) + "/";
      if (path.find("/../") != std::string::npos || path.find("/./") != std::string::npos) std::abort();
    }
  } catch (const Error&) {
  }
}

// Every block with the checksum that a header of its bytes would have: no fuzzer guesses one.
std::string with_checksums(std::string archive) {
  for (std::size_t at = 0; at + 512 <= archive.size(); at += 512) {
    archive.replace(at + 148, 8, 8, ' ');
    unsigned sum = 0;
    for (std::size_t i = at; i < at + 512; ++i) sum += static_cast<unsigned char>(archive[i]);
    for (std::size_t digit = 6; digit > 0; --digit, sum /= 8)
      archive[at + 147 + digit] = static_cast<char>('0' + sum % 8);
    archive[at + 154] = '\0';
  }
  return archive;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view archive(reinterpret_cast<const char*>(data), size);
  read(archive);
  read(with_checksums(std::string(archive)));
  return 0;
}
