// The accept/reject classes of JSONTestSuite (tests/data/json_conformance.txt) and the table of wrong documents with
// the message a person gets for each (tests/data/wrong_json.txt).
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/json/detail/text_for_test.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/reader.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

struct Case {
  bool accept;
  std::string name;
  std::string text;
};

std::vector<Case> conformance_cases() {
  std::vector<Case> cases;
  std::istringstream lines(read_file_for_test("json_conformance.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string verdict, name;
    words >> verdict >> name;
    const std::size_t text = line.find_first_not_of(' ', line.find(name) + name.size());
    cases.push_back({verdict == "accept", name, expand_for_test(line.substr(text))});
  }
  return cases;
}

bool accepted(std::string_view text, Duplicates duplicates = Duplicates::last_wins) {
  try {
    parse(text, {.duplicates = duplicates});
    return true;
  } catch (const ParseError&) {
    return false;
  }
}

bool passed_over(std::string_view text) {
  try {
    Reader reader(text);
    reader.skip();
    reader.finish();
    return true;
  } catch (const ParseError&) {
    return false;
  }
}

TEST(ConformanceTest, TheTableCoversEveryClassAndKeepsItsPromises) {
  const auto cases = conformance_cases();
  EXPECT_GE(cases.size(), 318U);
  for (const Case& c : cases) {
    EXPECT_TRUE(c.accept || !c.name.starts_with("y_")) << c.name;
    EXPECT_TRUE(!c.accept || !c.name.starts_with("n_")) << c.name;
  }
}

TEST(ConformanceTest, ParseAcceptsAndRefusesWhatTheTableSays) {
  for (const Case& c : conformance_cases()) EXPECT_EQ(accepted(c.text), c.accept) << c.name;
}

TEST(ConformanceTest, SkippingChecksTheGrammarAsParsingDoes) {
  for (const Case& c : conformance_cases()) EXPECT_EQ(passed_over(c.text), c.accept) << c.name;
}

TEST(ConformanceTest, WhatIsAcceptedComesBackFromItsOwnText) {
  for (const Case& c : conformance_cases()) {
    if (!c.accept) continue;
    const Value value = parse(c.text, {.duplicates = Duplicates::last_wins});
    EXPECT_EQ(parse(write(value)), value) << c.name;
  }
}

TEST(ConformanceTest, ByDefaultOnlyRepeatedMembersAreRefusedBeyondTheTable) {
  for (const Case& c : conformance_cases()) {
    const bool repeated = c.name.starts_with("y_object_duplicated_key");
    EXPECT_EQ(accepted(c.text, Duplicates::refuse), c.accept && !repeated) << c.name;
  }
}

TEST(WrongDocumentsTest, EachGetsExactlyTheMessageOfTheTable) {
  std::istringstream lines(read_file_for_test("wrong_json.txt"));
  std::size_t count = 0;
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("text: ")) text = expand_for_test(std::string_view(line).substr(6));
    if (!line.starts_with("says: ")) continue;
    ++count;
    try {
      parse(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const ParseError& error) {
      EXPECT_EQ(error.what(), line.substr(6)) << "for " << text.substr(0, 200);
    }
  }
  EXPECT_GE(count, 40U);
}

}  // namespace
}  // namespace flyball::json
