#include "flyball/cluster/controllers/volume_protection.hpp"

#include <algorithm>

#include "flyball/cluster/controllers/pod_claims.hpp"
#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

namespace core = kube::core::v1;

template <class T>
void release(Context& ctx, const T& object, const char* finalizer) {
  T without = object;
  if (std::erase(without.metadata.finalizers, finalizer) > 0) ctx.update(object, without);
}

void protect_claim(Context& ctx) {
  const auto claim = ctx.find<core::PersistentVolumeClaim>(ctx.key().object());
  if (!claim || !claim->metadata.deletionTimestamp) return;
  const auto pods = ctx.list<core::Pod>();
  const bool used = std::ranges::any_of(pods, [&](const core::Pod& pod) {
    const auto names = claim_names(pod);
    return !is_done(pod) && std::ranges::find(names, claim->metadata.name) != names.end();
  });
  if (!used) release(ctx, *claim, "kubernetes.io/pvc-protection");
}

void protect_volume(Context& ctx) {
  const auto volume = ctx.find<core::PersistentVolume>(ctx.key().name);
  if (!volume || !volume->metadata.deletionTimestamp) return;
  if (volume->status.phase != "Bound") release(ctx, *volume, "kubernetes.io/pv-protection");
}

bool is_going(const cache::Change& change) {
  return change.type() != cache::Change::Type::deleted && change.metadata().deletion_timestamp.has_value();
}

}  // namespace

void declare_volume_protection(runtime::Operator& op) {
  const auto itself = [](const cache::Change& change) { return std::vector{change.key()}; };
  op.control("pvc-protection-controller", protect_claim)
      .watches<core::PersistentVolumeClaim>(itself, is_going)
      .reads<core::Pod>()
      .may("", "persistentvolumeclaims", {runtime::Verb::patch});
  op.control("pv-protection-controller", protect_volume)
      .watches<core::PersistentVolume>(itself, is_going)
      .may("", "persistentvolumes", {runtime::Verb::patch}, false);
}

}  // namespace flyball::cluster
