#include "flyball/cluster/controllers/service_accounts.hpp"

#include <string>
#include <vector>

#include "flyball/kube/core/v1.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

namespace core = kube::core::v1;

constexpr const char* kName = "default";
constexpr const char* kRootCa = "kube-root-ca.crt";
constexpr const char* kAbout = "kubernetes.io/description";
constexpr const char* kAboutRootCa =
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the "
    "internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes "
    "clusters.";

bool is_active(Context& ctx, const std::string& space) {
  const auto found = ctx.find<core::Namespace>(kube::ObjectKey{"", space});
  return found && found->status.phase == "Active";
}

template <class T>
void make(const Context& ctx, const T& object) {
  try {
    ctx.live().create(object);
  } catch (const ApiError& error) {
    // The server, or another like us, was faster; or the namespace goes.
    if (!error.is_already_exists() && !error.is_forbidden() && !error.is_not_found()) throw;
  }
}

void make_account(Context& ctx) {
  const std::string& space = ctx.key().name;
  if (!is_active(ctx, space) || ctx.find<core::ServiceAccount>(kube::ObjectKey{space, kName})) return;
  make(ctx, core::ServiceAccount{.metadata = {.name = kName, .namespace_ = space}});
}

void publish(Context& ctx, const std::string& root_ca) {
  const std::string& space = ctx.key().name;
  if (!is_active(ctx, space)) return;
  const auto there = ctx.find<core::ConfigMap>(kube::ObjectKey{space, kRootCa});
  if (!there) {
    return make(ctx, core::ConfigMap{
                         .metadata = {.name = kRootCa, .namespace_ = space, .annotations = {{kAbout, kAboutRootCa}}},
                         .data = {{"ca.crt", root_ca}}});
  }
  core::ConfigMap right = *there;
  right.data = {{"ca.crt", root_ca}};
  right.metadata.annotations[kAbout] = kAboutRootCa;
  ctx.update(*there, right);
}

std::vector<kube::ObjectKey> itself(const cache::Change& change) { return {change.key()}; }

}  // namespace

void declare_service_accounts(runtime::Operator& op, const std::string& root_ca) {
  op.control("service-account-controller", make_account)
      .watches<core::Namespace>(itself)
      .reads<core::ServiceAccount>()
      .may("", "serviceaccounts", {runtime::Verb::create});
  if (root_ca.empty()) return;
  op.control("root-ca-certificate-publisher-controller", [root_ca](Context& ctx) { publish(ctx, root_ca); })
      .watches<core::Namespace>(itself)
      .writes<core::ConfigMap>();
}

}  // namespace flyball::cluster
