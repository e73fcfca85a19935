// The laws of ownership and of apply, on random objects.
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "flyball/apiserver/merge/gadget_for_test.hpp"
#include "flyball/apiserver/merge/operations.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver::merge {
namespace {

using json::Builder;
using json::Value;
using json::View;

bool sometimes() { return *rc::gen::inRange(0, 3) == 0; }
std::int64_t few() { return *rc::gen::inRange(0, 3); }

void put_words(Builder& to, std::string_view key) {
  if (!sometimes()) return;
  to.key(key).begin_array().string(*rc::gen::element<std::string>("a", "b", "c"));
  if (sometimes()) to.string("d");
  to.end();
}

void put_part(Builder& to, std::string_view name) {
  to.begin_object().key("name").string(name);
  if (sometimes()) to.key("zone").string(*rc::gen::element<std::string>("a", "b"));
  if (sometimes()) to.key("count").integer(few());
  to.end();
}

// A gadget with something in it, and nothing of it empty.
Value any_gadget() {
  Builder spec;
  spec.begin_object().key("name").string("n");
  if (sometimes()) spec.key("size").integer(few());
  if (sometimes()) spec.key("port").integer(few());
  put_words(spec, "tags");
  put_words(spec, "steps");
  if (sometimes()) {
    spec.key("parts").begin_array();
    put_part(spec, "p");
    if (sometimes()) put_part(spec, "q");
    spec.end();
  }
  if (sometimes()) spec.key("rgb").begin_object().key("r").integer(few()).end();
  for (const char* map : {"notes", "blob"}) {
    if (sometimes()) spec.key(map).begin_object().key(*rc::gen::element<std::string>("k", "l")).string("v").end();
  }
  if (sometimes()) spec.key("nested").begin_object().key(sometimes() ? "x" : "y").integer(few()).end();
  spec.end();
  return gadget(json::write(spec.finish()), "u");
}

Writer by(std::string_view manager) { return {.manager = std::string(manager), .now = kube::Time::from_unix(1)}; }

Value create(const Value& object, std::string_view manager) {
  return track_update({}, object, gadget_kind(), by(manager));
}

std::optional<Value> try_apply(const Value& live, const Value& applied, std::string_view manager) {
  try {
    return apply(live, applied, gadget_kind(), by(manager), Force::no);
  } catch (const ApplyConflict&) {
    return std::nullopt;
  }
}

Value force(const Value& live, const Value& applied, std::string_view manager) {
  return apply(live, applied, gadget_kind(), by(manager), Force::yes);
}

// Who owns what, whatever their order.
std::map<ManagerId, FieldSet> owners(const Value& object) {
  std::map<ManagerId, FieldSet> sets;
  const Managed managed = Managed::decode(object["metadata"]["managedFields"]);
  for (const Manager& manager : managed.managers()) sets.emplace(manager.id, manager.fields);
  return sets;
}

const MergeType& type() { return gadget_schema().root(); }

FieldSet spec_fields(const Value& object) {
  const FieldSet all = fields_of(object, type());
  const FieldSet* spec = all.below(PathElement::field("spec"));
  return spec == nullptr ? FieldSet() : *spec;
}

FieldSet spec_of(const FieldSet& set) {
  const FieldSet* spec = set.below(PathElement::field("spec"));
  return spec == nullptr ? FieldSet() : *spec;
}

TEST(ApplyLaws, ApplyingTwiceIsApplyingOnce) {
  EXPECT_TRUE(rc::check([] {
    const Value applied = any_gadget();
    const Value once = force(create(any_gadget(), "bob"), applied, "eve");
    RC_ASSERT(force(once, applied, "eve") == once);
    RC_ASSERT(try_apply(once, applied, "eve") == once);
  }));
}

TEST(ApplyLaws, WhatIsAppliedIsThereAndTheAppliersAlone) {
  EXPECT_TRUE(rc::check([] {
    const Value live = create(any_gadget(), "bob");
    const Value applied = any_gadget();
    const Value next = force(live, applied, "eve");
    const Comparison missing = compare(applied["spec"], next["spec"], gadget_spec());
    RC_ASSERT(missing.removed.empty());
    RC_ASSERT(missing.modified.empty());
    const auto sets = owners(next);
    RC_ASSERT(spec_of(sets.at({.name = "eve", .applied = true})) == spec_fields(applied));
    const Comparison change = compare(live["spec"], next["spec"], gadget_spec());
    const auto bob = sets.find({.name = "bob", .api_version = "example.com/v1"});
    if (bob != sets.end())
      RC_ASSERT((spec_of(bob->second) & (change.modified | change.added | change.removed)).empty());
  }));
}

TEST(ApplyLaws, AConflictIsWhatForceWouldTake) {
  EXPECT_TRUE(rc::check([] {
    const Value live = create(any_gadget(), "bob");
    const Value applied = any_gadget();
    const Value forced = force(live, applied, "eve");
    const bool bob_lost = owners(forced)[{.name = "bob", .api_version = "example.com/v1"}] !=
                          owners(live)[{.name = "bob", .api_version = "example.com/v1"}];
    RC_ASSERT(try_apply(live, applied, "eve").has_value() == !bob_lost);
  }));
}

TEST(ApplyLaws, GivingUpWhatWasAddedBringsTheObjectBack) {
  EXPECT_TRUE(rc::check([] {
    const Value live = create(any_gadget(), "bob");
    const auto added = try_apply(live, any_gadget(), "eve");
    RC_PRE(added.has_value());
    const Value back = force(*added, gadget(R"({"name":"n"})"), "eve");
    RC_ASSERT(compare(live["spec"], back["spec"], gadget_spec()).same());
  }));
}

TEST(ApplyLaws, AppliersThatDoNotConflictMayComeInAnyOrder) {
  EXPECT_TRUE(rc::check([] {
    const Value live = create(any_gadget(), "bob");
    const Value one = any_gadget();
    const Value two = any_gadget();
    const auto first_one = try_apply(live, one, "eve");
    const auto first_two = try_apply(live, two, "joe");
    RC_PRE(first_one.has_value() && first_two.has_value());
    const auto then_two = try_apply(*first_one, two, "joe");
    const auto then_one = try_apply(*first_two, one, "eve");
    RC_ASSERT(then_two.has_value() == then_one.has_value());
    if (!then_two) return;
    RC_ASSERT(owners(*then_two) == owners(*then_one));
    RC_ASSERT(
        compare(then_two->slice((*then_two)["spec"]), then_one->slice((*then_one)["spec"]), gadget_spec()).same());
  }));
}

TEST(ApplyLaws, AnUpdaterOwnsExactlyWhatItChanged) {
  EXPECT_TRUE(rc::check([] {
    const Value live = create(any_gadget(), "bob");
    const Value next = any_gadget();
    const Value written = track_update(live, next, gadget_kind(), by("eve"));
    const Comparison change = compare(live["spec"], next["spec"], gadget_spec());
    const auto sets = owners(written);
    const auto eve = sets.find({.name = "eve", .api_version = "example.com/v1"});
    RC_ASSERT(eve != sets.end() || (change.modified | change.added).empty());
    if (eve != sets.end()) RC_ASSERT(spec_of(eve->second) == (change.modified | change.added));
    // Every leaf still has an owner.
    FieldSet owned;
    for (const auto& [id, set] : sets) owned = owned | spec_of(set);
    RC_ASSERT(spec_fields(next).leaves().difference(owned).empty());
  }));
}

TEST(ApplyLaws, MergingIsLayingOver) {
  EXPECT_TRUE(rc::check([] {
    const Value a = any_gadget();
    const Value b = any_gadget();
    const Value merged = merge(a, b, type());
    RC_ASSERT(merge(merged, b, type()) == merged);
    RC_ASSERT(merge(a, a, type()) == a);
    RC_ASSERT(spec_fields(merged) == (spec_fields(a) | spec_fields(b)));
    RC_ASSERT(compare(a, merged, type()).removed.empty());
  }));
}

TEST(ApplyLaws, RemovingWhatWasAddedGivesTheFieldsOfBefore) {
  EXPECT_TRUE(rc::check([] {
    const Value a = any_gadget();
    const Value merged = merge(a, any_gadget(), type());
    const FieldSet added = fields_of(merged, type()).difference(fields_of(a, type()));
    const FieldSet gone =
        added.with_named_parents(&type()).difference(fields_of(a, type()).with_named_parents(&type()));
    RC_ASSERT(spec_fields(remove_items(merged, gone, type())) == spec_fields(a));
  }));
}

}  // namespace
}  // namespace flyball::apiserver::merge
