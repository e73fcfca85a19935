#include "flyball/apiserver/write_chain.hpp"

#include <algorithm>
#include <utility>

#include "flyball/apiserver/admission/admission.hpp"
#include "flyball/apiserver/admission/quotas.hpp"
#include "flyball/apiserver/after_write.hpp"
#include "flyball/apiserver/kinds/metadata_rules.hpp"
#include "flyball/apiserver/managed_fields.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/apiserver/service_writes.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {
namespace {

constexpr int kNameTries = 8;
constexpr int kWriteTries = 100;
constexpr std::size_t kLongestBase = 58;

// Writes the object; the text as it would be read now, by way of the version that is stored.
Written put(Context& context, const StoreKey& key, Revision expected, Object& object) {
  const ResourcePointer storage = context.world.registry.storage_of(object.resource());
  const bool converted = object.resource().is_custom() || storage.get() != &object.resource();
  Bytes stored;
  context.world.store.put(key, expected, [&](Revision next) {
    object.metadata().resourceVersion = std::to_string(next);
    stored = std::make_shared<const StoredText>(converted ? in_version(*storage, object.text()) : object.text());
    return stored;
  });
  Written written{.text = in_version(*context.resource, stored)};
  if (!converted) written.object = std::move(object);
  return written;
}

void wipe(ObjectMeta& metadata) {
  metadata.uid.clear();
  metadata.creationTimestamp = {};
  metadata.deletionTimestamp.reset();
  metadata.deletionGracePeriodSeconds.reset();
  metadata.selfLink.clear();
}

void refuse_problems(const Object& object, const Problems& problems) {
  if (!problems.empty()) {
    // By the group that stores it: events of both groups are refused in the words of the old one.
    const Resource& resource = object.resource();
    const std::size_t dot = resource.shelf.find('.');
    const std::string group = dot == std::string::npos ? "" : resource.shelf.substr(dot + 1);
    throw refuse::invalid({group, resource.kind}, object.metadata().name, problems);
  }
}

void check_new(Context& context, const Object& object) {
  Problems problems;
  const Resource& resource = object.resource();
  validate_metadata(object.metadata(), resource.namespaced, resource.traits.name, problems);
  if (!resource.is_custom()) validate_kube_finalizers(object.metadata(), problems);
  problems.add(validate(object, nullptr, Part::whole));
  refuse_problems(object, problems);
  for (std::string& warning : warnings_of(object, nullptr)) context.warnings.push_back(std::move(warning));
}

void check_changed(Context& context, const Object& object, const Object& old, Part part) {
  Problems problems;
  const Resource& resource = object.resource();
  validate_metadata(object.metadata(), resource.namespaced, kube::names::path_segment, problems);
  // Twice, as upstream: once for all kinds, once by the kind itself.
  validate_metadata_update(object.metadata(), old.metadata(), problems);
  validate_metadata_update(object.metadata(), old.metadata(), problems);
  problems.add(validate(object, &old, part));
  refuse_problems(object, problems);
  if (part == Part::status) return;
  for (std::string& warning : warnings_of(object, &old)) context.warnings.push_back(std::move(warning));
}

// What an update can never change.
void keep_identity(ObjectMeta& metadata, const ObjectMeta& old) {
  if (metadata.uid.empty()) metadata.uid = old.uid;
  if (!old.creationTimestamp.is_zero()) metadata.creationTimestamp = old.creationTimestamp;
  if (old.deletionTimestamp) metadata.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds && !metadata.deletionGracePeriodSeconds) {
    metadata.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
  }
}

// Where the object would lie in etcd.
std::string registry_key(const Resource& resource, const Object& object) {
  std::string key = "/registry/";
  if (resource.is_custom()) key += resource.group + "/";
  return key + resource.plural + "/" + key_of(resource, object.metadata().namespace_, object.metadata().name);
}

