#include "flyball/cluster/controllers/endpoints.hpp"

#include <algorithm>
#include <utility>

#include "flyball/cluster/controllers/endpoint_pods.hpp"
#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

namespace core = kube::core::v1;

constexpr std::size_t kMost = 1000;
constexpr const char* kHeadless = "service.kubernetes.io/headless";
constexpr const char* kManagedBy = "endpoints.kubernetes.io/managed-by";

bool is_before(const core::EndpointAddress& a, const core::EndpointAddress& b) { return a.ip < b.ip; }

std::vector<core::EndpointSubset> subsets_for(const std::vector<Backend>& backends, const core::Service& service) {
  std::vector<core::EndpointSubset> subsets;
  std::size_t count = 0;
  for (const Backend& backend : backends) {
    if (backend.pod.metadata.deletionTimestamp || count == kMost) continue;
    ++count;
    auto subset = std::ranges::find(subsets, backend.ports, &core::EndpointSubset::ports);
    if (subset == subsets.end()) {
      subsets.push_back({.ports = backend.ports});
      subset = subsets.end() - 1;
    }
    core::EndpointAddress address{.ip = backend.pod.status.podIP,
                                  .hostname = hostname_in(backend.pod, service),
                                  .targetRef = reference_to_pod(backend.pod)};
    if (!backend.pod.spec.nodeName.empty()) address.nodeName = backend.pod.spec.nodeName;
    const bool ready = service.spec.publishNotReadyAddresses || answers(backend.pod);
    (ready ? subset->addresses : subset->notReadyAddresses).push_back(std::move(address));
  }
  for (core::EndpointSubset& subset : subsets) {
    std::ranges::sort(subset.addresses, is_before);
    std::ranges::sort(subset.notReadyAddresses, is_before);
  }
  return subsets;
}

void reconcile(Context& ctx) {
  const auto service = ctx.find<core::Service>(ctx.key().object());
  if (!service) {
    ctx.delete_<core::Endpoints>(ctx.key().object());
    return;
  }
  if (!selects_pods(*service) || service->metadata.deletionTimestamp) return;
  Labels labels = service->metadata.labels;
  labels.erase(kHeadless);
  if (is_headless(*service)) labels[kHeadless] = "";
  labels[kManagedBy] = "endpoint-controller";
  const auto there = ctx.find<core::Endpoints>(ctx.key().object());
  core::Endpoints wanted = there.value_or(core::Endpoints{.metadata = {.name = service->metadata.name}});
  wanted.metadata.labels = std::move(labels);
  const std::vector<Backend> pods = backends(ctx, *service);
  wanted.subsets = subsets_for(pods, *service);
  if (!there || wanted != *there) wanted.metadata.annotations[kLastChange] = last_change(pods, *service);
  if (there) {
    ctx.update(*there, wanted);
  } else {
    ctx.create(std::move(wanted));
  }
}

}  // namespace

void declare_endpoints(runtime::Operator& op) {
  op.control("endpoint-controller", reconcile)
      .watches<core::Service>([](const cache::Change& change) { return std::vector{change.key()}; })
      .reads<core::Pod>()
      .writes<core::Endpoints>();
}

}  // namespace flyball::cluster
