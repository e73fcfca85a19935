// Go's regexp and ours, on the same patterns and texts. The vectors are recorded by tests/go/regexp/run.
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "flyball/base/regex.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball {
namespace {

std::string error_of(std::string_view pattern) {
  try {
    const Regex regex(pattern);
    return "";
  } catch (const RegexError& error) {
    return error.what();
  }
}

// As the vectors hold them: [[0,2],[3,5]], or null.
std::string bounds_of(const Regex& regex, std::string_view text) {
  std::string all;
  for (const auto& [begin, end] : regex.find_all(text)) {
    all += (all.empty() ? "[[" : ",[") + std::to_string(begin) + "," + std::to_string(end) + "]";
  }
  return all.empty() ? "null" : all + "]";
}

TEST(RegexVectorsTest, MatchesAndRefusesAsGoDoes) {
  std::ifstream lines(FLYBALL_SOURCE_DIR "/tests/data/go_regexp_vectors.jsonl");
  std::size_t tried = 0;
  std::size_t refused = 0;
  for (std::string line; std::getline(lines, line);) {
    const json::Value vector = json::parse(line);
    const std::string_view pattern = vector["pattern"].as_string();
    EXPECT_EQ(error_of(pattern), vector["error"].string_or("")) << line;
    if (vector["error"].exists()) {
      ++refused;
      continue;
    }
    if (!error_of(pattern).empty()) continue;
    const Regex regex(pattern);
    for (const auto& [text, matches] : vector["texts"].entries()) {
      EXPECT_EQ(regex.search(text), !matches.empty()) << pattern << "\n" << text;
      EXPECT_EQ(bounds_of(regex, text), write(matches)) << pattern << "\n" << text;
      ++tried;
    }
  }
  EXPECT_GE(tried, 3000U);
  EXPECT_GE(refused, 100U);
}

TEST(RegexTest, TakesTimeLinearInTheText) {
  const Regex regex("^((a+)+)+$");
  EXPECT_FALSE(regex.search(std::string(20'000, 'a') + "b"));  // a backtracking matcher would not come back
}

}  // namespace
}  // namespace flyball
