#include "flyball/apiserver/merge/updater.hpp"

#include <algorithm>

namespace flyball::apiserver::merge {

using json::View;

Typed Updater::typed(json::Value object) const {
  return {.object = std::move(object), .api_version = kind_.api_version, .type = &kind_.schema.root()};
}

// Upstream checks what conversion gives more strictly than what is stored: items that stand twice are an error.
std::optional<Typed> Updater::convert(const Typed& object, std::string_view api_version, std::string_view doing) const {
  if (object.api_version == api_version) return object;
  if (!kind_.convert) return std::nullopt;
  auto converted = kind_.convert(object.object, api_version);
  if (!converted) return std::nullopt;
  if (const auto problems = validate(converted->object, converted->schema->root()); !problems.empty()) {
    throw ApiError(Reason::Unknown, std::string(doing) + describe(problems));
  }
  return Typed{.object = std::move(converted->object),
               .api_version = std::string(api_version),
               .type = &converted->schema->root()};
}

// Managers of versions that are no more go here.
void Updater::reconcile_all(const Typed& live, Managed& managed) const {
  std::map<std::string, std::optional<Typed>, std::less<>> versions;
  std::erase_if(managed.managers(), [&](Manager& manager) {
    auto at = versions.find(manager.api_version);
    if (at == versions.end()) {
      at = versions.emplace(manager.api_version, convert(live, manager.api_version, "")).first;
    }
    if (!at->second) return true;
    manager.fields = reconcile(manager.fields, *at->second->type);
    return false;
  });
}

std::optional<Comparison> Updater::compare_in(const Typed& live, const Typed& next,
                                              std::string_view api_version) const {
  const std::optional<Typed> old_object = convert(live, api_version, "failed to convert old object: ");
  if (!old_object) return std::nullopt;
  const std::optional<Typed> new_object = convert(next, api_version, "failed to convert new object: ");
  if (!new_object) return std::nullopt;
  const Comparison change = compare(old_object->object, new_object->object, *old_object->type);
  return Comparison{.removed = kind_.reset(change.removed),
                    .modified = kind_.reset(change.modified),
                    .added = kind_.reset(change.added)};
}

// Takes from every manager but `self` what changed. Returns the change in the version of the request.
Comparison Updater::take(const Typed& live, const Typed& next, Managed& managed, const ManagerId& self, Force force,
                         std::vector<Conflict>& conflicts) const {
  Versions versions;
  const auto change_in = [&](const std::string& version) -> const std::optional<Comparison>& {
    auto at = versions.find(version);
    if (at == versions.end()) at = versions.emplace(version, compare_in(live, next, version)).first;
    return at->second;
  };
  Comparison own = *change_in(kind_.api_version);
  std::vector<std::pair<const Manager*, FieldSet>> taken;
  std::erase_if(managed.managers(),
                [&](const Manager& manager) { return manager.id != self && !change_in(manager.api_version); });
  for (const Manager& manager : managed.managers()) {
    if (manager.id == self) continue;
    const Comparison& change = *change_in(manager.api_version);
    FieldSet set = manager.fields & (change.modified | change.added);
    if (!set.empty()) taken.emplace_back(&manager, std::move(set));
  }
  if (force == Force::no && !taken.empty()) {
    for (const auto& [manager, set] : taken) {
      set.each([&](const Path& path) { conflicts.push_back({.manager = manager->id, .path = path}); });
    }
    return own;
  }
  for (Manager& manager : managed.managers()) {
    if (manager.id == self) continue;
    const Comparison& change = *change_in(manager.api_version);
    manager.fields = manager.fields.difference(change.modified).difference(change.added).difference(change.removed);
  }
  managed.erase_empty();
  return own;
}

void Updater::update(View live, View next, Managed& managed, const ManagerId& self) const {
  const Typed old_object = typed(json::Value(live));
  const Typed new_object = typed(json::Value(next));
  reconcile_all(old_object, managed);
  std::vector<Conflict> none;
  const Comparison change = take(old_object, new_object, managed, self, Force::yes, none);
  Manager& mine = managed.at(self);
  mine.fields = kind_.reset(mine.fields.difference(change.removed) | change.modified | change.added);
  mine.api_version = kind_.api_version;
  managed.erase_empty();
}

Updater::Applied Updater::apply(View live, View applied, Managed& managed, const ManagerId& self, Force force) const {
  const Typed old_object = typed(json::Value(live));
  reconcile_all(old_object, managed);
  Typed next = typed(merge(live, applied, kind_.schema.root()));
  const Manager* known = managed.find(self);
  const Manager last = known == nullptr ? Manager() : *known;
  Manager& mine = managed.at(self);
  mine.fields = kind_.reset(fields_of(applied, kind_.schema.root()));
  mine.api_version = kind_.api_version;
  // What it applied last it applies again: nothing goes.
  const bool all_again = last.api_version == kind_.api_version && last.fields.difference(mine.fields).empty();
  if (!last.fields.empty() && !all_again) next = prune(std::move(next), managed, last);
  Applied result;
  take(old_object, next, managed, self, force, result.conflicts);
  result.object = std::move(next.object);
  return result;
}

}  // namespace flyball::apiserver::merge
