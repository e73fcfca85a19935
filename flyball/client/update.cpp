#include "flyball/client/update.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "flyball/json/builder.hpp"
#include "flyball/json/diff.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/merge_patch.hpp"

namespace flyball::client {
namespace {

constexpr json::MergeOptions kMerge{.drop_nulls_in_arrays = true};

void check_same(json::View read, json::View changed) {
  for (const char* field : {"name", "namespace", "uid"}) {
    const std::string_view before = read["metadata"][field].string_or("");
    const std::string_view after = changed["metadata"][field].string_or("");
    if (before == after) continue;
    throw InputError({}, std::string("metadata.") + field,
                     "an update changes one object, but \"" + std::string(before) + "\" was read and \"" +
                         std::string(after) + "\" is to be written");
  }
}

// Without what the server keeps itself, so that an edited copy may or may not carry it.
json::Value comparable(const json::Value& document, Part part, bool status_is_apart) {
  json::Draft draft(document);
  if (part == Part::status) {
    json::Draft status;
    status.set("/status", json::Value(document["status"]));
    if (!document["status"].exists()) status.erase("/status");
    return status.build();
  }
  draft.erase("/metadata/managedFields");
  draft.erase("/metadata/resourceVersion");
  if (status_is_apart) draft.erase("/status");
  return draft.build();
}

bool holds_more_than_scalars(json::View array) {
  for (const json::View item : array.items()) {
    if (item.is_object() || item.is_array()) return true;
  }
  return false;
}

// Whether the change happens within a list of objects that was there before.
bool inside_list_of_objects(const json::Change& change, json::View read) {
  json::View at = read;
  for (const std::string& part : change.pointer.parts()) {
    if (at.is_array()) return holds_more_than_scalars(at);
    at = at[part];
  }
  return false;
}

json::Value with_version(const json::Value& merge_patch, std::string_view version) {
  json::Draft draft(merge_patch);
  draft.set("/metadata/resourceVersion", version);
  return draft.build();
}

json::Value operations(const std::vector<json::Change>& changes, std::string_view version) {
  const json::Value steps = json::to_json_patch(changes);
  json::Builder all;
  all.begin_array();
  // Not a "test": a version that is not the stored one any more shall be a Conflict, as everywhere else.
  all.value(json::object({{"op", "replace"}, {"path", "/metadata/resourceVersion"}, {"value", version}}));
  for (const json::View step : steps.items()) all.value(step);
  all.end();
  return all.finish();
}

}  // namespace

std::optional<Patch> changes_between(const json::Value& read, const json::Value& changed, Part part,
                                     bool status_is_apart) {
  check_same(read, changed);
  const std::string_view version = read["metadata"]["resourceVersion"].string_or("");
  if (version.empty()) {
    throw InputError({}, "metadata.resourceVersion",
                     "an update needs the object as it was read from the server, and this one has no version: use "
                     "create() for a new object, apply() for what you want to be true");
  }
  if (part == Part::object && status_is_apart && !(json::View(read["status"]) == json::View(changed["status"]))) {
    throw InputError({}, "status", "the status changed, and the server takes it only by update_status()");
  }
  const json::Value before = comparable(read, part, status_is_apart);
  const json::Value after = comparable(changed, part, status_is_apart);
  const std::vector<json::Change> changes = json::diff(before, after);
  if (changes.empty()) return std::nullopt;
  const bool in_lists =
      std::ranges::any_of(changes, [&](const json::Change& change) { return inside_list_of_objects(change, before); });
  if (!in_lists) {
    if (const auto merge = json::create_merge_patch(before, after, kMerge)) {
      return Patch::merge(with_version(*merge, version));
    }
  }
  return Patch::json(operations(changes, version));
}

}  // namespace flyball::client
