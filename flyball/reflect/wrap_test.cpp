// FLYBALL_WRAP: a type that is one value on the wire and says something of it wherever it is used.
#include <gtest/gtest.h>

#include "flyball/json/yaml.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/describe.hpp"
#include "flyball/reflect/encode.hpp"
#include "flyball/reflect/schema.hpp"

namespace wrap_example {

// [snippet: wrap]
struct Percent {
  int32_t value = 0;
};
FLYBALL_WRAP(Percent, value, "A share of the whole.", minimum(0), maximum(100))

struct Names {
  std::vector<std::string> all;
};
FLYBALL_WRAP(Names, all, list_type("set"), max_items(16), items(min_length(1)))

struct Rollout {
  Percent surge{25};
  std::optional<Percent> spare;
  std::map<std::string, Percent> weights;
  Names zones;
};
FLYBALL_DESCRIBE(Rollout, (surge, "How many more at a time.", maximum(50)), (spare), (weights, "By zone."),
                 (zones, "Where.", items(max_length(63))))
// [end]

struct Strict {
  Percent share;
  Names names;
};
FLYBALL_DESCRIBE(Strict, (share, "Required: it has no default."), (names, "A list may be left out."))

}  // namespace wrap_example

namespace flyball::reflect {
namespace {

using wrap_example::Rollout;

TEST(WrapTest, IsItsMemberOnTheWire) {
  const std::string text = R"({"surge":50,"spare":0,"weights":{"a":10,"b":90},"zones":["x","y"]})";
  const auto rollout = decode<Rollout>(text, {.strict = true});
  EXPECT_EQ(rollout.surge.value, 50);
  EXPECT_EQ(rollout.spare->value, 0);
  EXPECT_EQ(rollout.weights.at("b").value, 90);
  EXPECT_EQ(rollout.zones.all.size(), 2U);
  EXPECT_EQ(encode(rollout), text);
}

TEST(WrapTest, IsLeftOutWhenItsMemberWouldBe) {
  EXPECT_EQ(encode(Rollout{}), R"({"surge":25})");
  EXPECT_EQ(encode(wrap_example::Strict{}), R"({"share":0})");
}

TEST(WrapTest, NullLeavesTheInitialValueAndEmptiesAListLikeItsMember) {
  const auto rollout = decode<Rollout>(R"({"surge": null, "zones": ["x"], "zones": null})");
  EXPECT_EQ(rollout.surge.value, 25);
  EXPECT_TRUE(rollout.zones.all.empty());
}

TEST(WrapTest, MistakesReadAsThoseOfItsMember) {
  try {
    decode<Rollout>(R"({"surge": "50%", "zones": [7]})");
    FAIL() << "no error";
  } catch (const DecodeError& error) {
    EXPECT_STREQ(error.what(),
                 "line 1, column 11: surge: expected a 32-bit integer, found the string \"50%\"\n"
                 "line 1, column 28: zones[0]: expected a string, found the integer 7; put it in quotes");
  }
}

TEST(WrapTest, ItsAttributesStandInTheSchemaWhereverItIsUsedAndAFieldCanSayOtherwise) {
  EXPECT_EQ(json::write_yaml(schema<Rollout>()), R"(properties:
  spare:
    description: A share of the whole.
    format: int32
    maximum: 100
    minimum: 0
    type: integer
  surge:
    default: 25
    description: How many more at a time.
    format: int32
    maximum: 50
    minimum: 0
    type: integer
  weights:
    additionalProperties:
      description: A share of the whole.
      format: int32
      maximum: 100
      minimum: 0
      type: integer
    description: By zone.
    type: object
  zones:
    description: Where.
    items:
      maxLength: 63
      minLength: 1
      type: string
    maxItems: 16
    type: array
    x-kubernetes-list-type: set
type: object
)");
  EXPECT_EQ(json::write_yaml(schema<wrap_example::Strict>()["required"]), "- share\n");
}

}  // namespace
}  // namespace flyball::reflect
