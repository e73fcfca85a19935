// DELETE: of one object, or of all that are selected. Grace periods, finalizers, what becomes of dependents.
#include <algorithm>
#include <utility>

#include "flyball/apiserver/admission/admission.hpp"
#include "flyball/apiserver/after_write.hpp"
#include "flyball/apiserver/definitions.hpp"
#include "flyball/apiserver/namespaces.hpp"
#include "flyball/apiserver/options.hpp"
#include "flyball/apiserver/reads.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/apiserver/write_chain.hpp"
#include "flyball/apiserver/writes.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::string_view kOrphan = "orphan";
constexpr std::string_view kForeground = "foregroundDeletion";
constexpr int kDeleteTries = 100;

bool orphans(const Object& object, const DeleteOptions& options) {
  if (options.orphan) return *options.orphan;
  if (!options.propagation.empty()) return options.propagation == "Orphan";
  const auto& finalizers = object.metadata().finalizers;
  for (const std::string& one : finalizers) {
    if (one == kOrphan) return true;
    if (one == kForeground) return false;
  }
  return object.resource().traits.orphans_by_default;
}

bool foreground(const Object& object, const DeleteOptions& options) {
  if (options.orphan) return false;
  if (!options.propagation.empty()) return options.propagation == "Foreground";
  for (const std::string& one : object.metadata().finalizers) {
    if (one == kForeground) return true;
    if (one == kOrphan) return false;
  }
  return false;
}

// The finalizers that say what becomes of the dependents; true when they change.
bool set_policy(Object& object, const DeleteOptions& options) {
  std::vector<std::string> finalizers;
  for (const std::string& one : object.metadata().finalizers) {
    if (one != kOrphan && one != kForeground) finalizers.push_back(one);
  }
  if (orphans(object, options)) finalizers.emplace_back(kOrphan);
  if (foreground(object, options)) finalizers.emplace_back(kForeground);
  std::vector<std::string> before = object.metadata().finalizers;
  std::vector<std::string> after = finalizers;
  std::ranges::sort(before);
  std::ranges::sort(after);
  if (before == after) return false;
  object.metadata().finalizers = std::move(finalizers);
  return true;
}

void check_preconditions(const Object& object, const DeleteOptions& options) {
  const ObjectMeta& metadata = object.metadata();
  const GroupName kind{object.resource().group, object.resource().kind};
  if (options.uid && *options.uid != metadata.uid) {
    throw refuse::conflict(kind, metadata.name,
                           "the UID in the precondition (" + *options.uid + ") does not match the UID in record (" +
                               metadata.uid + "). The object might have been deleted and then recreated");
  }
  if (options.resource_version && *options.resource_version != metadata.resourceVersion) {
    throw refuse::conflict(kind, metadata.name,
                           "the ResourceVersion in the precondition (" + *options.resource_version +
                               ") does not match the ResourceVersion in record (" + metadata.resourceVersion +
                               "). The object might have been modified");
  }
}

enum class Grace : std::uint8_t { none, begins, pending };

// The second DELETE of an object that is on its way out can only make it go sooner.
Grace shorten(Context& context, ObjectMeta& metadata, const DeleteOptions& options) {
  const std::int64_t left = metadata.deletionGracePeriodSeconds.value_or(0);
  if (left == 0) return Grace::none;
  if (!options.grace || *options.grace >= left) return Grace::pending;
  std::int64_t period = *options.grace;
  kube::Time at = kube::Time::from_unix(metadata.deletionTimestamp->unix_seconds() - left + period);
  if (at < context.now()) {
    at = context.now();
    if (period != 0) period = 1;
  }
  metadata.deletionTimestamp = at;
  metadata.deletionGracePeriodSeconds = period;
  return Grace::begins;
}

Grace begin_grace(Context& context, Object& object, const DeleteOptions& options) {
  ObjectMeta& metadata = object.metadata();
  std::optional<std::int64_t> asked = options.grace;
  if (asked && *asked < 0) asked = 1;
  const auto grace = grace_of(object, asked);
  if (!grace && object.resource().plural != "pods") return Grace::none;
  if (metadata.deletionTimestamp) {
    DeleteOptions shorter = options;
    shorter.grace = asked;
    return shorten(context, metadata, shorter);
  }
  if (!grace) return Grace::none;
  metadata.deletionTimestamp = kube::Time::from_unix(context.now().unix_seconds() + *grace);
  metadata.deletionGracePeriodSeconds = grace;
  if (metadata.generation > 0) ++metadata.generation;
  return Grace::begins;
}

void mark_deleting(Context& context, ObjectMeta& metadata) {
  if (!metadata.deletionTimestamp && metadata.generation > 0) ++metadata.generation;
  if (!metadata.deletionTimestamp || *metadata.deletionTimestamp > context.now()) {
    metadata.deletionTimestamp = context.now();
  }
  metadata.deletionGracePeriodSeconds = 0;
}

struct Removed {
  std::string text = {};
  bool gone = true;
};

Removed store_marked(Context& context, Object object, const Stored& stored, bool dry_run) {
  if (!dry_run) replace_object(context, object, stored.revision);
  return {.text = object.text(), .gone = false};
}

