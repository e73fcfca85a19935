// A program's headers with nothing to run, for tests of images.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flyball::image {

// A static executable for amd64 that loads `code`, with `symbols` behind it that nobody loads.
inline std::string program_for_test(std::string_view code, std::string_view symbols,
                                    std::string_view interpreter = {}) {
  const auto little = [](std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i, value >>= 8U) text += static_cast<char>(value & 0xffU);
    return text;
  };
  const std::uint64_t headers = interpreter.empty() ? 1 : 2;
  const std::uint64_t begin = 64 + 56 * headers;
  std::string file =
      "\x7f"
      "ELF\x02\x01\x01" +
      std::string(9, '\0') + little(2, 2) + little(62, 2) + little(1, 4);
  file += little(0x400000, 8) + little(64, 8) + little(begin + code.size(), 8) + little(0, 4);
  file += little(64, 2) + little(56, 2) + little(headers, 2) + little(64, 2) + little(3, 2) + little(2, 2);
  const auto segment = [&](std::uint64_t type, std::uint64_t at, std::uint64_t size) {
    return little(type, 4) + little(5, 4) + little(at, 8) + little(0, 16) + little(size, 8) + little(size, 8) +
           little(1, 8);
  };
  file += segment(1, begin, code.size());
  if (!interpreter.empty()) file += segment(3, begin + code.size(), interpreter.size());
  return file + std::string(code) + std::string(interpreter) + std::string(symbols);
}

}  // namespace flyball::image