void check_version(const Context& context, const UpdateRequest& request, Object& next, const Object& live) {
  ObjectMeta& metadata = next.metadata();
  const std::string& stored = live.metadata().resourceVersion;
  const GroupName resource = context.resource->group_resource();
  if (request.uid_is_condition && !metadata.uid.empty() && metadata.uid != live.metadata().uid) {
    throw refuse::conflict(resource, request.name,
                           "StorageError: invalid object, Code: 4, Key: " + registry_key(*context.resource, live) +
                               ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: " +
                               metadata.uid + ", UID in object meta: " + live.metadata().uid);
  }
  const bool unversioned = metadata.resourceVersion.empty() || metadata.resourceVersion == "0";
  if (unversioned && !context.resource->traits.unconditional_update) {
    Problems problems;
    problems.invalid(FieldPath("metadata.resourceVersion"), 0, "must be specified for an update");
    throw refuse::invalid(resource, request.name, problems);
  }
  if (!unversioned) {
    check_revision(metadata.resourceVersion);
    if (metadata.resourceVersion != stored) throw refuse::conflict(resource, request.name, refuse::kModified);
  }
  metadata.resourceVersion = stored;
}

// The last finalizer has gone from an object that waits to be deleted.
bool is_finished(const ObjectMeta& next, const ObjectMeta& old) {
  return next.finalizers.empty() && old.deletionTimestamp && old.deletionGracePeriodSeconds.value_or(0) == 0;
}

// A namespace waits for the finalizers in its spec too.
bool still_waits(const Context& context, const Object& object) {
  return context.resource->plural == "namespaces" && context.resource->group.empty() &&
         !object.as<kube::core::v1::Namespace>().spec.finalizers.empty();
}

std::string generated_name(Context& context, const std::string& base) {
  return base.substr(0, kLongestBase) + context.world.random.name_suffix();
}

void fill_metadata(Context& context, ObjectMeta& metadata) {
  metadata.creationTimestamp = context.now();
  metadata.uid = context.world.random.uuid();
  if (metadata.name.empty() && !metadata.generateName.empty()) {
    metadata.name = generated_name(context, metadata.generateName);
  }
}

Written create_once(Context& context, Object& object, const WriteOptions& options) {
  prepare(context, object, nullptr, Part::whole);
  check_new(context, object);
  admit(context, object, nullptr);
  // As upstream, which defaults again what it reads from the store.
  set_defaults(object);
  if (!object.metadata().resourceVersion.empty()) {
    throw Refusal({.code = 500, .message = "resourceVersion should not be set on objects to be created"},
                  {.present = false, .reason = false});
  }
  const StoreKey key = context.store_key(object.metadata().name);
  QuotaWrite quota(context, &object, nullptr, options.dry_run);
  if (options.dry_run) {
    if (context.world.store.find(key)) {
      throw refuse::already_exists(context.resource->group_resource(), object.metadata().name);
    }
    return {.text = std::make_shared<const StoredText>(object.text()), .created = true};
  }
  Written written;
  try {
    written = put(context, key, kAbsent, object);
  } catch (const Outdated&) {
    throw refuse::already_exists(context.resource->group_resource(), object.metadata().name);
  }
  quota.done();
  written.created = true;
  after_write(context.world, written.object ? *written.object : object, nullptr);
  return written;
}

}  // namespace

void check_namespace(const Context& context, ObjectMeta& metadata) {
  const std::string& wanted = context.call.namespace_;
  if (!context.resource->namespaced) return metadata.namespace_.clear();
  if (metadata.namespace_.empty()) metadata.namespace_ = wanted;
  if (metadata.namespace_ != wanted) {
    throw refuse::bad_request("the namespace of the provided object does not match the namespace sent on the request");
  }
}

void drop_repeated_owners(Context& context, ObjectMeta& metadata) {
  auto& owners = metadata.ownerReferences;
  std::vector<kube::meta::v1::OwnerReference> once;
  std::vector<std::string> repeated;
  for (const auto& owner : owners) {
    if (std::ranges::find(once, owner) == once.end()) {
      once.push_back(owner);
    } else {
      repeated.push_back(owner.uid);
    }
  }
  if (repeated.empty()) return;
  owners = std::move(once);
  std::string list;
  for (const std::string& uid : repeated) list += (list.empty() ? "" : ", ") + uid;
  context.warnings.push_back(
      ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may "
      "reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: " +
      list);
}

void begin_new(Context& context, Object& object, const WriteOptions& options) {
  ObjectMeta& metadata = object.metadata();
  wipe(metadata);
  check_namespace(context, metadata);
  drop_repeated_owners(context, metadata);
  track_write(context, object, nullptr, options, {});
}

