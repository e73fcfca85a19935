#include "flyball/apiserver/merge/operations.hpp"

#include <gtest/gtest.h>

#include "flyball/apiserver/merge/fields_v1.hpp"
#include "flyball/apiserver/merge/gadget_for_test.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver::merge {
namespace {

std::string fields(std::string_view spec) {
  return json::write(encode_fields(fields_of(json::parse(spec), gadget_spec())), {.escape_html = false});
}

std::string merged(std::string_view live, std::string_view applied) {
  return json::write(merge(json::parse(live), json::parse(applied), gadget_spec()));
}

std::string problems(std::string_view spec, Repeated repeated = Repeated::refuse) {
  return describe(validate(json::parse(spec), gadget_spec(), repeated));
}

std::string compared(std::string_view before, std::string_view after) {
  const Comparison change = compare(json::parse(before), json::parse(after), gadget_spec());
  const auto text = [](const FieldSet& set) { return json::write(encode_fields(set), {.escape_html = false}); };
  return "-" + text(change.removed) + " ~" + text(change.modified) + " +" + text(change.added);
}

TEST(MergeOperations, FieldsAreLeavesItemsAndKeysOfMaps) {
  EXPECT_EQ(fields(R"({"size":1,"nested":{"x":1},"steps":["a"],"rgb":{"r":1}})"),
            R"({"f:nested":{"f:x":{}},"f:rgb":{},"f:size":{},"f:steps":{}})");
  EXPECT_EQ(fields(R"({"tags":["b","a"],"notes":{"k":"v"}})"),
            R"({"f:notes":{"f:k":{}},"f:tags":{"v:\"a\"":{},"v:\"b\"":{}}})");
  EXPECT_EQ(fields(R"({"parts":[{"name":"p","count":1}]})"),
            R"({"f:parts":{"k:{\"name\":\"p\",\"zone\":\"a\"}":{".":{},"f:count":{},"f:name":{}}}})");
  EXPECT_EQ(fields(R"({"blob":{"a":{"b":1},"l":[{"x":1}]}})"), R"({"f:blob":{"f:a":{".":{},"f:b":{}},"f:l":{}}})");
}

TEST(MergeOperations, NullAndEmptyMapsAreLeavesAndEmptyListsAreNone) {
  EXPECT_EQ(fields(R"({"nested":{},"notes":null,"size":null,"tags":[],"parts":null})"),
            R"({"f:nested":{},"f:notes":{},"f:parts":{},"f:size":{}})");
}

TEST(MergeOperations, ItemsThatStandTwiceAreOnePath) {
  EXPECT_EQ(fields(R"({"parts":[{"name":"p","count":1},{"name":"p","zone":"a","count":2}],"tags":["a","a"]})"),
            R"({"f:parts":{"k:{\"name\":\"p\",\"zone\":\"a\"}":{}},"f:tags":{"v:\"a\"":{}}})");
}

TEST(MergeOperations, ComparisonNamesWhatCameWentAndChanged) {
  EXPECT_EQ(compared(R"({"size":1,"name":"a","nested":{"x":1}})", R"({"size":2,"on":true,"nested":{"x":1}})"),
            R"(-{"f:name":{}} ~{"f:size":{}} +{"f:on":{}})");
  EXPECT_EQ(compared(R"({"tags":["a","b"]})", R"({"tags":["c","b"]})"),
            R"(-{"f:tags":{"v:\"a\"":{}}} ~{} +{"f:tags":{"v:\"c\"":{}}})");
  EXPECT_EQ(compared(R"({"steps":["a"],"rgb":{"r":1}})", R"({"steps":["b"],"rgb":{"g":1}})"),
            R"(-{} ~{"f:rgb":{},"f:steps":{}} +{})");
}

TEST(MergeOperations, ReorderingAndOtherSpellingsOfNumbersAreNoChange) {
  EXPECT_EQ(compared(R"({"tags":["a","b"],"size":1})", R"({"size":1.0,"tags":["b","a"]})"), "-{} ~{} +{}");
}

