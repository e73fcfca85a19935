#include "flyball/apiserver/merge/field_manager.hpp"

#include <algorithm>
#include <utility>

#include "flyball/apiserver/merge/last_applied.hpp"
#include "flyball/apiserver/merge/updater.hpp"

namespace flyball::apiserver::merge {

using json::View;

namespace {

constexpr std::string_view kBeforeFirstApply = "before-first-apply";

// What nobody ever owns.
const FieldSet& never_owned() {
  static const FieldSet set = [] {
    FieldSet fields = FieldSet::of(
        {{PathElement::field("apiVersion")}, {PathElement::field("kind")}, {PathElement::field("metadata")}});
    for (const char* name : {"name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation",
                             "managedFields", "resourceVersion"}) {
      fields.insert(Path{PathElement::field("metadata"), PathElement::field(name)});
    }
    return fields;
  }();
  return set;
}

void strip(Managed& managed, const ManagerId& id) {
  if (Manager* manager = managed.find(id)) manager->fields = manager->fields.difference(never_owned());
  managed.erase_empty();
}

ManagerId updater_id(const ManagedKind& kind, const Writer& writer, std::string_view name) {
  return {.name = name.empty() ? "unknown" : std::string(name),
          .applied = false,
          .api_version = kind.api_version,
          .subresource = writer.subresource};
}

ManagerId applier_id(const Writer& writer) {
  return {
      .name = writer.manager.empty() ? "unknown" : writer.manager, .applied = true, .subresource = writer.subresource};
}

// The write as a manager of its own, which joins the writer's entry only if it changed anything.
void update(View live, View next, Managed& managed, const ManagedKind& kind, const Writer& writer,
            std::string_view name) {
  static const ManagerId operation{.name = "current-operation"};
  Updater(kind).update(live, next, managed, operation);
  strip(managed, operation);
  if (const Manager* self = managed.find(operation)) {
    const Manager changed = *self;
    managed.erase(operation);
    Manager& mine = managed.at(updater_id(kind, writer, name));
    mine.fields = changed.fields | mine.fields;
    mine.api_version = changed.api_version;
    mine.time = writer.now;
  }
  managed.cap_updaters();
}

Managed decode_or_none(View managed_fields) {
  try {
    return Managed::decode(managed_fields);
  } catch (const Error&) {
    return {};  // owners that cannot be read are none
  }
}

Managed managed_for_update(View live, View next, bool subresource) {
  const View of_live = live["metadata"]["managedFields"];
  const View of_next = next["metadata"]["managedFields"];
  if (subresource) return decode_or_none(of_live);
  if (is_reset(of_next)) return {};
  // Clients that do not know managedFields must not delete them by accident.
  Managed managed = decode_or_none(of_next);
  return managed.empty() ? decode_or_none(of_live) : managed;
}

bool is_tracked(View live, const Managed& managed) {
  return !managed.empty() || live["metadata"]["uid"].string_or("").empty();
}

std::string group_version_kind(View object) {
  const std::string version(object["apiVersion"].string_or(""));
  const std::string slash = version.find('/') == std::string::npos ? "/" : "";
  return slash + version + ", Kind=" + std::string(object["kind"].string_or(""));
}

std::string described(View object) {
  const View metadata = object["metadata"];
  return std::string(metadata["namespace"].string_or("")) + "/" + std::string(metadata["name"].string_or("")) + "; " +
         group_version_kind(object);
}

void check_applied(View live, View applied, const ManagedKind& kind) {
  if (applied["metadata"]["managedFields"].is_array()) {
    throw ApiError(Reason::BadRequest, "metadata.managedFields must be nil");
  }
  const MergeType& type = kind.schema.root();
  if (const auto problems = validate(applied, type); !problems.empty()) {
    throw ApiError(Reason::Unknown,
                   "failed to create typed patch object (" + described(applied) + "): " + describe(problems));
  }
  if (const auto problems = validate(live, type, Repeated::allow); !problems.empty()) {
    throw ApiError(Reason::Unknown,
                   "failed to create typed live object (" + described(live) + "): " + describe(problems));
  }
}

struct Outcome {
  json::Value object = {};
  Managed managed = {};
  std::vector<Conflict> conflicts = {};
};

Outcome try_apply(View live, View applied, Managed managed, const ManagedKind& kind, const Writer& writer,
                  Force force) {
  if (managed.empty()) update(kind.schema.empty_object(), live, managed, kind, writer, kBeforeFirstApply);
  check_applied(live, applied, kind);
  const ManagerId self = applier_id(writer);
  Updater::Applied result = Updater(kind).apply(live, applied, managed, self, force);
  if (!result.conflicts.empty()) return {.conflicts = std::move(result.conflicts)};
  strip(managed, self);
  if (result.object != live) {
    if (Manager* mine = managed.find(self)) mine->time = writer.now;
  }
  return {.object = std::move(result.object), .managed = std::move(managed)};
}

Managed decode_for_apply(View managed_fields) {
  try {
    return Managed::decode(managed_fields);
  } catch (const Error& e) {
    throw ApiError(Reason::Unknown, std::string("failed to decode managed fields: ") + e.what());
  }
}

}  // namespace

Managed track_managers(View live, View next, const ManagedKind& kind, const Writer& writer) {
  const bool create = !live.is_object();
  Managed managed = managed_for_update(live, next, !writer.subresource.empty());
  if (!is_tracked(live, managed)) return managed;
  const json::Value stripped = next["metadata"]["managedFields"] ? without_managed_fields(next) : json::Value();
  const View bare = stripped.is_object() ? View(stripped) : next;
  const View before = create ? View(kind.schema.empty_object()) : live;
  const MergeType& type = kind.schema.root();
  if (!validate(bare, type, Repeated::allow).empty() || !validate(before, type, Repeated::allow).empty()) return {};
  try {
    update(before, bare, managed, kind, writer, writer.manager);
  } catch (const Error&) {
    return {};  // what cannot be converted has no owners, rather than wrong ones
  }
  return managed;
}

json::Value track_update(View live, const json::Value& next, const ManagedKind& kind, const Writer& writer) {
  return with_managed_fields(next, track_managers(live, next, kind, writer));
}

json::Value apply(View live, View applied, const ManagedKind& kind, const Writer& writer, Force force) {
  if (applied["apiVersion"].string_or("") != kind.api_version || applied["kind"].string_or("") != kind.kind) {
    throw ApiError(Reason::BadRequest, "invalid object type: " + group_version_kind(applied));
  }
  const View now = live.is_object() ? live : View(kind.schema.empty_object());
  const Managed managed = decode_for_apply(now["metadata"]["managedFields"]);
  Outcome outcome = try_apply(now, applied, managed, kind, writer, force);
  const bool kubectl = writer.manager == kKubectl;
  if (!outcome.conflicts.empty() && kubectl) {
    const FieldSet allowed = fields_last_applied(now, kind);
    std::erase_if(outcome.conflicts, [&](const Conflict& conflict) { return allowed.has(conflict.path); });
    if (outcome.conflicts.empty()) outcome = try_apply(now, applied, managed, kind, writer, Force::yes);
  }
  if (!outcome.conflicts.empty()) throw ApplyConflict(std::move(outcome.conflicts));
  if (kubectl) outcome.object = with_last_applied(std::move(outcome.object), applied);
  return with_managed_fields(outcome.object, outcome.managed);
}

void check_managed_fields(View managed_fields) { Managed::decode(managed_fields); }

}  // namespace flyball::apiserver::merge
