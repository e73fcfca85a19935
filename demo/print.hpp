// How the demo shows things: headlines, YAML in colour, mistakes under the line they are in, and steps that are
// checked.
#pragma once

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <flyball/flyball.hpp>
#include <unistd.h>

namespace demo {

using flyball::InputError;

inline const bool kColour = isatty(STDOUT_FILENO) != 0;

inline std::string painted(std::string_view code, std::string_view text) {
  if (!kColour) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}
inline std::string red(std::string_view text) { return painted("31", text); }
inline std::string green(std::string_view text) { return painted("32", text); }
inline std::string cyan(std::string_view text) { return painted("36", text); }
inline std::string faint(std::string_view text) { return painted("2", text); }
inline std::string bold(std::string_view text) { return painted("1", text); }

inline void headline(std::string_view text) { std::cout << "\n" << bold(text) << "\n\n"; }

inline std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

// A line of YAML with its key in colour.
inline std::string yaml_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::string(line);
  const std::size_t start = line.find_first_not_of(" -");
  return std::string(line.substr(0, start)) + cyan(line.substr(start, colon - start)) + std::string(line.substr(colon));
}

inline void show(std::string_view yaml) {
  for (const std::string_view line : lines_of(yaml)) std::cout << "  " << yaml_line(line) << "\n";
}

// With line numbers, and under the place of each mistake a caret and what is said of it.
inline void show(std::string_view yaml, const std::vector<InputError>& mistakes) {
  std::size_t number = 0;
  for (const std::string_view line : lines_of(yaml)) {
    const std::string label = std::to_string(++number);
    std::cout << faint(std::string(4 - label.size(), ' ') + label + " │ ") << yaml_line(line) << "\n";
    for (const InputError& mistake : mistakes) {
      if (mistake.position().line != number) continue;
      std::cout << faint("     │ ") << std::string(mistake.position().column - 1, ' ') << red("╰ " + mistake.problem())
                << "\n";
    }
  }
}

inline bool all_as_expected = true;

inline void expect(bool holds, std::string_view what) {
  std::cout << "  " << (holds ? green("✓") : red("✗ WRONG:")) << " " << what << "\n";
  all_as_expected = all_as_expected && holds;
}

}  // namespace demo
