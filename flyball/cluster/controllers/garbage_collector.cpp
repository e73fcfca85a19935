#include "flyball/cluster/controllers/garbage_collector.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "flyball/cluster/controllers/owner_graph.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/apiextensions/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/owner.hpp"
#include "flyball/reflect/encode.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

using client::Propagation;
using client::Resource;
using kube::meta::v1::OwnerReference;
using kube::meta::v1::PartialObjectMetadata;
using Owners = std::vector<OwnerReference>;

constexpr std::string_view kOrphan = "orphan";
constexpr std::string_view kForeground = "foregroundDeletion";
// A key that is no uid: look which kinds there are.
const kube::ObjectKey kKinds{"", "kinds"};
constexpr Duration kLookForKinds = std::chrono::seconds(30);
// For an owner of a kind that is not watched, nobody says when it goes.
constexpr Duration kLookForOwner = std::chrono::seconds(30);

bool has(const std::vector<std::string>& all, std::string_view one) { return std::ranges::find(all, one) != all.end(); }

bool is_collected(const client::ServedResource& served) {
  return has(served.verbs, "list") && has(served.verbs, "watch") && has(served.verbs, "delete") &&
         served.resource.plural != "events";
}

// {"metadata": {"uid": …, "resourceVersion": …, "<field>": …}}: only if the object is still as it was read.
client::Patch metadata_patch(const PartialObjectMetadata& read, std::string_view field, const json::Value& value) {
  json::Builder b;
  b.begin_object().key("metadata").begin_object();
  b.key("uid").string(read.metadata.uid).key("resourceVersion").string(read.metadata.resourceVersion);
  b.key(field).value(value);
  b.end().end();
  return client::Patch::merge(b.finish());
}

json::Value as_json(const Owners& owners) {
  json::Builder b;
  b.begin_array();
  for (const OwnerReference& owner : owners) b.value(json::parse(reflect::encode(owner)));
  b.end();
  return b.finish();
}

json::Value as_json(const std::vector<std::string>& words) {
  json::Builder b;
  b.begin_array();
  for (const std::string& word : words) b.string(word);
  b.end();
  return b.finish();
}

// What is known of the owners of an object, from the server.
struct Classified {
  Owners solid = {};
  Owners lost = {};     // they do not exist
  Owners waiting = {};  // they wait for this object to go
};

class Collector {
 public:
  explicit Collector(std::function<void(const std::string& uid)> look_at) : look_at_(std::move(look_at)) {}

  void pass(Context& ctx) {
    if (ctx.key().object() == kKinds) return look_for_kinds(ctx);
    const auto node = graph_.find(ctx.key().name);
    if (!node) return;
    if (node->orphans) return let_go_of_dependents(ctx, *node);
    if (node->foreground) return finish_when_alone(ctx, *node);
    if (!node->going) check_owners(ctx, *node);
  }

 private:
  void look_for_kinds(Context& ctx);
  std::vector<kube::ObjectKey> heard(const std::shared_ptr<const Resource>& resource, const cache::Change& change);
  void let_go_of_dependents(Context& ctx, const OwnedNode& owner);
  void finish_when_alone(Context& ctx, const OwnedNode& owner);
  void check_owners(Context& ctx, const OwnedNode& node);
  Classified classify(Context& ctx, const OwnedNode& node, const Owners& owners);
  bool is_in_circle(const OwnedNode& node) const;

  static std::optional<PartialObjectMetadata> read(const Context& ctx, const OwnedNode& node);
  static void set_owners(const Context& ctx, const OwnedNode& node, const PartialObjectMetadata& read,
                         const Owners& owners);
  static void remove_finalizer(const Context& ctx, const OwnedNode& node, std::string_view finalizer);
  static void delete_object(const Context& ctx, const OwnedNode& node, const PartialObjectMetadata& read,
                            Propagation propagation);

  const std::function<void(const std::string& uid)> look_at_;
  OwnerGraph graph_;
};

