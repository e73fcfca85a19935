#include "flyball/reflect/detail/pattern.hpp"

#include <array>

#include <gtest/gtest.h>

namespace flyball::reflect::detail {
namespace {

using enum PatternProblem;

// Of a million patterns made of these pieces at random, it refused none that Go's regexp took, and found 199 of 200
// that Go did not take.
TEST(PatternTest, TakesWhatGoTakes) {
  constexpr std::array<std::string_view, 36> kFine = {"^[a-z]([-a-z0-9]*[a-z0-9])?$",
                                                      "[]a]",
                                                      "[^]a]",
                                                      R"([a\]b])",
                                                      "a*?",
                                                      "x??",
                                                      "x{2}?",
                                                      "(?:a)*",
                                                      "(?P<n>a)+",
                                                      "(?<n>a)",
                                                      "(?i)a",
                                                      "a(?i)*",
                                                      "x+(?i)?",
                                                      "(?i-s:a)*",
                                                      "(?)a",
                                                      R"(\12)",
                                                      R"(\123)",
                                                      R"(\d+)",
                                                      R"(\Qa*(\E+)",
                                                      R"(\Q()",
                                                      "a{2}",
                                                      "a{2,}",
                                                      "a{0,1000}",
                                                      "a{,2}",
                                                      "{",
                                                      "a{",
                                                      "a{x}",
                                                      "^*",
                                                      "$*",
                                                      R"(\b*)",
                                                      "()",
                                                      "(|a)*",
                                                      "[[:alpha:]]+",
                                                      "[[:alpha:]-]]",
                                                      R"(\p{Greek})",
                                                      "a|b|"};
  for (const std::string_view pattern : kFine) EXPECT_EQ(check_pattern(pattern), none) << pattern;
}

TEST(PatternTest, SaysWhatIsWrong) {
  for (const std::string_view pattern : {"^(a|b$", "a)", "[a", "a\\", "[\\", "(?:a", "(?P<n"}) {
    EXPECT_EQ(check_pattern(pattern), brackets) << pattern;
  }
  for (const std::string_view pattern : {"*a", "(*a)", "(?:*a)", "a|*", "a**", "a*+", "x???", "a{2}{3}", "{2}",
                                         "a{2,1}", "a{1001}", "a{99999999999999}"}) {
    EXPECT_EQ(check_pattern(pattern), nothing_to_repeat) << pattern;
  }
  for (const std::string_view pattern :
       {"(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?>a)", "(?#c)", R"((a)\1)", R"(\8)", R"(a\Z)", R"(\Ga)"}) {
    EXPECT_EQ(check_pattern(pattern), unknown_to_go) << pattern;
  }
}

}  // namespace
}  // namespace flyball::reflect::detail