TEST(MergeOperations, ANewMapIsAddedItselfAndWithItsMembers) {
  EXPECT_EQ(compared("{}", R"({"notes":{"k":"v"},"tags":["a"]})"),
            R"(-{} ~{} +{"f:notes":{".":{},"f:k":{}},"f:tags":{".":{},"v:\"a\"":{}}})");
  EXPECT_EQ(compared(R"({"notes":null})", R"({"notes":{"k":"v"}})"), R"(-{} ~{} +{"f:notes":{"f:k":{}}})");
  EXPECT_EQ(compared(R"({"notes":null})", R"({"notes":{}})"), R"(-{} ~{"f:notes":{}} +{})");
}

TEST(MergeOperations, ItemsThatStandTwiceAreComparedAsAGroup) {
  const char* once = R"({"parts":[{"name":"p","count":1}]})";
  const char* twice = R"({"parts":[{"name":"p","count":1},{"name":"p","count":2}]})";
  EXPECT_EQ(compared(twice, twice), "-{} ~{} +{}");
  EXPECT_EQ(compared(twice, R"({"parts":[{"name":"p","count":2},{"name":"p","count":1}]})"),
            R"(-{} ~{"f:parts":{"k:{\"name\":\"p\",\"zone\":\"a\"}":{}}} +{})");
  EXPECT_EQ(compared(once, twice),
            R"(-{"f:parts":{"k:{\"name\":\"p\",\"zone\":\"a\"}":{".":{},"f:count":{},"f:name":{}}}} ~{} )"
            R"(+{"f:parts":{"k:{\"name\":\"p\",\"zone\":\"a\"}":{}}})");
}

TEST(MergeOperations, AValueThatChangesItsFormIsChangedAndItsMembersAreNew) {
  EXPECT_EQ(compared(R"({"blob":{"a":1}})", R"({"blob":{"a":{"b":1}}})"),
            R"(-{} ~{"f:blob":{"f:a":{}}} +{"f:blob":{"f:a":{"f:b":{}}}})");
}

TEST(MergeOperations, AppliedLeavesLieOverLiveOnes) {
  EXPECT_EQ(merged(R"({"size":1,"nested":{"x":1,"y":1},"steps":["a"]})", R"({"nested":{"x":2},"steps":[],"on":true})"),
            R"({"size":1,"nested":{"x":2,"y":1},"steps":[],"on":true})");
  EXPECT_EQ(merged(R"({"nested":{"x":1},"size":1})", R"({"nested":null,"size":null})"),
            R"({"nested":{"x":1},"size":null})");
}

TEST(MergeOperations, ListsKeepLivesOrderUnlessTheAppliedOneContradictsIt) {
  EXPECT_EQ(merged(R"({"tags":["a","b","c"]})", R"({"tags":["c"]})"), R"({"tags":["a","b","c"]})");
  EXPECT_EQ(merged(R"({"tags":["a","b","c"]})", R"({"tags":["c","a"]})"), R"({"tags":["b","c","a"]})");
  EXPECT_EQ(merged(R"({"tags":["a","b","c"]})", R"({"tags":["d","b"]})"), R"({"tags":["a","d","b","c"]})");
  EXPECT_EQ(merged(R"({"tags":["a","x","b"]})", R"({"tags":["b","y","a"]})"), R"({"tags":["x","b","y","a"]})");
}

TEST(MergeOperations, ItemsMergeByTheirKeysWithDefaults) {
  EXPECT_EQ(merged(R"({"parts":[{"name":"p","zone":"a","count":1}]})", R"({"parts":[{"name":"p","count":2}]})"),
            R"({"parts":[{"name":"p","zone":"a","count":2}]})");
  EXPECT_EQ(merged(R"({"parts":[{"name":"p","count":1},{"name":"p","count":2}]})", R"({"parts":[{"name":"p"}]})"),
            R"({"parts":[{"name":"p"}]})");
}