// One try; nothing when somebody else wrote in between. `marked` becomes the object as this request has marked it.
std::optional<Removed> try_remove(Context& context, std::string_view name, const DeleteOptions& options,
                                  std::string& marked) {
  const auto stored = context.world.store.find(context.store_key(name));
  if (!stored) throw refuse::not_found(context.resource->group_resource(), name);
  Object object = Object::parse(context.resource, in_version(*context.resource, *stored->bytes));
  if (!marked.empty() && object.metadata().uid != json::parse(marked)["metadata"]["uid"].string_or({})) {
    return Removed{.text = marked};  // ours is gone, and another one has its name
  }
  const Object old = object.copy();
  check_preconditions(object, options);
  admit_removal(context, old, options);
  try {
    if (context.resource->plural == "namespaces" && context.resource->group.empty()) {
      if (begin_namespace_end(context, object))
        return store_marked(context, std::move(object), *stored, options.dry_run);
      if (!object.as<kube::core::v1::Namespace>().spec.finalizers.empty())
        return Removed{.text = object.text(), .gone = false};
    }
    if (context.resource->shelf == kDefinitionShelf) {
      if (begin_definition_end(context, object))
        return store_marked(context, std::move(object), *stored, options.dry_run);
      return Removed{.text = object.text(), .gone = false};
    }
    const Grace grace = begin_grace(context, object, options);
    if (grace == Grace::pending) return Removed{.text = object.text(), .gone = false};
    set_policy(object, options);
    const bool finalizers = !object.metadata().finalizers.empty();
    if (grace == Grace::begins && (finalizers || *object.metadata().deletionGracePeriodSeconds > 0)) {
      return store_marked(context, std::move(object), *stored, options.dry_run);
    }
    if (grace == Grace::begins) {
      // As upstream: it is marked first, then it goes; watchers see both.
      if (options.dry_run) return Removed{.text = object.text()};
      const Revision revision = replace_object(context, object, stored->revision);
      marked = object.text();
      return Removed{.text = erase_object(context, std::move(object), revision, false)};
    }
    if (finalizers) {
      const bool was_marked = object.metadata().deletionTimestamp.has_value();
      mark_deleting(context, object.metadata());
      if (was_marked && object.text() == old.text()) return Removed{.text = object.text(), .gone = false};
      return store_marked(context, std::move(object), *stored, options.dry_run);
    }
    return Removed{.text = erase_object(context, std::move(object), stored->revision, options.dry_run)};
  } catch (const Outdated&) {
    return std::nullopt;
  }
}

Removed remove_object(Context& context, std::string_view name, const DeleteOptions& options) {
  std::string marked;
  for (int tries = 0; tries < kDeleteTries; ++tries) {
    try {
      if (auto removed = try_remove(context, name, options, marked)) return std::move(*removed);
    } catch (const Refusal& refusal) {
      // Whoever saw our mark, a kubelet, may have been faster: it is gone, as was asked.
      if (marked.empty() || !refusal.is_not_found()) throw;
      return {.text = std::move(marked)};
    }
  }
  throw refuse::conflict(context.resource->group_resource(), name, refuse::kModified);
}

json::Value success(const Resource& resource, std::string_view name, std::string_view uid) {
  json::Builder to;
  to.begin_object();
  to.key("kind").string("Status");
  to.key("apiVersion").string("v1");
  to.key("metadata").begin_object().end();
  to.key("status").string("Success");
  to.key("details").begin_object();
  to.key("name").string(name);
  if (!resource.group.empty()) to.key("group").string(resource.group);
  to.key("kind").string(resource.plural);
  to.key("uid").string(uid);
  to.end();
  to.end();
  return to.finish();
}

}  // namespace

net::Response remove(Context& context) {
  const DeleteOptions options = delete_options(context.call);
  if (context.resource->shelf == "jobs.batch" && options.propagation.empty() && !options.orphan) {
    context.warnings.emplace_back(
        "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or "
        "set propagationPolicy=Orphan to suppress this warning");
  }
  const Removed removed = remove_object(context, context.call.name, options);
  const int status = !removed.gone && options.orphan && !*options.orphan ? 202 : 200;
  if (!removed.gone || context.resource->delete_gives_object) {
    return render_object(context, status, removed.text);
  }
  const std::string uid(json::parse(removed.text)["metadata"]["uid"].string_or({}));
  net::Response response = render_value(context.accept, status, success(*context.resource, context.call.name, uid));
  add_headers(context, response);
  return response;
}

net::Response remove_collection(Context& context) {
  const DeleteOptions options = delete_options(context.call);
  const ListOptions list = list_options(context.call, *context.resource);
  const Page page = context.world.store.list(
      context.resource->shelf, {.prefix = context.call.namespace_.empty() ? "" : context.call.namespace_ + "/"});
  std::vector<Bytes> texts;
  for (const auto& [key, stored] : page.items) {
    Bytes text = in_version(*context.resource, stored.bytes);
    const json::Value object = json::parse(*text);
    if (!selected(list, object)) continue;
    try {
      remove_object(context, object["metadata"]["name"].as_string(), options);
    } catch (const Refusal& refusal) {
      if (!refusal.is_not_found()) throw;
    }
    texts.push_back(std::move(text));
    if (list.limit > 0 && std::cmp_equal(texts.size(), list.limit)) break;
  }
  return render_list(context, texts, {.revision = page.revision});
}

}  // namespace flyball::apiserver
