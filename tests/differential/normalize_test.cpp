#include "normalize.hpp"

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::differential {
namespace {

struct DifferentialNormalizer : ::testing::Test {
  std::string of(std::string_view body, const Context& context = {}) {
    return json::write(normalizer.body(json::parse(body), context), {.escape_html = false});
  }
  Normalizer normalizer{"the script names 10.0.0.77 and 00000000-0000-0000-0000-000000000001", "d-case"};
};

TEST_F(DifferentialNormalizer, GivesEqualVersionsEqualSymbols) {
  EXPECT_EQ(of(R"({"metadata":{"resourceVersion":"12"}})"), R"({"metadata":{"resourceVersion":"<rv1>"}})");
  EXPECT_EQ(of(R"({"metadata":{"resourceVersion":"13"}})"), R"({"metadata":{"resourceVersion":"<rv2>"}})");
  EXPECT_EQ(of(R"({"metadata":{"resourceVersion":"12"}})"), R"({"metadata":{"resourceVersion":"<rv1>"}})");
  EXPECT_EQ(of(R"({"metadata":{"resourceVersion":"0"}})"), R"({"metadata":{"resourceVersion":"0"}})");
}

TEST_F(DifferentialNormalizer, TellsListsFromObjects) {
  EXPECT_EQ(of(R"({"kind":"PodList","metadata":{"resourceVersion":"12","continue":"abc"},"items":[]})"),
            R"({"kind":"PodList","metadata":{"resourceVersion":"<list1>","continue":"<continue>"},"items":[]})");
  EXPECT_EQ(of(R"({"kind":"PodList","metadata":{"resourceVersion":"12"}})", {.exact_list = true}),
            R"({"kind":"PodList","metadata":{"resourceVersion":"<list1>"}})");
  EXPECT_EQ(of(R"({"kind":"Pod","metadata":{"resourceVersion":"12"}})", {.bookmark = true}),
            R"({"kind":"Pod","metadata":{"resourceVersion":"<bookmark>"}})");
}

TEST_F(DifferentialNormalizer, KeepsWhatTheScriptSpellsOut) {
  EXPECT_EQ(of(R"(["10.0.0.77","10.0.0.78","00000000-0000-0000-0000-000000000001"])"),
            R"(["10.0.0.77","<ip1>","00000000-0000-0000-0000-000000000001"])");
  EXPECT_EQ(of(R"(["2019-01-01T00:00:00Z","2026-01-01T00:00:00Z","2026-01-01T00:00:00.000001Z"])"),
            R"(["2019-01-01T00:00:00Z","<time>","<time>"])");
}

TEST_F(DifferentialNormalizer, NamesWhatTheServerHasMadeUp) {
  EXPECT_EQ(of(R"({"metadata":{"name":"web-x7k2p","generateName":"web-"},"message":"web-x7k2p in d-case"})"),
            R"({"metadata":{"name":"web-<generated1>","generateName":"web-"},"message":"web-<generated1> in {ns}"})");
  EXPECT_EQ(of(R"({"message":"UID in precondition: 11111111-2222-3333-4444-555555555555"})"),
            R"({"message":"UID in precondition: <uid1>"})");
  EXPECT_EQ(of(R"({"nodePort":31234,"cell":"80:31234/TCP"})"), R"({"nodePort":"<port1>","cell":"80:<port1>/TCP"})");
}

TEST_F(DifferentialNormalizer, PutsManagedFieldsInAnOrderThatTimeDoesNotChange) {
  const std::string_view sorted =
      R"({"managedFields":[{"manager":"b","operation":"Update","time":"2026-01-01T00:00:01Z"},
      {"manager":"a","operation":"Update","time":"2026-01-01T00:00:02Z"}]})";
  EXPECT_EQ(of(sorted), R"({"managedFields":[{"manager":"a","operation":"Update","time":"<time>"},)"
                        R"({"manager":"b","operation":"Update","time":"<time>"}]})");
}

TEST_F(DifferentialNormalizer, MarksManagedFieldsThatAreOutOfOrder) {
  const std::string_view wrong =
      R"({"managedFields":[{"manager":"b","operation":"Update","time":"2026-01-01T00:00:01Z"},
      {"manager":"a","operation":"Update","time":"2026-01-01T00:00:01Z"}]})";
  EXPECT_NE(of(wrong).find("<not in the order"), std::string::npos);
}

TEST_F(DifferentialNormalizer, HidesAgesOfTables) {
  EXPECT_EQ(
      of(R"({"kind":"Table","columnDefinitions":[{"name":"Name"},{"name":"Age"}],"rows":[{"cells":["5s","5s"]}]})"),
      R"({"kind":"Table","columnDefinitions":[{"name":"Name"},{"name":"Age"}],"rows":[{"cells":["5s","<age>"]}]})");
  EXPECT_EQ(of(R"({"kind":"Table","columnDefinitions":[{"name":"When","type":"date"}],"rows":[{"cells":["7y321d"]}]})"),
            R"({"kind":"Table","columnDefinitions":[{"name":"When","type":"date"}],"rows":[{"cells":["<age>"]}]})");
}

}  // namespace
}  // namespace flyball::differential