TEST(MergeOperations, RemovingTakesItemsAndFieldsAndLeavesNullWhereNothingIsLeft) {
  const json::Value spec = json::parse(R"({"size":1,"tags":["a","b"],"nested":{"x":1},"steps":["s"]})");
  const auto removed = [&](std::string_view items) {
    return json::write(remove_items(spec, decode_fields(json::parse(items)), gadget_spec()));
  };
  EXPECT_EQ(removed(R"({"f:size":{},"f:tags":{"v:\"a\"":{}}})"), R"({"tags":["b"],"nested":{"x":1},"steps":["s"]})");
  EXPECT_EQ(removed(R"({"f:nested":{"f:x":{}},"f:steps":{"i:0":{}}})"),
            R"({"size":1,"tags":["a","b"],"nested":null,"steps":null})");
  EXPECT_EQ(json::write(extract_items(spec, decode_fields(json::parse(R"({"f:size":{},"f:tags":{"v:\"b\"":{}}})")),
                                      gadget_spec())),
            R"({"size":1,"tags":["b"]})");
}

TEST(MergeOperations, OwnersOfPartsOfWhatBecameAtomicOwnTheWhole) {
  const auto reconciled = [](std::string_view set) {
    return json::write(encode_fields(reconcile(decode_fields(json::parse(set)), gadget_spec())));
  };
  EXPECT_EQ(reconciled(R"({"f:rgb":{"f:r":{}},"f:size":{}})"), R"({"f:rgb":{},"f:size":{}})");
  EXPECT_EQ(reconciled(R"({"f:steps":{"v:\"a\"":{}}})"), R"({"f:steps":{}})");
  EXPECT_EQ(reconciled(R"({"f:rgb":{},"f:nested":{"f:x":{}}})"), R"({"f:nested":{"f:x":{}},"f:rgb":{}})");
}

TEST(MergeOperations, ValidationSaysWhatUpstreamSays) {
  EXPECT_EQ(problems(R"({"size":"x"})"), ".size: expected numeric (int or float), got string");
  EXPECT_EQ(problems(R"({"name":80})"), ".name: expected string, got &value.valueUnstructured{Value:80}");
  EXPECT_EQ(problems(R"({"on":"yes"})"), ".on: expected boolean, got &{yes}");
  EXPECT_EQ(problems(R"({"nested":[{"b":1,"a":[true,null]}]})"),
            ".nested: expected map, got &{[map[a:[true <nil>] b:1]]}");
  EXPECT_EQ(problems(R"({"tags":{}})"), ".tags: expected list, got &{map[]}");
  EXPECT_EQ(problems(R"({"other":1})"), ".other: field not declared in schema");
  EXPECT_EQ(problems(R"({"tags":["a","a"]})"), R"(.tags: duplicate entries for key [="a"])");
  EXPECT_EQ(problems(R"({"tags":["a","a"]})", Repeated::allow), "errors:");
  EXPECT_EQ(problems(R"({"tags":[null]})"),
            ".tags: element 0: associative list without keys has an element that's an explicit null");
  EXPECT_EQ(problems(R"({"parts":[{"name":"p"},{"name":"p","zone":"a","count":"x"}]})"),
            "errors:\n  .parts: duplicate entries for key [name=\"p\",zone=\"a\"]\n"
            "  .parts[name=\"p\",zone=\"a\"].count: expected numeric (int or float), got string");
  EXPECT_EQ(problems(R"({"size":null,"nested":null,"tags":null,"port":"http"})"), "errors:");
}

TEST(MergeOperations, AnItemWithoutAnyKeyIsRefusedWithTheNamesOfTheKeys) {
  const MergeSchema schema = MergeSchema::of_custom(json::parse(
      R"({"type":"object","properties":{"l":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a","b"],
          "items":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}}}})"));
  EXPECT_EQ(describe(validate(json::parse(R"({"l":[{}]})"), schema.root())),
            R"(.l: element 0: associative list with keys has an element that omits all key fields ["a" "b"] )"
            "(and doesn't have default values for any key fields)");
}

}  // namespace
}  // namespace flyball::apiserver::merge
