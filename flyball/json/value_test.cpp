#include "flyball/json/value.hpp"

#include <limits>
#include <string>
#include <unordered_set>
#include <utility>

#include <gtest/gtest.h>

#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

template <class Read>
std::string type_error(Read read) {
  try {
    read();
  } catch (const TypeError& error) {
    return error.what();
  }
  return "no error";
}

Value numbered_object(int count) {
  Builder builder;
  builder.begin_object();
  for (int i = 0; i < count; ++i) builder.key("key" + std::to_string(i)).integer(i);
  return builder.end().finish();
}

TEST(ValueTest, ReadsWhatWasBuilt) {
  // [snippet: json-object]
  const json::Value pod = json::object({
      {"name", "web"},
      {"ports", json::array({80, 443})},
      {"ready", true},
      {"node", nullptr},
  });
  // [end]
  EXPECT_EQ(pod["name"].as_string(), "web");
  EXPECT_EQ(pod["ports"][1].as_int(), 443);
  EXPECT_TRUE(pod["ready"].as_bool());
  EXPECT_TRUE(pod["node"].is_null());
  EXPECT_FALSE(pod["absent"]["deeper"].exists());
  EXPECT_EQ(write(pod), R"({"name":"web","ports":[80,443],"ready":true,"node":null})");
}

TEST(ValueTest, EveryKindSaysWhatItIs) {
  EXPECT_EQ(View().kind(), Kind::absent);
  EXPECT_EQ(Value().kind(), Kind::null);
  EXPECT_EQ(Value(false).kind(), Kind::boolean);
  EXPECT_EQ(Value(7).kind(), Kind::integer);
  EXPECT_EQ(Value(7U).kind(), Kind::integer);
  EXPECT_EQ(Value(7.0).kind(), Kind::number);
  EXPECT_EQ(Value("7").kind(), Kind::string);
  EXPECT_EQ(array().kind(), Kind::array);
  EXPECT_EQ(object().kind(), Kind::object);
  EXPECT_TRUE(Value(7).is_number());
  EXPECT_TRUE(Value(7.5).is_number());
  EXPECT_FALSE(Value(7.0).is_int());
}

TEST(ValueTest, NavigationForgivesWhatIsNotThere) {
  const Value value = parse(R"({"spec":{"ports":[80]},"name":"web"})");
  EXPECT_FALSE(value["spec"]["ports"][1].exists());
  EXPECT_FALSE(value["spec"]["ports"][-1].exists());
  EXPECT_FALSE(value["spec"]["ports"]["80"].exists());
  EXPECT_FALSE(value["spec"][0].exists());
  EXPECT_FALSE(value["name"]["first"][3]["x"].exists());
  EXPECT_FALSE(value.contains("status"));
  EXPECT_TRUE(value.contains("spec"));
  EXPECT_EQ(value["status"].string_or("unknown"), "unknown");
  EXPECT_EQ(value["spec"].string_or("unknown"), "unknown");
  EXPECT_EQ(value["name"].string_or("unknown"), "web");
  EXPECT_EQ(value["status"].size(), 0U);
  EXPECT_TRUE(value["status"].items().empty());
  EXPECT_TRUE(value["name"].entries().empty());
}

TEST(ValueTest, TheWrongKindIsATypeErrorThatShowsWhatWasFound) {
  const Value value = parse(R"({"text":"abc","n":3,"x":1.5,"yes":true,"no":null,"list":[1,2],"map":{"a":1}})");
  EXPECT_EQ(type_error([&] { value["text"].as_int(); }), R"(expected an integer, found the string "abc")");
  EXPECT_EQ(type_error([&] { value["n"].as_string(); }), "expected a string, found the integer 3");
  EXPECT_EQ(type_error([&] { value["x"].as_int(); }), "expected an integer, found the number 1.5");
  EXPECT_EQ(type_error([&] { value["yes"].as_double(); }), "expected a number, found the boolean true");
  EXPECT_EQ(type_error([&] { value["no"].as_bool(); }), "expected a boolean, found null");
  EXPECT_EQ(type_error([&] { value["list"].as_string(); }), "expected a string, found an array of 2");
  EXPECT_EQ(type_error([&] { value["map"].as_bool(); }), "expected a boolean, found an object of 1");
  EXPECT_EQ(type_error([&] { value["gone"].as_string(); }), "expected a string, found nothing");
  EXPECT_EQ(value["n"].as_double(), 3.0);
}

