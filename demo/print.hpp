// How the demo shows things: headlines, colours where there is a terminal, and steps that are checked.
#pragma once

#include <iostream>
#include <string>
#include <string_view>

#include <unistd.h>

namespace demo {

inline const bool kTerminal = isatty(STDOUT_FILENO) != 0;

inline std::string painted(std::string_view code, std::string_view text) {
  if (!kTerminal) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}
inline std::string red(std::string_view text) { return painted("31", text); }
inline std::string green(std::string_view text) { return painted("32", text); }
inline std::string yellow(std::string_view text) { return painted("33", text); }
inline std::string cyan(std::string_view text) { return painted("36", text); }
inline std::string faint(std::string_view text) { return painted("2", text); }
inline std::string bold(std::string_view text) { return painted("1", text); }

inline void headline(std::string_view text) { std::cout << "\n" << bold(text) << "\n\n" << std::flush; }

inline bool all_as_expected = true;

inline void expect(bool holds, std::string_view what) {
  std::cout << "  " << (holds ? green("✓") : red("✗ WRONG:")) << " " << what << "\n" << std::flush;
  all_as_expected = all_as_expected && holds;
}

}  // namespace demo
