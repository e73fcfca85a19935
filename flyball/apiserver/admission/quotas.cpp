#include "flyball/apiserver/admission/quotas.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "flyball/apiserver/refusal.hpp"
#include "flyball/apiserver/render.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

const std::string kShelf = "resourcequotas";

struct Quota {
  std::string key;
  Revision revision;
  Object object;
  const core::ResourceQuota& get() const { return object.as<core::ResourceQuota>(); }
};

ResourcePointer quota_resource(const World& world) { return world.registry.find("", "v1", kShelf); }

std::vector<Quota> quotas_of(const World& world, const std::string& space) {
  std::vector<Quota> quotas;
  if (world.store.count(kShelf) == 0) return quotas;
  const Page page = world.store.list(kShelf, {.prefix = space.empty() ? "" : space + "/"});
  if (page.items.empty()) return quotas;
  const ResourcePointer resource = quota_resource(world);
  for (const auto& [key, stored] : page.items) {
    quotas.push_back({key, stored.revision, Object::parse(resource, *stored.bytes)});
  }
  return quotas;
}

bool has_quotas(const World& world, const std::string& space) {
  return world.store.count(kShelf) != 0 && !world.store.list(kShelf, {.prefix = space + "/", .limit = 1}).items.empty();
}

// Of `amounts` what a quota counts.
Amounts masked(const Amounts& amounts, const Amounts& hard) {
  Amounts counted;
  for (const auto& [name, amount] : amounts) {
    if (hard.contains(name)) counted.emplace(name, amount);
  }
  return counted;
}

std::string printed(const Amounts& amounts, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    const auto found = amounts.find(name);
    const std::string amount = found == amounts.end() ? "0" : found->second.to_string();
    if (!text.empty()) text += ",";
    text.append(name).append("=").append(amount);
  }
  return text;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

std::vector<std::string> counted_names(const core::ResourceQuota& quota, const Resource& resource) {
  std::vector<std::string> names;
  for (const auto& [name, amount] : quota.status.hard) {
    if (counts_for(resource, name)) names.push_back(name);
  }
  return names;
}

// Who has a quota for cpu or memory must say how much of it each container takes.
std::string missing_in(const core::PodSpec& spec, const std::vector<std::string>& names) {
  constexpr std::array<std::string_view, 6> kMustBeSaid = {
      "cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"};
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    if (std::ranges::find(kMustBeSaid, name) == kMustBeSaid.end()) continue;
    std::set<std::string> silent;
    for (const auto* containers : {&spec.containers, &spec.initContainers}) {
      for (const core::Container& container : *containers) {
        if (!compute_usage(container.resources.requests, container.resources.limits).contains(name)) {
          silent.insert(container.name);
        }
      }
    }
    if (silent.empty()) continue;
    missing.push_back(name + " for: " + joined({silent.begin(), silent.end()}, ","));
  }
  return missing.empty() ? "" : "must specify " + joined(missing, "; ");
}

// What of an update is checked; the rest is only counted.
bool is_checked(const Context& context, const Object& object, const Object* old) {
  const std::string& shelf = object.resource().shelf;
  const std::string& subresource = context.call.subresource;
  if (subresource == "resize") return shelf == "pods";
  if (!subresource.empty() || context.call.resource != object.resource().plural) return false;
  return old == nullptr || shelf == "services" || shelf == "persistentvolumeclaims";
}

Refusal forbidden(const Object& object, const std::string& why) {
  const ObjectMeta& metadata = object.metadata();
  return refuse::forbidden(object.resource().group_resource(),
                           metadata.name.empty() ? metadata.generateName : metadata.name, why);
}

void check(const Quota& quota, const Object& object, const Amounts& delta) {
  const core::ResourceQuotaStatus& status = quota.get().status;
  std::vector<std::string> exceeded;
  for (const auto& [name, amount] : delta) {
    const auto used = status.used.find(name);
    const Quantity next = used == status.used.end() ? amount : used->second + amount;
    if (next > status.hard.at(name)) exceeded.push_back(name);
  }
  if (exceeded.empty()) return;
  throw forbidden(object, "exceeded quota: " + quota.get().metadata.name + ", requested: " + printed(delta, exceeded) +
                              ", used: " + printed(status.used, exceeded) +
                              ", limited: " + printed(status.hard, exceeded));
}

void check_complete(const Quota& quota, const Object& object, const std::vector<std::string>& names) {
  const std::string& name = quota.get().metadata.name;
  if (object.resource().shelf == "pods") {
    if (const std::string why = missing_in(object.as<core::Pod>().spec, names); !why.empty()) {
      throw forbidden(object, "failed quota: " + name + ": " + why);
    }
  }
  const Amounts& used = quota.get().status.used;
  if (std::ranges::all_of(names, [&](const std::string& each) { return used.contains(each); })) return;
  throw forbidden(object, "status unknown for quota: " + name + ", resources: " + joined(names, ","));
}

// Writes a quota's status; false when somebody else was faster.
bool write_status(World& world, const Quota& quota, core::ResourceQuotaStatus status) {
  if (quota.get().status == status) return true;
  Object next = quota.object.copy();
  next.as<core::ResourceQuota>().status = std::move(status);
  try {
    world.store.put({kShelf, quota.key}, quota.revision, [&](Revision revision) {
      next.metadata().resourceVersion = std::to_string(revision);
      return next.text();
    });
  } catch (const Outdated&) {
    return false;
  }
  return true;
}