Written create_object(Context& context, Object object, const WriteOptions& options) {
  // Fetched anew each time: a step may put another object in its place.
  const auto metadata = [&]() -> ObjectMeta& { return object.metadata(); };
  check_namespace_lives(context, metadata().name);
  mutate(context, object, nullptr);
  fill_metadata(context, metadata());
  const ServiceWrite service(context, object, nullptr, options.dry_run);
  const bool generated = !metadata().generateName.empty() && context.call.request->method == "POST";
  for (int tries = 1;; ++tries) {
    try {
      return create_once(context, object, options);
    } catch (const Refusal& refusal) {
      if (!refusal.is_already_exists() || !generated ||
          !metadata().name.starts_with(metadata().generateName.substr(0, kLongestBase)))
        throw;
      if (tries == kNameTries) throw refuse::generated_name_taken(context.resource->group_resource(), metadata().name);
      metadata().name = generated_name(context, metadata().generateName);
    }
  }
}

Written update_object(Context& context, const UpdateRequest& request, const WriteOptions& options, const Next& next) {
  const StoreKey key = context.store_key(request.name);
  for (int tries = 0; tries < kWriteTries; ++tries) {
    const auto stored = context.world.store.find(key);
    if (!stored) {
      if (!request.create && !context.resource->traits.create_on_update) {
        throw refuse::not_found(context.resource->group_resource(), request.name);
      }
      Object made = next(nullptr);
      made.metadata().resourceVersion.clear();
      wipe(made.metadata());
      return create_object(context, std::move(made), options);
    }
    const std::size_t warned = context.warnings.size();
    const Object live = Object::stored(context.resource, in_version(*context.resource, stored->bytes));
    Object object = next(&live);
    // Fetched anew each time: a step may put another object in its place.
    const auto metadata = [&]() -> ObjectMeta& { return object.metadata(); };
    check_namespace(context, metadata());
    mutate(context, object, &live);
    check_version(context, request, object, live);
    const ServiceWrite service(context, object, &live, options.dry_run);
    if (!request.unchecked) metadata().generation = live.metadata().generation;
    if (!request.unchecked) prepare(context, object, &live, request.part);
    keep_identity(metadata(), live.metadata());
    if (!request.unchecked) check_changed(context, object, live, request.part);
    keep_times_if_same(object, live);
    admit(context, object, &live);
    set_defaults(object);
    std::string text = object.text();
    if (options.dry_run) {
      const QuotaWrite weighed(context, &object, &live, true);
    }
    if (options.dry_run || in_version(*context.world.registry.storage_of(*context.resource), text) == *stored->bytes) {
      return {.text = std::make_shared<const StoredText>(text)};
    }
    Written written;
    try {
      if (is_finished(metadata(), live.metadata()) && !still_waits(context, object)) {
        // Watchers see it as it was last stored.
        erase_object(context, live.copy(), stored->revision, false);
        return {.text = std::make_shared<const StoredText>(text)};
      }
      QuotaWrite quota(context, &object, &live, false);
      written = put(context, key, stored->revision, object);
      quota.done();
    } catch (const Outdated&) {
      context.warnings.resize(warned);
      continue;
    }
    after_write(context.world, written.object ? *written.object : object, &live);
    return written;
  }
  throw refuse::conflict(context.resource->group_resource(), request.name, refuse::kModified);
}

std::string erase_object(Context& context, Object object, Revision expected, bool dry_run) {
  if (dry_run) return object.text();
  const std::string name = object.metadata().name;
  const ResourcePointer storage = context.world.registry.storage_of(object.resource());
  QuotaWrite quota(context, nullptr, &object, false);
  try {
    context.world.store.erase(context.store_key(name), expected, [&](Revision next) {
      object.metadata().resourceVersion = std::to_string(next);
      return in_version(*storage, object.text());
    });
  } catch (const Outdated& outdated) {
    if (outdated.found().bytes == nullptr) throw refuse::not_found(context.resource->group_resource(), name);
    throw;
  }
  quota.done();
  std::string text = object.text();
  after_erase(context.world, object);
  return text;
}

}  // namespace flyball::apiserver
