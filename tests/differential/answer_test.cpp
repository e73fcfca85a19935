#include "answer.hpp"

#include "known_differences.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"

namespace flyball::differential {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Answer> answers(std::string_view body, std::string warning = "Warning: 299") {
  return {{.step = "create", .outcome = "201 Created", .headers = {std::move(warning)}, .body = json::parse(body)},
          {.step = "delete", .outcome = "200 OK"}};
}

TEST(DifferentialAnswers, ReadAsTheyWereWritten) {
  const auto written = answers(R"({"a":{"b":[1,"x: y",null]},"n":"2019-01-01"})");
  EXPECT_THAT(compare(written, read_answers(write_answers(written))), IsEmpty());
  EXPECT_EQ(write_answers(read_answers(write_answers(written))), write_answers(written));
}

TEST(DifferentialAnswers, DifferByFieldHeaderAndOutcome) {
  auto found = answers(R"({"a":{"b":[1,3]},"new":true})", "Warning: 300");
  found[1].outcome = "404 Not Found";
  const auto differences = compare(answers(R"({"a":{"b":[1,2]},"old":1})"), found);
  std::vector<std::string> fields;
  fields.reserve(differences.size());
  for (const Difference& difference : differences) fields.push_back(difference.step + " " + difference.field);
  EXPECT_THAT(fields, ::testing::ElementsAre("create header Warning", "create body.a.b[1]", "create body.old",
                                             "create body.new", "delete outcome"));
  EXPECT_THAT(describe(differences), HasSubstr("    body.a.b[1]\n      - 2\n      + 3\n"));
}

TEST(DifferentialAnswers, AMissingStepIsADifference) {
  auto found = answers("{}");
  found.pop_back();
  EXPECT_THAT(compare(answers("{}"), found), SizeIs(1));
  EXPECT_THAT(compare(found, answers("{}")), SizeIs(1));
}

TEST(DifferentialKnown, CoversAFieldAndWhatIsBelowItOnly) {
  const auto known = parse_known_differences("# remark\n\npods/a/create: body.spec — we are like that\n");
  const std::vector<Difference> differences{{"create", "body.spec.x", "1", "2"}, {"create", "body.special", "1", "2"}};
  const Judgement judgement = judge("pods/a", differences, known);
  ASSERT_THAT(judgement.unknown, SizeIs(1));
  EXPECT_EQ(judgement.unknown[0].field, "body.special");
  EXPECT_THAT(judgement.outdated, IsEmpty());
}

TEST(DifferentialKnown, FailsWhenItDiffersNoMore) {
  const auto known = parse_known_differences("pods/a/create: body.spec — we are like that\n");
  EXPECT_THAT(judge("pods/a", {}, known).outdated, SizeIs(1));
  EXPECT_THAT(judge("pods/b", {}, known).outdated, IsEmpty());
}

}  // namespace
}  // namespace flyball::differential