// What the objects of a namespace take of a quota, all counted. Names that speak of nothing the server has are zero.
Amounts counted(const World& world, const Quota& quota) {
  const core::ResourceQuotaSpec& spec = quota.get().spec;
  Amounts used;
  for (const auto& [name, amount] : spec.hard) used.emplace(name, 0);
  const std::string prefix = quota.get().metadata.namespace_ + "/";
  std::set<std::string> seen;
  for (const ResourcePointer& resource : world.registry.all()) {
    if (!resource->namespaced || !seen.insert(resource->shelf).second) continue;
    const bool counts =
        std::ranges::any_of(spec.hard, [&](const auto& each) { return counts_for(*resource, each.first); });
    if (!counts) continue;
    const ResourcePointer storage = world.registry.storage_of(*resource);
    for (const auto& [key, stored] : world.store.list(resource->shelf, {.prefix = prefix}).items) {
      const Object object = Object::parse(storage, in_version(*storage, *stored.bytes));
      if (in_scopes(spec, object)) add(used, masked(usage_of(object), spec.hard));
    }
  }
  return used;
}

void recount(World& world, const std::string& space) FLYBALL_REQUIRES(world.quotas) {
  // Only those who write a quota itself can be faster.
  for (bool again = true; again;) {
    again = false;
    for (const Quota& quota : quotas_of(world, space)) {
      again = !write_status(world, quota, {.hard = quota.get().spec.hard, .used = counted(world, quota)}) || again;
    }
  }
}

}  // namespace

QuotaWrite::QuotaWrite(Context& context, const Object* object, const Object* old, bool dry_run) : context_(context) {
  const Object& any = object != nullptr ? *object : *old;
  if (!any.resource().namespaced) return;
  namespace_ = any.metadata().namespace_;
  watched_ = context.world.options.quota_status && !dry_run;
  if (!has_quotas(context.world, namespace_)) return;
  context.world.quotas.lock();
  held_ = true;
  try {
    weigh(object, old, dry_run);
  } catch (...) {
    unlock();
    throw;
  }
}

QuotaWrite::~QuotaWrite() {
  if (!held_) return;
  try {
    apply(charged_, true);
  } catch (const std::exception& error) {
    // The next count of the quota sets it right.
    context_.world.options.log.error("cannot give back what a quota was charged", "namespace", namespace_, "error",
                                     error.what());
  }
  unlock();
}

void QuotaWrite::unlock() {
  if (held_) context_.world.quotas.unlock();
  held_ = false;
}

void QuotaWrite::done() {
  if (held_) {
    apply(later_, false);
    unlock();
    return;
  }
  // A quota that came after we looked has not counted this one.
  if (watched_ && has_quotas(context_.world, namespace_)) recount_quotas(context_.world, namespace_);
}

void QuotaWrite::weigh(const Object* object, const Object* old, bool dry_run) {
  World& world = context_.world;
  const bool checked = object != nullptr && is_checked(context_, *object, old);
  if (!checked && (!world.options.quota_status || dry_run)) return;
  const Resource& resource = object != nullptr ? object->resource() : old->resource();
  const Amounts before = old != nullptr ? usage_of(*old) : Amounts();
  const Amounts after = object != nullptr ? usage_of(*object) : Amounts();
  std::vector<Change> changes;
  for (const Quota& quota : quotas_of(world, namespace_)) {
    const std::vector<std::string> names = counted_names(quota.get(), resource);
    if (names.empty()) continue;
    const core::ResourceQuotaSpec& spec = quota.get().spec;
    const bool in_now = object != nullptr && in_scopes(spec, *object);
    const bool in_before = old != nullptr && in_scopes(spec, *old);
    if (checked && in_now) check_complete(quota, *object, names);
    Amounts delta = in_now ? masked(after, quota.get().status.hard) : Amounts();
    if (in_before) subtract(delta, masked(before, quota.get().status.hard));
    std::erase_if(delta, [](const auto& each) { return each.second.is_zero(); });
    if (delta.empty()) continue;
    if (checked && in_now) check(quota, *object, delta);
    changes.push_back({quota.key, std::move(delta)});
  }
  if (dry_run) return;
  if (checked) {
    apply(changes, false);
    charged_ = std::move(changes);
  } else {
    later_ = std::move(changes);
  }
}

void QuotaWrite::apply(const std::vector<Change>& changes, bool back) {
  World& world = context_.world;
  for (const Change& change : changes) {
    for (bool written = false; !written;) {
      const auto stored = world.store.find({kShelf, change.key});
      if (!stored) break;
      const Quota quota{change.key, stored->revision, Object::parse(quota_resource(world), *stored->bytes)};
      core::ResourceQuotaStatus status = quota.get().status;
      const Amounts delta = masked(change.delta, status.hard);
      back ? subtract(status.used, delta) : add(status.used, delta);
      written = write_status(world, quota, std::move(status));
    }
  }
}

void quota_written(World& world, const Object& quota, const Object* old) {
  if (!world.options.quota_status) return;
  const auto& now = quota.as<core::ResourceQuota>();
  const bool same =
      old != nullptr && old->as<core::ResourceQuota>().spec == now.spec && now.status.hard == now.spec.hard;
  if (!same) recount_quotas(world, now.metadata.namespace_);
}

void recount_quotas(World& world, const std::string& space) {
  const MutexLock lock(world.quotas);
  recount(world, space);
}

}  // namespace flyball::apiserver
