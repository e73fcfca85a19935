#include "flyball/runtime/detail/pass.hpp"

#include <algorithm>
#include <utility>

#include "flyball/runtime/context.hpp"
#include "flyball/runtime/controller.hpp"

namespace flyball::runtime::detail {

Pass::Pass(PassParts parts, ReadSet reads, Causes causes, std::uint32_t failures, Logger log, Stop stop)
    : parts_(std::move(parts)),
      client_(parts_.client.with(stop)),
      stop_(std::move(stop)),
      log_(std::move(log)),
      causes_(std::move(causes)),
      failures_(failures),
      reads_(std::move(reads)) {}

void Pass::set_owner(const kube::ObjectRef& owner) {
  owner_kind_ = &owner.kind;
  owner_ = owner.metadata;
  for (const kube::GroupVersionKind& kind : parts_.owned) reads_.children(kind, owner_.uid);
}

const std::string& Pass::owner_uid() const { return owner_.uid; }

kube::ObjectKey Pass::complete(const client::Resource& resource, const ObjectName& name) const {
  if (!resource.namespaced) return name.in("");
  return name.in(key().namespace_);
}

std::optional<cache::Object> Pass::find(const client::Resource& resource, const kube::ObjectKey& key) {
  reads_.object(resource.kind, key);
  return parts_.view.find(resource, key);
}

void Pass::each(const client::Resource& resource, cache::Query query,
                const std::function<void(const cache::Object&)>& use) {
  if (query.namespace_ == kAllNamespaces || !resource.namespaced) {
    query.namespace_.clear();
  } else if (query.namespace_.empty()) {
    query.namespace_ = key().namespace_;
  }
  if (!query.owner.empty()) {
    reads_.children(resource.kind, query.owner);
  } else {
    kube::Selector selector = query.selector;
    for (const auto& [name, value] : query.labels) {
      selector.add(kube::Requirement(name, kube::Operator::equals, {value}));
    }
    reads_.list(resource.kind, query.namespace_, selector);
  }
  parts_.view.each(resource, query, use);
}

void Pass::not_found(const client::Resource& resource, const kube::ObjectKey& key) {
  throw ApiError(Reason::NotFound, resource.describe(key) + " is not there, as far as the cache knows");
}

void Pass::wrote(std::string_view verb, const client::Resource& resource, const kube::meta::v1::ObjectMeta& metadata,
                 bool changed) {
  const kube::ObjectKey object{metadata.namespace_, metadata.name};
  if (changed) reads_.written(resource.kind, object, metadata.resourceVersion);
  writes_.push_back({.verb = std::string(verb),
                     .kind = resource.kind,
                     .object = object,
                     .resource_version = metadata.resourceVersion,
                     .changed = changed});
}

bool Pass::delete_object(const client::Resource& resource, const kube::ObjectKey& key, client::DeleteOptions options) {
  // Read, so that this object runs again when it is gone at last.
  const auto stored = find(resource, key);
  options.missing_is_fine = true;
  if (options.propagation == client::Propagation::server) options.propagation = client::Propagation::background;
  // One that is going already needs no second word.
  if (stored && stored->metadata().deletion_timestamp) return true;
  if (!client_.dynamic_at(resource).delete_(key, options)) return false;
  if (stored) {
    const kube::Metadata metadata = stored->metadata();
    if (metadata.finalizers.empty() && options.propagation == client::Propagation::background &&
        resource.kind.kind != "Pod") {
      parts_.view.observe_delete(resource, key, metadata.uid, metadata.resource_version);
    }
    reads_.deleted(resource.kind, key, std::string(metadata.uid));
  }
  writes_.push_back({.verb = "delete", .kind = resource.kind, .object = key});
  return true;
}

void Pass::gone(const client::Resource& resource, const kube::meta::v1::ObjectMeta& last) {
  const kube::ObjectKey object{last.namespace_, last.name};
  parts_.view.observe_delete(resource, object, last.uid, last.resourceVersion);
  writes_.push_back({.verb = "finalizer", .kind = resource.kind, .object = object});
}

void Pass::tell(EventType type, std::string_view reason, std::string_view note) {
  if (owner_kind_ == nullptr) return;
  parts_.events.record({.regarding = reference_to({*owner_kind_, owner_}),
                        .type = type,
                        .reason = std::string(reason),
                        .note = std::string(note)});
}

void Pass::requeue_after(Duration after) { requeue_ = std::min(requeue_.value_or(after), after); }

void Pass::follow(const client::Resource& resource, cache::Scope scope, Map map) const {
  parts_.controller->follow(resource, std::move(scope), std::move(map));
}

void Pass::unfollow(const client::Resource& resource) const { parts_.controller->unfollow(resource); }

std::vector<client::Resource> Pass::followed() const { return parts_.controller->followed(); }

}  // namespace flyball::runtime::detail
