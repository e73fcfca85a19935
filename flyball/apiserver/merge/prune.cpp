// What an applier no longer applies goes, if nobody else owns it.
#include <set>

#include "flyball/apiserver/merge/updater.hpp"

namespace flyball::apiserver::merge {

namespace {

FieldSet all_fields(const Typed& object) {
  return fields_of(object.object, *object.type).with_named_parents(object.type);
}

}  // namespace

Typed Updater::prune(Typed merged, const Managed& managed, const Manager& last) const {
  const std::optional<Typed> converted = convert(
      merged, last.api_version, "failed to prune fields: failed to convert merged object to last applied version: ");
  if (!converted) return merged;
  Typed pruned = *converted;
  pruned.object = remove_items(converted->object, last.fields.with_named_parents(converted->type), *converted->type);
  pruned = put_back_owned(*converted, std::move(pruned), managed);
  pruned = put_back_dangling(*converted, pruned, last);
  return convert(pruned, kind_.api_version, "failed to prune fields: ").value_or(std::move(merged));
}

// What somebody owns, this apply included, comes back.
Typed Updater::put_back_owned(const Typed& merged, Typed pruned, const Managed& managed) const {
  std::map<std::string, FieldSet> owned;
  for (const Manager& manager : managed.managers()) {
    FieldSet& sum = owned[manager.api_version];
    sum = sum | manager.fields;
  }
  Typed whole = merged;
  // The version it is in first: what another version needs to be converted must be back by then.
  const std::string first = pruned.api_version;
  if (const auto at = owned.find(first); at != owned.end()) {
    put_back_version(whole, pruned, first, at->second);
    owned.erase(at);
  }
  for (const auto& [version, fields] : owned) put_back_version(whole, pruned, version, fields);
  return pruned;
}

void Updater::put_back_version(Typed& merged, Typed& pruned, const std::string& version, const FieldSet& owned) const {
  const std::string doing = "failed to prune fields: failed add back owned items: failed to convert ";
  const std::string at = " object at version " + version + ": ";
  const std::optional<Typed> whole = convert(merged, version, doing + "merged" + at);
  const std::optional<Typed> less = whole ? convert(pruned, version, doing + "pruned" + at) : std::nullopt;
  if (!whole || !less) return;
  merged = *whole;
  const FieldSet kept = all_fields(*less) | owned.with_named_parents(whole->type);
  pruned = *whole;
  pruned.object = remove_items(whole->object, all_fields(*whole).difference(kept), *whole->type);
}

// What the applier never owned comes back, too: nobody said that it should go.
Typed Updater::put_back_dangling(const Typed& merged, const Typed& pruned, const Manager& last) const {
  const std::optional<Typed> less = convert(pruned, last.api_version,
                                            "failed to prune fields: failed add back dangling items: failed to convert "
                                            "pruned object to last applied version: ");
  if (!less) return merged;
  const FieldSet gone = all_fields(merged).difference(all_fields(*less));
  Typed result = merged;
  result.object = remove_items(merged.object, gone & last.fields.with_named_parents(merged.type), *merged.type);
  return result;
}

}  // namespace flyball::apiserver::merge
