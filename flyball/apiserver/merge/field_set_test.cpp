#include "flyball/apiserver/merge/field_set.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "flyball/apiserver/merge/fields_v1.hpp"
#include "flyball/apiserver/merge/merge_type.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver::merge {
namespace {

FieldSet set_of(std::string_view text) { return decode_fields(json::parse(text)); }
std::string text_of(const FieldSet& set) { return json::write(encode_fields(set), {.escape_html = false}); }

TEST(FieldSet, WritesAStepThatIsAMemberWithMoreBelowItWithADot) {
  FieldSet set = FieldSet::of({{PathElement::field("a"), PathElement::field("b")}, {PathElement::field("a")}});
  EXPECT_EQ(text_of(set), R"({"f:a":{".":{},"f:b":{}}})");
  set.insert(Path{PathElement::field("0")});
  EXPECT_EQ(text_of(set), R"({"f:0":{},"f:a":{".":{},"f:b":{}}})");
  EXPECT_EQ(set.size(), 3U);
  EXPECT_EQ(to_string(set), ".0\n.a\n.a.b");
}

TEST(FieldSet, ReadsInAnyOrderAndWritesInItsOwn) {
  EXPECT_EQ(text_of(set_of(R"({"v:2":{},"f:b":{},"k:{\"n\":\"x\"}":{"f:y":{},".":{}},"f:a":{"f:c":{}}})")),
            R"({"f:a":{"f:c":{}},"f:b":{},"k:{\"n\":\"x\"}":{".":{},"f:y":{}},"v:2":{}})");
}

TEST(FieldSet, DropsStepsItDoesNotKnowAndRefusesWhatIsNoSet) {
  EXPECT_EQ(text_of(set_of(R"({"x:1":{"f:b":{}},"f:a":{"y:2":{}}})")), R"({"f:a":{}})");
  EXPECT_TRUE(set_of("null").empty());
  EXPECT_TRUE(decode_fields({}).empty());
  for (const char* text : {"1", "\"f:a\"", "[]", R"({"f:a":1})", R"({"f:a":[]})", R"({"a":{}})"}) {
    EXPECT_THROW(set_of(text), FieldsError) << text;
  }
}

TEST(FieldSet, DifferenceTakesMembersAndNotWhatIsBelowThem) {
  const FieldSet set = set_of(R"({"f:a":{".":{},"f:b":{"f:c":{}}},"f:d":{}})");
  EXPECT_EQ(text_of(set.difference(set_of(R"({"f:a":{}})"))), R"({"f:a":{"f:b":{"f:c":{}}},"f:d":{}})");
  EXPECT_EQ(text_of(set.difference_below(set_of(R"({"f:a":{}})"))), R"({"f:d":{}})");
  EXPECT_EQ(text_of(set.difference_below(set_of(R"({"f:a":{"f:b":{}}})"))), R"({"f:a":{},"f:d":{}})");
  EXPECT_EQ(text_of(set.leaves()), R"({"f:a":{"f:b":{"f:c":{}}},"f:d":{}})");
}

TEST(FieldSet, VisitsTheMembersOfALevelBeforeThoseBelow) {
  EXPECT_EQ(to_string(set_of(R"({"f:a":{"f:x":{}},"f:b":{}})")), ".b\n.a.x");
}

TEST(FieldSet, NamesTheParentsThatAreFieldsButNotKeysOfMapsOrItems) {
  const json::Value schema = json::parse(R"({"type":"object","properties":{"spec":{"type":"object","properties":{
    "notes":{"type":"object","additionalProperties":{"type":"object","properties":{"x":{"type":"string"}}}}}}}})");
  const MergeSchema types = MergeSchema::of_custom(schema);
  const FieldSet set = set_of(R"({"f:spec":{"f:notes":{"f:k":{"f:x":{}}}}})");
  EXPECT_EQ(text_of(set.with_named_parents(&types.root())),
            R"({"f:spec":{".":{},"f:notes":{".":{},"f:k":{"f:x":{}}}}})");
}

PathElement any_element() {
  switch (*rc::gen::inRange(0, 5)) {
    case 0: return PathElement::key(json::object({{"k", *rc::gen::inRange(0, 3)}}));
    case 1: return PathElement::value(*rc::gen::element<std::string>("x", "y"));
    default: return PathElement::field(*rc::gen::element<std::string>("a", "b", "c"));
  }
}

FieldSet any_set() {
  FieldSet set;
  const int count = *rc::gen::inRange(0, 12);
  for (int i = 0; i < count; ++i) {
    Path path;
    const int depth = *rc::gen::inRange(1, 4);
    for (int j = 0; j < depth; ++j) path.push_back(any_element());
    set.insert(path);
  }
  return set;
}

TEST(FieldSetLaws, OfSetsHold) {
  EXPECT_TRUE(rc::check([] {
    const FieldSet a = any_set();
    const FieldSet b = any_set();
    const FieldSet c = any_set();
    RC_ASSERT((a | b) == (b | a));
    RC_ASSERT((a & b) == (b & a));
    RC_ASSERT(((a | b) | c) == (a | (b | c)));
    RC_ASSERT(((a & b) & c) == (a & (b & c)));
    RC_ASSERT((a & (b | c)) == ((a & b) | (a & c)));
    RC_ASSERT((a | a) == a);
    RC_ASSERT((a & a) == a);
    RC_ASSERT(a.difference(b) == a.difference(a & b));
    RC_ASSERT((a.difference(b) | (a & b)) == a);
    RC_ASSERT((a.difference(b) & b).empty());
    RC_ASSERT(a.difference(b).difference(c) == a.difference(b | c));
    RC_ASSERT((a | b).size() + (a & b).size() == a.size() + b.size());
  }));
}

TEST(FieldSetLaws, MembershipIsThatOfEachPath) {
  EXPECT_TRUE(rc::check([] {
    const FieldSet a = any_set();
    const FieldSet b = any_set();
    const FieldSet rest = a.difference(b);
    (a | b).each([&](const Path& path) {
      RC_ASSERT(a.has(path) || b.has(path));
      RC_ASSERT(rest.has(path) == (a.has(path) && !b.has(path)));
      RC_ASSERT((a & b).has(path) == (a.has(path) && b.has(path)));
      bool below_a_member = false;
      for (std::size_t i = 1; i <= path.size(); ++i) below_a_member |= b.has(std::span(path).first(i));
      RC_ASSERT(a.difference_below(b).has(path) == (a.has(path) && !below_a_member));
    });
  }));
}

TEST(FieldSetLaws, WhatIsEncodedIsDecodedAgain) {
  EXPECT_TRUE(rc::check([] {
    const FieldSet set = any_set();
    const json::Value encoded = encode_fields(set);
    RC_ASSERT(decode_fields(encoded) == set);
    RC_ASSERT(json::write(encode_fields(decode_fields(encoded))) == json::write(encoded));
  }));
}

}  // namespace
}  // namespace flyball::apiserver::merge
