#include "flyball/cluster/controllers/service_accounts.hpp"

#include "flyball/kube/core/v1.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

namespace core = kube::core::v1;

constexpr const char* kName = "default";

void reconcile(Context& ctx) {
  const std::string& space = ctx.key().name;
  const auto found = ctx.find<core::Namespace>(kube::ObjectKey{"", space});
  if (!found || found->status.phase != "Active") return;
  if (ctx.find<core::ServiceAccount>(kube::ObjectKey{space, kName})) return;
  try {
    ctx.live().create(core::ServiceAccount{.metadata = {.name = kName, .namespace_ = space}});
  } catch (const ApiError& error) {
    // The server, or another like us, was faster; or the namespace goes.
    if (!error.is_already_exists() && !error.is_forbidden() && !error.is_not_found()) throw;
  }
}

}  // namespace

void declare_service_accounts(runtime::Operator& op) {
  op.control("service-account-controller", reconcile)
      .watches<core::Namespace>([](const cache::Change& change) { return std::vector{change.key()}; })
      .reads<core::ServiceAccount>()
      .may("", "serviceaccounts", {runtime::Verb::create});
}

}  // namespace flyball::cluster
