#include "script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/error.hpp"

namespace flyball::differential {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string problem_of(std::string_view text) {
  try {
    parse_script(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(DifferentialScript, ReadsRequestsWithHeadersQueryLinesAndBodies) {
  const Script script = parse_script(
      "# What it shows.\n"
      "=== create\n"
      "# a remark\n"
      "POST /api/v1/namespaces/{ns}/pods\n"
      "  ?dryRun=All\n"
      "  &fieldManager=me\n"
      "Content-Type: application/yaml\n"
      "Show: code, spec\n"
      "\n"
      "kind: Pod\n"
      "\n"
      "=== again\n"
      "GET /version\n");
  ASSERT_EQ(script.steps.size(), 2U);
  const Step& create = script.steps[0];
  EXPECT_EQ(script.about, "What it shows.\n");
  EXPECT_EQ(create.method, "POST");
  EXPECT_EQ(create.target, "/api/v1/namespaces/{ns}/pods?dryRun=All&fieldManager=me");
  EXPECT_EQ(create.headers, (net::Headers{{"Content-Type", "application/yaml"}}));
  EXPECT_THAT(create.show, ElementsAre("code", "spec"));
  EXPECT_EQ(create.body, "kind: Pod");
  EXPECT_EQ(script.steps[1].target, "/version");
  EXPECT_EQ(script.steps[1].body, "");
}

TEST(DifferentialScript, ReadsWatchesEventsAndWaits) {
  const Script script = parse_script(
      "# x\n=== w\nWATCH /api/v1/pods?watch=1\n=== e\nEVENTS w 3\n=== b\nEVENTS w 1 bookmarks\n=== end\nEVENTS w end\n"
      "=== u\nUNTIL status.phase=Active GET /api/v1/namespaces/a\n");
  EXPECT_EQ(script.steps[0].kind, Step::Kind::watch);
  EXPECT_EQ(script.steps[0].method, "GET");
  EXPECT_EQ(script.steps[1].count, 3U);
  EXPECT_TRUE(script.steps[2].bookmarks);
  EXPECT_EQ(script.steps[3].count, 0U);
  EXPECT_EQ(script.steps[4].condition, "status.phase=Active");
  EXPECT_EQ(script.steps[4].target, "/api/v1/namespaces/a");
}

TEST(DifferentialScript, SaysWhichLineIsWrong) {
  EXPECT_THAT(problem_of("=== a\nGET /x\n"), HasSubstr("must begin with a comment"));
  EXPECT_THAT(problem_of("# x\n=== a\nGET pods\n"), HasSubstr("line 3"));
  EXPECT_THAT(problem_of("# x\n=== a\nGET /pods\nno header\n"), HasSubstr("expected a header"));
  EXPECT_THAT(problem_of("# x\n=== a\nEVENTS w many\n"), HasSubstr("number of events"));
}

TEST(DifferentialScript, ReplacesOnlyWordsThatAreKnown) {
  const std::string value = "seven";
  const auto lookup = [&](std::string_view words) { return words == "a.b" ? &value : nullptr; };
  EXPECT_EQ(expand("x {a.b} {} {c: d} {{a.b}} {y*3}", lookup), "x seven {} {c: d} {seven} yyy");
}

TEST(DifferentialScript, SplitsDocumentsAndEncodesQueries) {
  EXPECT_THAT(documents_of("a\n---\nb"), ElementsAre("a", "b"));
  EXPECT_EQ(encode_target("/pods?labelSelector=a in (b,c)"), "/pods?labelSelector=a%20in%20(b,c)");
}

}  // namespace
}  // namespace flyball::differential
