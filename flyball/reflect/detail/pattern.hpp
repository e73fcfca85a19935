// Whether Go's regular expressions, which the API server uses, would take a pattern. Not a parser: it finds the
// mistakes people make, and never refuses what Go takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flyball::reflect::detail {

enum class PatternProblem : std::uint8_t { none, brackets, nothing_to_repeat, unknown_to_go };

class PatternCheck {
 public:
  constexpr explicit PatternCheck(std::string_view pattern) : pattern_(pattern) {}

  constexpr PatternProblem check() {
    while (at_ < pattern_.size() && problem_ == PatternProblem::none) step();
    if (problem_ == PatternProblem::none && open_ != 0) problem_ = PatternProblem::brackets;
    return problem_;
  }

 private:
  constexpr char peek(std::size_t ahead = 0) const {
    return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0';
  }
  constexpr void fail(PatternProblem problem) { problem_ = problem; }
  static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static constexpr bool is_octal(char c) { return c >= '0' && c <= '7'; }

  constexpr void step() {
    switch (peek()) {
      case '\\': return escape();
      case '[': return char_class();
      case '(': return group();
      case ')':
        if (--open_ < 0) return fail(PatternProblem::brackets);
        return pass(true);
      case '|': return pass(false);
      case '*':
      case '+':
      case '?': return repeat(1);
      case '{':
        if (const std::size_t size = counted(); size != 0) return repeat(size);
        return pass(true);
      default: return pass(true);
    }
  }

  constexpr void pass(bool repeatable) {
    ++at_;
    repeatable_ = repeatable;
    repeated_ = false;
  }

  constexpr void escape() {
    if (peek(1) == '\0') return fail(PatternProblem::brackets);
    if (peek(1) == 'Q') {  // everything up to \E is plain
      const std::size_t end = pattern_.find("\\E", at_);
      at_ = end == std::string_view::npos ? pattern_.size() : end + 1;
      return pass(true);
    }
    // One digit refers back to a group, which Go does not know; two or three are a character's number.
    const bool refers_back = is_digit(peek(1)) && peek(1) != '0' && (!is_octal(peek(1)) || !is_octal(peek(2)));
    if (refers_back || peek(1) == 'Z' || peek(1) == 'G' || peek(1) == 'K') return fail(PatternProblem::unknown_to_go);
    ++at_;
    pass(true);
  }

  constexpr void char_class() {
    ++at_;
    if (peek() == '^') ++at_;
    // A bracket that comes first in a class is a member of it.
    for (bool first = true; peek() != ']' || first; first = false) {
      if (at_ >= pattern_.size()) return fail(PatternProblem::brackets);
      if (pattern_.substr(at_).starts_with("[:")) {
        const std::size_t end = pattern_.find(":]", at_ + 2);
        if (end != std::string_view::npos) at_ = end + 1;
      } else if (peek() == '\\') {
        ++at_;
      }
      ++at_;
    }
    pass(true);
  }

  constexpr void group() {
    ++open_;
    if (peek(1) != '?') return pass(false);
    const char kind = peek(2);
    const bool looks_around = kind == '=' || kind == '!' || (kind == '<' && (peek(3) == '=' || peek(3) == '!'));
    if (looks_around || kind == '>' || kind == '#' || kind == '|') return fail(PatternProblem::unknown_to_go);
    // A name, or flags; flags alone are no group.
    at_ += 2;
    while (at_ < pattern_.size() && peek() != ':' && peek() != ')' && peek() != '>') ++at_;
    if (peek() != ')') return pass(false);
    --open_;
    ++at_;
    repeated_ = false;
  }

  // The length of a {2,5} here, 0 when the brace is a plain one.
  constexpr std::size_t counted() {
    std::size_t size = 1;
    const auto number = [&] {
      int value = -1;
      while (is_digit(peek(size))) {
        value = (value < 0 ? 0 : value > 100000 ? value : value * 10) + (peek(size) - '0');
        ++size;
      }
      return value;
    };
    const int least = number();
    int most = least;
    if (least < 0) return 0;
    if (peek(size) == ',') {
      ++size;
      most = number();
    }
    if (peek(size) != '}') return 0;
    if (least > 1000 || most > 1000 || (most >= 0 && most < least)) fail(PatternProblem::nothing_to_repeat);
    return size + 1;
  }

  constexpr void repeat(std::size_t size) {
    if (!repeatable_ || repeated_) return fail(PatternProblem::nothing_to_repeat);
    at_ += size;
    if (peek() == '?') ++at_;  // as few as possible
    repeated_ = true;
  }

  std::string_view pattern_;
  std::size_t at_ = 0;
  int open_ = 0;
  bool repeatable_ = false;
  bool repeated_ = false;
  PatternProblem problem_ = PatternProblem::none;
};

constexpr PatternProblem check_pattern(std::string_view pattern) { return PatternCheck(pattern).check(); }

}  // namespace flyball::reflect::detail