TEST(ValueTest, EqualityIsThatOfJsonValues) {
  EXPECT_EQ(parse(R"({"a":1,"b":[2,{"c":3,"d":4}]})"), parse(R"({"b":[2,{"d":4,"c":3}],"a":1})"));
  EXPECT_EQ(Value(1), Value(1.0));
  EXPECT_EQ(Value(0), Value(-0.0));
  EXPECT_EQ(parse("[1,2]"), parse("[1.0,2e0]"));
  EXPECT_NE(parse("[1,2]"), parse("[2,1]"));
  EXPECT_NE(parse("[1]"), parse("[1,1]"));
  EXPECT_NE(parse(R"({"a":1})"), parse(R"({"b":1})"));
  EXPECT_NE(parse(R"({"a":1})"), parse(R"({"a":1,"b":2})"));
  EXPECT_NE(parse(R"({"a":1,"b":2})"), parse(R"({"a":1,"c":2})"));
  EXPECT_NE(Value("1"), Value(1));
  EXPECT_NE(Value(nullptr), Value(false));
  EXPECT_NE(array(), object());
  EXPECT_EQ(View(), View());
  EXPECT_NE(View(), Value());
}

TEST(ValueTest, IntegersAtTheEdgeOfInt64AreNotTheDoublesNearThem) {
  const auto max = std::numeric_limits<std::int64_t>::max();
  const auto min = std::numeric_limits<std::int64_t>::min();
  EXPECT_NE(Value(max), Value(9223372036854775808.0));
  EXPECT_EQ(Value(min), Value(-9223372036854775808.0));
  EXPECT_NE(Value(9007199254740993), Value(9007199254740992.0));
  EXPECT_EQ(Value(std::uint64_t{1} << 63), Value(9223372036854775808.0));
  EXPECT_EQ(Value(min).hash(), Value(-9223372036854775808.0).hash());
}

TEST(ValueTest, EqualValuesHashAlikeAndServeAsKeys) {
  const Value a = parse(R"({"x":1,"y":[true,"t"]})");
  const Value b = parse(R"({"y":[true,"t"],"x":1.0})");
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_NE(a.hash(), parse(R"({"x":1,"y":["t",true]})").hash());
  EXPECT_NE(parse(R"({"a":"b"})").hash(), parse(R"({"b":"a"})").hash());
  EXPECT_NE(array().hash(), object().hash());
  std::unordered_set<Value> set{a, b, Value(1), Value(1.0)};
  EXPECT_EQ(set.size(), 2U);
}

TEST(ValueTest, ASliceKeepsTheBufferAlive) {
  // [snippet: json-slice]
  json::Value spec;
  {
    const json::Value pod = json::parse(R"({"metadata": {"name": "web"}, "spec": {"nodeName": "node-7"}})");
    spec = pod.slice(pod["spec"]);  // shares the buffer of `pod`
  }
  EXPECT_EQ(spec["nodeName"].as_string(), "node-7");
  // [end]
  EXPECT_EQ(write(spec), R"({"nodeName":"node-7"})");
}

TEST(ValueTest, NavigatingFromATemporaryIsSafe) {
  const std::string long_text(1000, 'x');
  const auto spec = parse(R"({"spec":{"list":[")" + long_text + R"("]}})")["spec"]["list"][0];
  EXPECT_EQ(spec.as_string(), long_text);
  EXPECT_FALSE(parse("[1]")[3].exists());
}

TEST(ValueTest, TheSliceOfAnAbsentPartIsAbsent) {
  const Value value = parse(R"({"a":1})");
  EXPECT_FALSE(value.slice(value["b"]).exists());
  EXPECT_EQ(Value(value["b"]), Value());  // a copy of nothing is null
}

TEST(ValueTest, ACopySharesTheBufferAndAMoveLeavesNull) {
  Value value = parse(R"({"text":"some text that is held once"})");
  const Value copy = value;
  EXPECT_EQ(copy.node(), value.node());
  EXPECT_EQ(copy["text"].as_string().data(), value["text"].as_string().data());
  const Value moved = std::move(value);
  EXPECT_EQ(moved.node(), copy.node());
  EXPECT_TRUE(value.is_null());  // NOLINT(bugprone-use-after-move): what is promised
}

