#include "flyball/kube/selector.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/kube/field_selector.hpp"

namespace flyball::kube {
namespace {

template <class Make>
std::string error_of(Make make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SelectorTest, ParsesMatchesAndPrintsInTheOrderOfKeys) {
  // [snippet: selector]
  const auto selector = Selector::parse("tier in (db, cache), app=web, !canary, replicas>2");
  EXPECT_TRUE(selector.matches({{"app", "web"}, {"tier", "db"}, {"replicas", "3"}}));
  EXPECT_FALSE(selector.matches({{"app", "web"}, {"tier", "db"}, {"replicas", "3"}, {"canary", ""}}));
  EXPECT_EQ(selector.to_string(), "app=web,!canary,replicas>2,tier in (cache,db)");
  // [end]
}

TEST(SelectorTest, MissingLabelsSatisfyOnlyTheNegativeOperators) {
  const Labels none;
  for (const char* text : {"!a", "a!=b", "a notin (b)"}) EXPECT_TRUE(Selector::parse(text).matches(none)) << text;
  for (const char* text : {"a", "a=b", "a in (b)", "a>1", "a<1"}) {
    EXPECT_FALSE(Selector::parse(text).matches(none)) << text;
  }
}

TEST(SelectorTest, IsBuiltFromTheHalvesOfALabelSelector) {
  struct Expression {
    std::string key;
    std::string operator_;
    std::vector<std::string> values;
  };
  const std::vector<Expression> expressions = {{"tier", "NotIn", {"db"}}, {"app", "Exists", {}}};
  const auto selector = Selector::from({{"team", "one"}}, expressions);
  EXPECT_EQ(selector.to_string(), "app,team=one,tier notin (db)");
  EXPECT_EQ(error_of([] { return Selector::from({}, std::vector<Expression>{{"a", "Near", {"b"}}}); }),
            "\"Near\" is not a valid label selector operator");
}

TEST(SelectorTest, EverythingAndNothingAreDifferent) {
  EXPECT_TRUE(Selector().matches({{"a", "b"}}));
  EXPECT_TRUE(Selector().is_everything());
  EXPECT_EQ(Selector::parse(""), Selector());
  Selector nothing = Selector::nothing();
  nothing.add(Requirement("a", Operator::exists));
  EXPECT_FALSE(nothing.matches({{"a", "b"}}));
  EXPECT_FALSE(nothing.is_everything());
  EXPECT_EQ(nothing.to_string(), "");
}

TEST(SelectorTest, AddKeepsTheOrderOfKeys) {
  Selector selector = Selector::from_labels({{"b", "1"}});
  selector.add(Requirement("a", Operator::in, {"y", "x"}));
  EXPECT_EQ(selector.to_string(), "a in (x,y),b=1");
  EXPECT_EQ(selector.exact_match("b"), "1");
  EXPECT_EQ(selector.exact_match("a"), std::nullopt);
}

TEST(SelectorTest, MistakesReadAsKubectlShowsThem) {
  EXPECT_EQ(error_of([] { return Selector::parse("a in b"); }), "unable to parse requirement: found 'b' expected: '('");
  EXPECT_EQ(error_of([] { return Selector::parse("a=b,"); }), "found '', expected: identifier after ','");
  EXPECT_EQ(error_of([] { return Selector::parse("n>many"); }),
            "unable to parse requirement: values[0]: Invalid value: \"many\": for 'Gt', 'Lt' operators, the value must "
            "be an integer");
  EXPECT_EQ(error_of([] { return Requirement("a", Operator::in); }),
            "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty");
}

TEST(FieldSelectorTest, ParsesMatchesAndPrints) {
  // [snippet: field-selector]
  const auto selector = FieldSelector::parse("status.phase!=Running,spec.nodeName=node-1");
  const auto field = [](std::string_view name) { return name == "spec.nodeName" ? "node-1" : "Pending"; };
  EXPECT_TRUE(selector.matches(field));
  EXPECT_EQ(selector.to_string(), "spec.nodeName=node-1,status.phase!=Running");
  // [end]
  EXPECT_EQ(selector.exact_match("spec.nodeName"), "node-1");
  EXPECT_EQ(selector.exact_match("status.phase"), std::nullopt);
}

TEST(FieldSelectorTest, ValuesWithCommasEqualSignsAndBackslashesAreEscaped) {
  const auto selector = FieldSelector().require("a", R"(x,y=\)");
  EXPECT_EQ(selector.to_string(), R"(a=x\,y\=\\)");
  EXPECT_EQ(FieldSelector::parse(selector.to_string()), selector);
  EXPECT_EQ(error_of([] { return FieldSelector::parse(R"(a=\n)"); }),
            R"(invalid field selector: invalid escape sequence: \n)");
  EXPECT_EQ(error_of([] { return FieldSelector::parse("name"); }), "invalid selector: 'name'; can't understand 'name'");
}

}  // namespace
}  // namespace flyball::kube
