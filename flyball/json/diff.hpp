// What differs between two documents: as a list, as a JSON Patch, as text for people.
//
//   for (const json::Change& change : json::diff(before, after)) log.info("changed", "field", change.path);
//   json::Value patch = json::to_json_patch(json::diff(before, after));     // apply_patch(before, patch) == after
//   std::string text = json::print(json::diff(before, after));              // "spec.replicas: 1 → 3\n"
//
// Objects are compared member by member, whatever their order. In arrays the elements that stayed are found (the
// longest common subsequence; in arrays of more than some hundred changed elements, what is equal at both ends), and
// what remains is compared pair by pair.
//
// The changes are steps: each pointer is right after the changes before it were made, as in a JSON Patch.
//
// Thread-safety: pure functions. Lifetime: a Change looks into the two documents and lives as long as they do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "flyball/json/pointer.hpp"
#include "flyball/json/value.hpp"

namespace flyball::json {

enum class ChangeKind : std::uint8_t { added, removed, changed };

struct Change {
  ChangeKind kind = ChangeKind::changed;
  Pointer pointer;
  std::string path;  // the pointer as people write it; empty for the whole document
  View from;         // absent when added
  View to;           // absent when removed
};

// Empty exactly when the documents are equal. An absent view counts as null.
std::vector<Change> diff(View from, View to);

// add, remove and replace operations in the order of the changes. Where a whole document that is a scalar changes,
// the patch needs PatchRules::rfc6902 to be applied.
Value to_json_patch(const std::vector<Change>& changes);

// One line per change: `spec.replicas: 1 → 3`, `spec.paused: added true`, `metadata.labels.app: removed "web"`.
// Values are written as JSON and cut when they are long.
std::string print(const std::vector<Change>& changes);

}  // namespace flyball::json