void Collector::look_for_kinds(Context& ctx) {
  ctx.requeue_after(kLookForKinds);
  // The operator has just begun, perhaps again: what went meanwhile nobody has told of.
  if (ctx.followed().empty()) graph_.clear();
  ctx.live().mapper().forget();
  std::vector<Resource> kinds;
  for (const client::ServedResource& served : ctx.live().mapper().all(ctx.stop())) {
    const kube::GroupVersionKind& kind = served.resource.kind;
    // The first version is the one the server prefers.
    const bool known = std::ranges::any_of(
        kinds, [&](const Resource& one) { return one.kind.group == kind.group && one.kind.kind == kind.kind; });
    if (!known && is_collected(served)) kinds.push_back(served.resource);
  }
  const auto is_same = [](const Resource& a, const Resource& b) { return a.resource() == b.resource(); };
  for (const Resource& old : ctx.followed()) {
    if (std::ranges::any_of(kinds, [&](const Resource& one) { return is_same(one, old); })) continue;
    ctx.unfollow(old);
    for (const std::string& uid : graph_.remove_all(old)) look_at_(uid);
  }
  for (const Resource& kind : kinds) {
    ctx.follow(kind, {.extent = client::Extent::metadata, .managed_fields = false},
               [this, resource = std::make_shared<const Resource>(kind)](const cache::Change& change) {
                 return heard(resource, change);
               });
  }
}

std::vector<kube::ObjectKey> Collector::heard(const std::shared_ptr<const Resource>& resource,
                                              const cache::Change& change) {
  const kube::Metadata& metadata = change.metadata();
  std::vector<std::string> news;
  if (change.type() == cache::Change::Type::deleted) {
    news = graph_.remove(std::string(metadata.uid));
  } else {
    const bool going = metadata.deletion_timestamp.has_value();
    const auto waits_by = [&](std::string_view finalizer) {
      return going && std::ranges::find(metadata.finalizers, finalizer) != metadata.finalizers.end();
    };
    news = graph_.put({.uid = std::string(metadata.uid),
                       .resource = resource,
                       .key = change.key(),
                       .owners = metadata.owners.empty()
                                     ? Owners()
                                     : change.object().as<PartialObjectMetadata>().metadata.ownerReferences,
                       .going = going,
                       .orphans = waits_by(kOrphan),
                       .foreground = waits_by(kForeground)});
  }
  std::vector<kube::ObjectKey> keys;
  keys.reserve(news.size());
  for (std::string& uid : news) keys.push_back({"", std::move(uid)});
  return keys;
}

std::optional<PartialObjectMetadata> Collector::read(const Context& ctx, const OwnedNode& node) {
  auto found = ctx.live().metadata_at(*node.resource).find(node.key);
  if (found && found->metadata.uid != node.uid) found.reset();
  return found;
}

void Collector::set_owners(const Context& ctx, const OwnedNode& node, const PartialObjectMetadata& read,
                           const Owners& owners) {
  ctx.live().metadata_at(*node.resource).patch(node.key, metadata_patch(read, "ownerReferences", as_json(owners)));
}

void Collector::remove_finalizer(const Context& ctx, const OwnedNode& node, std::string_view finalizer) {
  const auto found = read(ctx, node);
  if (!found || !has(found->metadata.finalizers, finalizer)) return;
  auto left = found->metadata.finalizers;
  std::erase(left, finalizer);
  ctx.live().metadata_at(*node.resource).patch(node.key, metadata_patch(*found, "finalizers", as_json(left)));
}

void Collector::delete_object(const Context& ctx, const OwnedNode& node, const PartialObjectMetadata& read,
                              Propagation propagation) {
  ctx.live()
      .dynamic_at(*node.resource)
      .delete_(node.key, {.propagation = propagation,
                          .uid = read.metadata.uid,
                          .resource_version = read.metadata.resourceVersion,
                          .missing_is_fine = true});
}

void Collector::let_go_of_dependents(Context& ctx, const OwnedNode& owner) {
  for (const OwnedNode& dependent : graph_.dependents(owner.uid)) {
    const auto found = read(ctx, dependent);
    if (!found || kube::find_owner(found->metadata, owner.uid) == nullptr) continue;
    Owners left = found->metadata.ownerReferences;
    std::erase_if(left, [&](const OwnerReference& reference) { return reference.uid == owner.uid; });
    set_owners(ctx, dependent, *found, left);
  }
  remove_finalizer(ctx, owner, kOrphan);
}

