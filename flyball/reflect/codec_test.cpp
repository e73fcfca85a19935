#include <gtest/gtest.h>

#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/describe.hpp"
#include "flyball/reflect/encode.hpp"

namespace example {

// [snippet: describe-memcached]
struct MemcachedSpec {
  int32_t size = 1;
  std::string image = "memcached:1.6";
};
FLYBALL_DESCRIBE(MemcachedSpec, (size, "How many memcached pods to run.", minimum(1), maximum(10)),
                 (image, "The image every pod runs."))
// [end]

enum class Mode { primary, replica };
FLYBALL_ENUM(Mode, (primary, "Primary"), (replica, "Replica"))

struct Disk {
  std::string path;
  int64_t size = 0;
};
FLYBALL_DESCRIBE(Disk, (path, "Where.", min_length(1)), (size, "Bytes.", optional))

struct Network {
  std::string address;
};
FLYBALL_DESCRIBE(Network, (address, "Where."))

struct Common {
  std::map<std::string, std::string> labels;
  bool paused = false;
};
FLYBALL_DESCRIBE(Common, (labels, "Labels."), (paused, "Hold."))

struct Tree {
  std::string name;
  std::vector<Tree> children;
  flyball::Box<Tree> shadow;
};
FLYBALL_DESCRIBE(Tree, (name, "Name."), (children, "Below."), (shadow, "Behind."))

struct Everything {
  bool flag = false;
  int32_t small = 0;
  int64_t large = 0;
  uint32_t positive = 0;
  uint64_t huge = 0;
  double ratio = 0;
  std::string text;
  Mode mode = Mode::primary;
  std::optional<int32_t> maybe;
  std::vector<Disk> disks;
  std::map<std::string, int32_t> counts;
  std::variant<std::monostate, Disk, Network> source;
  Common common;
  flyball::json::Value anything;
  std::string template_;
  Disk plain{.path = "x"};
};
FLYBALL_DESCRIBE(Everything, (self, "All shapes at once."), (flag, "A flag."), (small, "Small.", optional),
                 (large, "Large.", optional), (positive, "Positive.", optional), (huge, "Huge.", optional),
                 (ratio, "Ratio.", optional), (text, "Text.", optional, json_name("theText")), (mode, "Mode."),
                 (maybe, "Maybe."), (disks, "Disks.", list_type("map"), list_map_key("path"), items(max_properties(4))),
                 (counts, "Counts.", items(minimum(0))), (source, "One of.", alternatives("disk", "network")),
                 (common, "Common.", inlined), (anything, "Any JSON."), (template_, "A keyword.", optional),
                 (plain, "Plain."))

}  // namespace example

