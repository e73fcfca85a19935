// Texts of test tables (tests/data/*.txt): bytes that an editor cannot show stand in angle brackets. For tests only.
//
//   <0A>       the byte of that hexadecimal number
//   <500*[>    "[" five hundred times
//   <>         nothing
#pragma once

#include <charconv>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace flyball::json {

inline std::string read_file_for_test(const std::string& name) {
  std::ifstream file(FLYBALL_SOURCE_DIR "/tests/data/" + name, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open tests/data/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string expand_for_test(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t close = text.front() == '<' ? text.find('>') : std::string_view::npos;
    if (close == std::string_view::npos) {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    const std::string_view inside = text.substr(1, close - 1);
    const std::size_t star = inside.find('*');
    unsigned number = 0;
    const auto reads_as_number = [&](std::string_view digits, int base) {
      const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
      return problem == std::errc() && end == digits.data() + digits.size();
    };
    if (inside.empty()) {
      // nothing
    } else if (inside.size() == 2 && reads_as_number(inside, 16)) {
      out += static_cast<char>(number);
    } else if (star != std::string_view::npos && reads_as_number(inside.substr(0, star), 10)) {
      for (; number != 0; --number) out += inside.substr(star + 1);
    } else {
      out += text.substr(0, close + 1);
    }
    text.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace flyball::json