void Collector::finish_when_alone(Context& ctx, const OwnedNode& owner) {
  const auto dependents = graph_.dependents(owner.uid);
  const bool blocked = std::ranges::any_of(dependents, [&](const OwnedNode& dependent) {
    return std::ranges::any_of(dependent.owners, [&](const OwnerReference& reference) {
      return reference.uid == owner.uid && reference.blockOwnerDeletion.value_or(false);
    });
  });
  if (!blocked) remove_finalizer(ctx, owner, kForeground);
}

Classified Collector::classify(Context& ctx, const OwnedNode& node, const Owners& owners) {
  Classified result;
  for (const OwnerReference& owner : owners) {
    if (graph_.state(node, owner) == OwnerGraph::Owner::gone) {
      result.lost.push_back(owner);
      continue;
    }
    const Resource resource =
        ctx.live().mapper().resource(kube::GroupVersionKind::parse(owner.apiVersion, owner.kind), ctx.stop());
    if (resource.namespaced && node.key.namespace_.empty()) {
      // Nobody can tell which one is meant: it is left as it is.
      ctx.log().warn("an object without a namespace cannot be owned by one that has one", "object",
                     node.resource->describe(node.key), "owner", owner.kind + " " + owner.name);
      result.solid.push_back(owner);
      continue;
    }
    const auto found =
        ctx.live().metadata_at(resource).find({resource.namespaced ? node.key.namespace_ : "", owner.name});
    if (!found || found->metadata.uid != owner.uid) {
      result.lost.push_back(owner);
    } else if (found->metadata.deletionTimestamp && has(found->metadata.finalizers, kForeground)) {
      result.waiting.push_back(owner);
    } else {
      result.solid.push_back(owner);
    }
  }
  return result;
}

// One of those it owns waits for it: both would wait for ever.
bool Collector::is_in_circle(const OwnedNode& node) const {
  return std::ranges::any_of(graph_.dependents(node.uid), &OwnedNode::foreground);
}

void Collector::check_owners(Context& ctx, const OwnedNode& node) {
  const bool certain = std::ranges::all_of(
      node.owners, [&](const auto& owner) { return graph_.state(node, owner) == OwnerGraph::Owner::there; });
  if (certain) return;
  auto found = read(ctx, node);
  if (!found || found->metadata.ownerReferences.empty() || found->metadata.deletionTimestamp) return;
  const Classified owners = classify(ctx, node, found->metadata.ownerReferences);
  if (!owners.solid.empty()) {
    if (!owners.lost.empty() || !owners.waiting.empty()) return set_owners(ctx, node, *found, owners.solid);
    return ctx.requeue_after(kLookForOwner);
  }
  if (!owners.waiting.empty() && !graph_.dependents(node.uid).empty()) {
    if (is_in_circle(node)) {
      Owners free = found->metadata.ownerReferences;
      for (OwnerReference& owner : free) owner.blockOwnerDeletion = false;
      set_owners(ctx, node, *found, free);
      found = read(ctx, node);
      if (!found) return;
    }
    return delete_object(ctx, node, *found, Propagation::foreground);
  }
  const auto& finalizers = found->metadata.finalizers;
  delete_object(ctx, node, *found,
                has(finalizers, kOrphan)       ? Propagation::orphan
                : has(finalizers, kForeground) ? Propagation::foreground
                                               : Propagation::background);
}

}  // namespace

void declare_garbage_collector(runtime::Operator& op) {
  const auto look = [](const cache::Change&) { return std::vector<kube::ObjectKey>{kKinds}; };
  // The collector and the trigger need each other: the trigger comes when the controller is declared.
  const auto trigger = std::make_shared<std::optional<runtime::Trigger>>();
  const auto collector = std::make_shared<Collector>(
      [trigger](const std::string& uid) { (*trigger)->fire({"", uid}, "its owner's kind is gone"); });
  auto builder = op.control("garbage-collector-controller", [collector](Context& ctx) { collector->pass(ctx); });
  builder
      .watches<kube::apiextensions::v1::CustomResourceDefinition>(look)
      // There is always one: this is also what makes it begin.
      .watches<kube::core::v1::Namespace>(look,
                                          [](const cache::Change& change) {
                                            return change.type() == cache::Change::Type::added &&
                                                   change.metadata().name == "default";
                                          })
      .may("*", "*",
           {runtime::Verb::get, runtime::Verb::list, runtime::Verb::watch, runtime::Verb::patch,
            runtime::Verb::delete_});
  *trigger = builder.trigger();
}

}  // namespace flyball::cluster