TEST(ValueTest, AssigningAValueToItselfOrItsPartIsSafe) {
  Value value = parse(R"({"inner":{"deep":[1,2,3]}})");
  value = *&value;
  value = value.slice(value["inner"]["deep"]);
  EXPECT_EQ(write(value), "[1,2,3]");
}

TEST(ValueTest, AViewCopiedIntoAValueHasABufferOfItsOwn) {
  const Value pod = parse(R"({"big":")" + std::string(5000, 'x') + R"(","small":{"a":1}})");
  const Value small(pod["small"]);
  EXPECT_EQ(small, pod["small"]);
  EXPECT_LT(small.memory(), 100U);
  EXPECT_GT(pod.slice(pod["small"]).memory(), 5000U);
}

TEST(ValueTest, AKeyGivenTwiceKeepsTheLastValue) {
  EXPECT_EQ(write(object({{"a", 1}, {"b", 2}, {"a", 3}})), R"({"b":2,"a":3})");
}

TEST(ValueTest, UnsignedBeyondInt64BecomesADouble) {
  EXPECT_EQ(Value(std::uint64_t{1} << 62).kind(), Kind::integer);
  EXPECT_EQ(Value(std::uint64_t{1} << 63).kind(), Kind::number);
}

TEST(ValueTest, ContainersKeepTheirContentsAcrossTheSizeOfTheSmallHeader) {
  for (const int count : {0, 1, 2, 31, 32, 33, 64, 127, 128, 254, 255, 256, 257, 1000, 70000}) {
    Builder builder;
    builder.begin_array();
    for (int i = 0; i < count; ++i) builder.integer(0);
    const Value list = builder.end().finish();
    EXPECT_EQ(list.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(list[count - 1].exists(), count != 0) << count;
    EXPECT_FALSE(list[count].exists()) << count;

    const Value map = numbered_object(count);
    EXPECT_EQ(map.size(), static_cast<std::size_t>(count));
    if (count == 0) continue;
    EXPECT_EQ(map["key" + std::to_string(count - 1)].as_int(), count - 1);
    EXPECT_EQ(map["key0"].as_int(), 0);
  }
}

TEST(ValueTest, LargeObjectsCompareInAnyOrder) {
  Builder builder;
  builder.begin_object();
  for (int i = 499; i >= 0; --i) builder.key("key" + std::to_string(i)).integer(i);
  const Value backwards = builder.end().finish();
  EXPECT_EQ(numbered_object(500), backwards);
  EXPECT_EQ(numbered_object(500).hash(), backwards.hash());
  EXPECT_NE(numbered_object(501), backwards);
}

TEST(ValueTest, LongKeysAndStringsComeBackAtEveryBoundary) {
  for (const std::size_t length : {0U, 1U, 126U, 127U, 128U, 129U, 253U, 254U, 255U, 256U, 65535U, 65536U, 200000U}) {
    const std::string text(length, 'k');
    const Value value = object({{text, text}, {"after", array({text, 1})}});
    EXPECT_EQ(value[text].as_string(), text) << length;
    EXPECT_EQ(value["after"][0].as_string(), text) << length;
    EXPECT_EQ(value["after"][1].as_int(), 1) << length;
    EXPECT_EQ(parse(write(value)), value) << length;
  }
}

TEST(ValueTest, EmptyContainersTakeOneByteEach) {
  const Value value = parse(R"({"a":{},"b":[]})");
  EXPECT_EQ(value["a"].encoded_size(), 1U);
  EXPECT_EQ(value["b"].encoded_size(), 1U);
  EXPECT_TRUE(value["a"].empty());
  EXPECT_EQ(write(value), R"({"a":{},"b":[]})");
}

template <class T>
concept IteratesAsATemporary = requires(T value) { std::move(value).items(); };
static_assert(!IteratesAsATemporary<Value>, "a loop over the items of a temporary would outlive its buffer");
static_assert(IteratesAsATemporary<View>);

TEST(ValueTest, IterationSeesEveryMemberInOrder) {
  const Value value = parse(R"({"z":1,"a":2,"m":3})");
  std::string seen;
  for (auto [key, member] : value.entries()) seen += std::string(key) + write(member);
  EXPECT_EQ(seen, "z1a2m3");
}

}  // namespace
}  // namespace flyball::json
