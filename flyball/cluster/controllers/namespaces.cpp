#include "flyball/cluster/controllers/namespaces.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "flyball/cluster/controllers/status_conditions.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

namespace core = kube::core::v1;
using kube::meta::v1::PartialObjectMetadata;

constexpr const char* kFinalizer = "kubernetes";
// What remains is going, and nobody says when it is gone.
constexpr Duration kLookAgain = std::chrono::seconds(2);

// What one try to empty the namespace came to.
struct Emptied {
  std::map<std::string, int> resources = {};   // that remain, how many of each
  std::map<std::string, int> finalizers = {};  // that they wait for
  std::vector<std::string> errors = {};
};

struct Fine {
  const char* type;
  const char* reason;
  const char* message;
};
// Each condition names something bad; this is what it says when all is well.
constexpr std::array<Fine, 5> kFine = {{
    {"NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"},
    {"NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions", "All legacy kube types successfully parsed"},
    {"NamespaceDeletionContentFailure", "ContentDeleted",
     "All content successfully deleted, may be waiting on finalization"},
    {"NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"},
    {"NamespaceFinalizersRemaining", "ContentHasNoFinalizers", "All content-preserving finalizers finished"},
}};

bool can(const client::ServedResource& served, std::string_view verb) {
  return std::ranges::find(served.verbs, verb) != served.verbs.end();
}

void empty_of(const Context& ctx, const client::ServedResource& served, const std::string& name, Emptied& so_far) {
  const auto objects = ctx.live().metadata_at(served.resource);
  // A delete is not answered with metadata alone.
  const auto whole = ctx.live().dynamic_at(served.resource);
  const client::DeleteOptions options{.propagation = client::Propagation::background, .missing_is_fine = true};
  try {
    if (can(served, "deletecollection")) whole.delete_collection({.namespace_ = name}, options);
    for (const PartialObjectMetadata& object : objects.list({.namespace_ = name})) {
      if (!object.metadata.deletionTimestamp) whole.delete_({name, object.metadata.name}, options);
      if (!can(served, "deletecollection") && object.metadata.finalizers.empty()) continue;
      ++so_far.resources[served.resource.plural + "." + served.resource.kind.group];
      for (const std::string& finalizer : object.metadata.finalizers) ++so_far.finalizers[finalizer];
    }
  } catch (const ApiError& error) {
    // The kind may just have gone, with all its objects.
    if (error.is_not_found()) return;
    so_far.errors.push_back(error.message());
  }
}

Emptied empty(const Context& ctx, const std::string& name) {
  Emptied emptied;
  const auto all = ctx.live().mapper().all(ctx.stop());
  const auto is_pods = [](const client::ServedResource& served) {
    return served.resource.plural == "pods" && served.resource.kind.group.empty();
  };
  for (const auto& served : all) {
    if (is_pods(served)) empty_of(ctx, served, name, emptied);
  }
  if (!emptied.resources.empty()) return emptied;
  for (const auto& served : all) {
    const bool content = served.resource.namespaced && can(served, "list") && can(served, "delete");
    if (content && !is_pods(served)) empty_of(ctx, served, name, emptied);
  }
  return emptied;
}

std::string join(const std::map<std::string, int>& counts, std::string_view between) {
  std::string text;
  for (const auto& [what, count] : counts) {
    text += (text.empty() ? "" : ", ") + what + std::string(between) + std::to_string(count) + " resource instances";
  }
  return text;
}

void set(std::vector<core::NamespaceCondition>& conditions, core::NamespaceCondition now) {
  const auto found = std::ranges::find(conditions, now.type, &core::NamespaceCondition::type);
  if (found == conditions.end()) return conditions.push_back(std::move(now));
  if (found->status == now.status) now.lastTransitionTime = found->lastTransitionTime;
  *found = std::move(now);
}

void tell(const Context& ctx, const core::Namespace& read, const Emptied& emptied) {
  core::Namespace changed = read;
  const kube::Time now(ctx.clock().wall_now());
  for (const Fine& fine : kFine) {
    set(changed.status.conditions, {.type = fine.type,
                                    .status = "False",
                                    .reason = fine.reason,
                                    .message = fine.message,
                                    .lastTransitionTime = now});
  }
  const auto bad = [&](const char* type, const char* reason, std::string message) {
    set(changed.status.conditions,
        {.type = type, .status = "True", .reason = reason, .message = std::move(message), .lastTransitionTime = now});
  };
  if (!emptied.errors.empty()) {
    std::string text;
    for (const std::string& error : emptied.errors) text += (text.empty() ? "" : ", ") + error;
    bad("NamespaceDeletionContentFailure", "ContentDeletionFailed",
        "Failed to delete all resource types, " + std::to_string(emptied.errors.size()) + " remaining: " + text);
  }
  if (!emptied.resources.empty()) {
    bad("NamespaceContentRemaining", "SomeResourcesRemain",
        "Some resources are remaining: " + join(emptied.resources, " has "));
  }
  if (!emptied.finalizers.empty()) {
    bad("NamespaceFinalizersRemaining", "SomeFinalizersRemain",
        "Some content in the namespace has finalizers remaining: " + join(emptied.finalizers, " in "));
  }
  // Times of what has not changed are kept, so that nothing is written for them.
  for (auto& condition : changed.status.conditions) {
    const auto* before = find_condition(read.status.conditions, condition.type);
    if (before != nullptr && before->status == condition.status) {
      condition.lastTransitionTime = before->lastTransitionTime;
    }
  }
  ctx.live().update_status(read, changed);
}

void reconcile(Context& ctx) {
  // Past the cache, which does not see what the pass itself writes.
  const auto found = ctx.live().find<core::Namespace>({"", ctx.key().name});
  if (!found || !found->metadata.deletionTimestamp) return;
  if (std::ranges::find(found->spec.finalizers, kFinalizer) == found->spec.finalizers.end()) return;
  const Emptied emptied = empty(ctx, ctx.key().name);
  tell(ctx, *found, emptied);
  if (!emptied.resources.empty() || !emptied.errors.empty()) return ctx.requeue_after(kLookAgain);
  auto done = ctx.live().get<core::Namespace>({"", ctx.key().name});
  std::erase(done.spec.finalizers, kFinalizer);
  ctx.live().of<core::Namespace>().replace_subresource({"", ctx.key().name}, "finalize", done);
}

}  // namespace

void declare_namespaces(runtime::Operator& op) {
  using runtime::Verb;
  op.control("namespace-controller", reconcile)
      .watches<core::Namespace>([](const cache::Change& change) { return std::vector{change.key()}; },
                                [](const cache::Change& change) {
                                  return change.type() != cache::Change::Type::deleted &&
                                         change.metadata().deletion_timestamp.has_value();
                                })
      .may("*", "*", {Verb::get, Verb::list, Verb::delete_, Verb::deletecollection})
      .may("", "namespaces/status", {Verb::patch}, false)
      .may("", "namespaces/finalize", {Verb::update}, false);
}

}  // namespace flyball::cluster
