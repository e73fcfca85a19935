// The laws of pointers, drafts, patches and diffs, on random documents.
#include <gtest/gtest.h>

#include "flyball/json/detail/alike_for_test.hpp"
#include "flyball/json/diff.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/merge_patch.hpp"
#include "flyball/json/patch.hpp"
#include "flyball/json/pointer.hpp"

namespace flyball::json {
namespace {

constexpr PatchOptions kRfc{.rules = PatchRules::rfc6902};

// Every place in a document, the root first.
void collect(View value, const Pointer& at, std::vector<Pointer>& places) {
  places.push_back(at);
  std::size_t index = 0;
  for (View element : value.items()) collect(element, at / index++, places);
  for (auto [key, member] : value.entries()) collect(member, at / key, places);
}

Pointer place_in(View value) {
  std::vector<Pointer> places;
  collect(value, {}, places);
  return *rc::gen::elementOf(places);
}

// A few random operations that mostly fit the document.
Value operations_for(View document) {
  Builder patch;
  patch.begin_array();
  const int count = *rc::gen::inRange(0, 5);
  for (int i = 0; i < count; ++i) {
    const Pointer at = place_in(document);
    const Pointer path = *rc::gen::arbitrary<bool>() ? at : at / *alike::key();
    patch.value(object({{"op", *rc::gen::element<std::string>("add", "remove", "replace", "move", "copy", "test")},
                        {"path", path.to_string()},
                        {"from", place_in(document).to_string()},
                        {"value", *alike::value({.depth = 2})}}));
  }
  return patch.end().finish();
}

Value patched_or_same(const Value& document, const Value& patch) {
  try {
    return apply_patch(document, patch, kRfc);
  } catch (const PatchError&) {
    return document;
  }
}

TEST(PatchPropertyTest, ApplyingTheDiffGivesTheOtherDocument) {
  EXPECT_TRUE(rc::check([] {
    const Value from = *alike::value();
    const Value to = *rc::gen::arbitrary<bool>() ? *alike::value() : patched_or_same(from, operations_for(from));
    const auto changes = diff(from, to);
    RC_ASSERT(changes.empty() == (from == to));
    RC_ASSERT(apply_patch(from, to_json_patch(changes), kRfc) == to);
  }));
}

TEST(PatchPropertyTest, KubernetesTakesEveryDiffOfObjects) {
  EXPECT_TRUE(rc::check([] {
    const Value from = *alike::object();
    const Value to = *alike::object();
    RC_ASSERT(apply_patch(from, to_json_patch(diff(from, to))) == to);
  }));
}

TEST(PatchPropertyTest, AFailedPatchLeavesNothingBehind) {
  EXPECT_TRUE(rc::check([] {
    const Value document = *alike::object();
    const std::string before = write(document);
    try {
      apply_patch(document, operations_for(document));
    } catch (const PatchError& error) {
      RC_ASSERT(std::string(error.what()).starts_with("patch["));
    }
    RC_ASSERT(write(document) == before);
  }));
}

TEST(PatchPropertyTest, WhatTheRfcAcceptsBelowTheRootKubernetesAcceptsToo) {
  EXPECT_TRUE(rc::check([] {
    const Value document = *alike::object();
    const Value patch = operations_for(document);
    for (View operation : patch.items()) {
      RC_PRE(!operation["path"].as_string().empty() && !operation["from"].as_string().empty());
    }
    std::optional<Value> strict;
    try {
      strict = apply_patch(document, patch, kRfc);
    } catch (const PatchError&) {
      return;
    }
    RC_ASSERT(apply_patch(document, patch) == *strict);
  }));
}

TEST(PatchPropertyTest, AMergePatchLeadsWhereItShould) {
  EXPECT_TRUE(rc::check([] {
    const Value from = *alike::value();
    const Value to = *alike::value({.nulls = *rc::gen::arbitrary<bool>()});
    for (const bool drop : {false, true}) {
      const MergeOptions options{.drop_nulls_in_arrays = drop};
      if (const auto patch = create_merge_patch(from, to, options)) {
        RC_ASSERT(merge_patch(from, *patch, options) == to);
      } else {
        RC_ASSERT(write(to).find("null") != std::string::npos);
      }
    }
  }));
}

TEST(PatchPropertyTest, MergingTwiceIsMergingOnce) {
  EXPECT_TRUE(rc::check([] {
    const Value document = *alike::value();
    const Value patch = *alike::value();
    const Value once = merge_patch(document, patch);
    RC_ASSERT(merge_patch(once, patch) == once);
    RC_ASSERT(merge_patch(document, object()) == (document.is_object() ? document : object()));
  }));
}

TEST(PatchPropertyTest, PointersFindEveryPlace) {
  EXPECT_TRUE(rc::check([] {
    const Value document = *alike::value();
    const Pointer place = place_in(document);
    RC_ASSERT(find(document, place).exists());
    RC_ASSERT(find(document, Pointer(place.to_string())) == find(document, place));
    RC_ASSERT(Draft(document).find(place).equals(find(document, place)));
  }));
}

// The plainest way to edit: rebuild everything on the way. `value` absent erases.
Value rebuilt(View document, const Pointer& at, std::size_t depth, View value, bool insert) {
  if (depth == at.depth()) return Value(value);
  const std::string& part = at.parts()[depth];
  const bool last = depth + 1 == at.depth();
  Builder out;
  if (document.is_object()) {
    bool found = false;
    out.begin_object();
    for (auto [key, member] : document.entries()) {
      found = found || key == part;
      if (key != part) out.key(key).value(member);
      if (key == part && (!last || value.exists())) out.key(key).value(rebuilt(member, at, depth + 1, value, insert));
    }
    if (!found && value.exists()) out.key(part).value(value);
    return out.end().finish();
  }
  const std::size_t index = part == "-" ? document.size() : *index_of_part(part);
  std::size_t i = 0;
  out.begin_array();
  for (View element : document.items()) {
    const bool here = i++ == index;
    if (here && last && insert) out.value(value);
    if (here && !(last && insert)) {
      if (!last || value.exists()) out.value(rebuilt(element, at, depth + 1, value, insert));
    } else {
      out.value(element);
    }
  }
  if (index == document.size()) out.value(value);
  return out.end().finish();
}

TEST(PatchPropertyTest, DraftEditsEqualThoseOfANaiveModel) {
  EXPECT_TRUE(rc::check([] {
    Value model = *alike::value();
    Draft draft(model);
    const int edits = *rc::gen::inRange(1, 12);
    for (int i = 0; i < edits; ++i) {
      const Pointer place = place_in(model);
      const View there = find(model, place);
      const Value value = *alike::value({.depth = 2});
      const auto edit = *rc::gen::element("set", "insert", "erase", "grow");
      if (edit == std::string("grow")) {
        if (!there.is_object() && !there.is_array()) continue;
        const Pointer child = place / (there.is_array() ? "-" : *alike::key());
        draft.set(child, value);
        model = rebuilt(model, child, 0, value, false);
      } else if (edit == std::string("erase")) {
        if (place.is_root()) continue;
        RC_ASSERT(draft.erase(place).exists());
        model = rebuilt(model, place, 0, View(), false);
      } else {
        const bool insert = edit == std::string("insert");
        insert ? draft.insert(place, value) : draft.set(place, value);
        model = rebuilt(model, place, 0, value, insert);
      }
      RC_ASSERT(draft.root().equals(model));
    }
    RC_ASSERT(write(draft.build()) == write(model));
  }));
}

}  // namespace
}  // namespace flyball::json