namespace flyball::reflect {
namespace {

using example::Everything;
using example::MemcachedSpec;
using example::Mode;

template <class T>
std::string error_of(std::string_view text, bool strict = true) {
  try {
    decode<T>(text, {.strict = strict});
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(CodecTest, DecodesWhatIsThereAndKeepsDefaultsForTheRest) {
  const auto spec = decode<MemcachedSpec>(R"({"size": 3})");
  EXPECT_EQ(spec.size, 3);
  EXPECT_EQ(spec.image, "memcached:1.6");
}

TEST(CodecTest, RoundTripsEveryShape) {
  const std::string text =
      R"({"flag":true,"small":-5,"large":9223372036854775807,"positive":4294967295,"huge":18446744073709551615,)"
      R"("ratio":1.5,"theText":"t","mode":"Replica","maybe":0,"disks":[{"path":"/a","size":7},{"path":"/b"}],)"
      R"("counts":{"x":1,"y":0},"source":{"network":{"address":"::1"}},"labels":{"a":"b"},"paused":true,)"
      R"("anything":{"deep":[1,2.5,null]},"template":"k","plain":{"path":"p"}})";
  const auto value = decode<Everything>(text, {.strict = true});
  EXPECT_TRUE(value.flag);
  EXPECT_EQ(value.huge, 18446744073709551615U);
  EXPECT_EQ(value.mode, Mode::replica);
  EXPECT_EQ(value.maybe, 0);
  EXPECT_EQ(std::get<example::Network>(value.source).address, "::1");
  EXPECT_EQ(value.common.labels.at("a"), "b");
  EXPECT_EQ(encode(value), text);
}

TEST(CodecTest, LeavesOutWhatIsEmptyAndWritesWhatDiffersFromItsDefault) {
  EXPECT_EQ(encode(Everything{}), R"({"mode":"Primary","plain":{"path":"x"}})");
  MemcachedSpec spec;
  spec.size = 0;
  spec.image.clear();
  EXPECT_EQ(encode(spec), R"({"size":0,"image":""})");
  EXPECT_EQ(encode(example::Disk{}), R"({"path":""})");
}

TEST(CodecTest, DecodesATypeThatContainsItself) {
  const std::string text = R"({"name":"root","children":[{"name":"leaf"}],"shadow":{"name":"back"}})";
  const auto tree = decode<example::Tree>(text);
  EXPECT_EQ(tree.children.at(0).name, "leaf");
  EXPECT_EQ(tree.shadow->name, "back");
  EXPECT_EQ(encode(tree), text);
  example::Tree copy = tree;
  copy.shadow->name = "other";
  EXPECT_EQ(tree.shadow->name, "back");
}

TEST(CodecTest, NullLeavesTheInitialValue) {
  const auto spec = decode<MemcachedSpec>(R"({"size": null, "image": null})");
  EXPECT_EQ(spec.size, 1);
  EXPECT_EQ(spec.image, "memcached:1.6");
}

TEST(CodecTest, ASubObjectThatIsThereStartsFromItsOwnTypesInitialisers) {
  EXPECT_EQ(decode<Everything>("{}").plain.path, "x");
  EXPECT_EQ(decode<Everything>(R"({"plain": null})").plain.path, "x");
  EXPECT_EQ(decode<Everything>(R"({"plain": {"size": 1}})").plain.path, "");
}

TEST(CodecTest, LenientPassesOverUnknownFieldsAndTakesTheLastOfTwo) {
  EXPECT_EQ(decode<MemcachedSpec>(R"({"sise": {"deep": []}, "size": 2, "size": 4})").size, 4);
}

TEST(CodecTest, StrictNamesUnknownFieldsAndTheNearestKnownOne) {
  EXPECT_EQ(error_of<MemcachedSpec>(R"({"sise": 3})"),
            "line 1, column 2: sise: unknown field \"sise\"; did you mean \"size\"?");
  EXPECT_EQ(error_of<MemcachedSpec>(R"({"completely": 3})"),
            "line 1, column 2: completely: unknown field \"completely\"");
  EXPECT_EQ(error_of<Everything>(R"({"lables": {}})"),
            "line 1, column 2: lables: unknown field \"lables\"; did you mean \"labels\"?");
}

TEST(CodecTest, StrictRefusesAFieldThatStandsTwice) {
  EXPECT_EQ(error_of<MemcachedSpec>(R"({"size": 3, "size": 4})"),
            "line 1, column 13: size: the field \"size\" stands twice");
  EXPECT_EQ(error_of<Everything>(R"({"counts": {"a": 1, "a": 2}})"),
            "line 1, column 21: counts.a: the field \"a\" stands twice");
}

TEST(CodecTest, StrictNamesEveryFieldThatStandsTwiceWithinAnyJson) {
  EXPECT_EQ(error_of<Everything>(R"({"anything": {"a": [{"x": 1, "x": 2}], "a": 3}, "small": "x", "flag": 1})"),
            "line 1, column 30: anything.a[0].x: the field \"x\" stands twice\n"
            "line 1, column 40: anything.a: the field \"a\" stands twice\n"
            "line 1, column 58: small: expected a 32-bit integer, found the string \"x\"\n"
            "line 1, column 71: flag: expected a boolean, found the integer 1");
  EXPECT_THROW(decode<Everything>(R"({"anything": {"a": 1, "a": nope}})", {.strict = true}), json::ParseError);
  EXPECT_EQ(decode<Everything>(R"({"anything": {"a": 1, "a": 2}})").anything["a"].as_int(), 2);
}

TEST(CodecTest, AnAlternativeThatStandsTwiceIsLikeAnyFieldThatDoes) {
  constexpr std::string_view kTwice = R"({"source": {"disk": {"path": "a", "size": 1}, "disk": {"path": "b"}}})";
  const auto value = decode<Everything>(kTwice);
  EXPECT_EQ(std::get<example::Disk>(value.source).path, "b");
  EXPECT_EQ(std::get<example::Disk>(value.source).size, 0);
  EXPECT_EQ(error_of<Everything>(kTwice), "line 1, column 47: source.disk: the field \"disk\" stands twice");
}

TEST(CodecTest, WrongTypesNamePathExpectedAndFound) {
  EXPECT_EQ(error_of<MemcachedSpec>(R"({"size": "3"})"),
            "line 1, column 10: size: expected a 32-bit integer, found the string \"3\"; take the quotes away");
  EXPECT_EQ(error_of<MemcachedSpec>(R"({"size": "three"})"),
            "line 1, column 10: size: expected a 32-bit integer, found the string \"three\"");
  EXPECT_EQ(error_of<MemcachedSpec>(R"({"size": "3.5"})"),
            "line 1, column 10: size: expected a 32-bit integer, found the string \"3.5\"");
  EXPECT_EQ(error_of<Everything>(R"({"flag": "true", "ratio": "1.5", "huge": "7"})"),
            "line 1, column 10: flag: expected a boolean, found the string \"true\"; take the quotes away\n"
            "line 1, column 27: ratio: expected a number, found the string \"1.5\"; take the quotes away\n"
            "line 1, column 42: huge: expected an integer from 0 to 18446744073709551615, found the string \"7\"; take "
            "the quotes away");
  EXPECT_EQ(error_of<Everything>(R"({"flag": "yes"})"),
            "line 1, column 10: flag: expected a boolean, found the string \"yes\"");
  EXPECT_EQ(error_of<MemcachedSpec>(R"({"size": 3.5})"),
            "line 1, column 10: size: expected a 32-bit integer, found 3.5");
  EXPECT_EQ(error_of<MemcachedSpec>(R"({"size": 3000000000})"),
            "line 1, column 10: size: expected a 32-bit integer, found 3000000000");
  EXPECT_EQ(error_of<Everything>(R"({"disks": [{"path": {}}]})"),
            "line 1, column 21: disks[0].path: expected a string, found an object of 0");
  EXPECT_EQ(error_of<Everything>(R"({"mode": "replica"})"),
            "line 1, column 10: mode: expected one of Primary, Replica, found the string \"replica\"; did you mean "
            "\"Replica\"?");
  EXPECT_EQ(error_of<Everything>(R"({"source": {"disk": {"path": "a"}, "network": {}}})"),
            "line 1, column 36: source.network: only one of the alternatives may be set, and one stands before this");
}

TEST(CodecTest, ReportsEveryMistakeAtOnce) {
  EXPECT_EQ(error_of<MemcachedSpec>("{\n  \"size\": true,\n  \"image\": 7,\n  \"x\": 1\n}"),
            "line 2, column 11: size: expected a 32-bit integer, found the boolean true\n"
            "line 3, column 12: image: expected a string, found the integer 7; put it in quotes\n"
            "line 4, column 3: x: unknown field \"x\"");
}

}  // namespace
}  // namespace flyball::reflect
