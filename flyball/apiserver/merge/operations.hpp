// The four walks of structured merge: which fields a value has, what differs between two, one laid over another, and
// one without some fields. With them `validate`, which says whether a value is of its type at all.
//
//   const MergeType& type = schema.root();
//   FieldSet mine = fields_of(applied, type);
//   Comparison change = compare(live, next, type);                // change.added, .removed, .modified
//   json::Value merged = merge(live, applied, type);              // applied's leaves over live's
//   json::Value less = remove_items(merged, gone, type);
//
// They follow structured-merge-diff, which Kubernetes uses, in every corner: items that stand twice are one group;
// `null` and `{}` are leaves, and differ; the key of a list that is missing has its default; what was reordered keeps
// the applied order with live's own items in place. Values are expected to be of their type: what is not is passed
// over, `validate` names it.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "flyball/apiserver/merge/field_set.hpp"
#include "flyball/apiserver/merge/merge_type.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver::merge {

struct Problem {
  std::string path = {};     // ".spec.replicas"
  std::string message = {};  // "expected numeric (int or float), got string"
  friend bool operator==(const Problem&, const Problem&) = default;
};
enum class Repeated { refuse, allow };  // items that stand twice
std::vector<Problem> validate(json::View value, const MergeType& type, Repeated repeated = Repeated::refuse);
// One problem on a line, several below "errors:".
std::string describe(const std::vector<Problem>& problems);

// Every leaf and every item of a list by keys, but no more of items that stand twice than the item.
FieldSet fields_of(json::View value, const MergeType& type);

struct Comparison {
  FieldSet removed = {};
  FieldSet modified = {};
  FieldSet added = {};

  bool same() const { return removed.empty() && modified.empty() && added.empty(); }
};
Comparison compare(json::View before, json::View after, const MergeType& type);

json::Value merge(json::View live, json::View applied, const MergeType& type);

// What loses all it had becomes null.
json::Value remove_items(json::View value, const FieldSet& items, const MergeType& type);
// Only these fields, and what holds them.
json::Value extract_items(json::View value, const FieldSet& items, const MergeType& type);

// The set as it would be had the type been so from the start: of what has become atomic, its owner owns the whole.
FieldSet reconcile(const FieldSet& set, const MergeType& type);

}  // namespace flyball::apiserver::merge
