#include "flyball/cluster/controllers/endpoints.hpp"

#include <algorithm>
#include <memory>
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

// Who is behind one port.
struct Behind {
  std::vector<core::EndpointPort> ports = {};  // one, or none of a Service without ports
  std::vector<core::EndpointAddress> ready = {};
  std::vector<core::EndpointAddress> not_ready = {};
};

std::vector<Behind> by_port(const std::vector<Backend>& backends, const core::Service& service) {
  std::vector<Behind> all;
  std::size_t count = 0;
  for (const Backend& backend : backends) {
    if (backend.pod.metadata.deletionTimestamp || count == kMost) continue;
    ++count;
    core::EndpointAddress address{.ip = backend.pod.status.podIP,
                                  .hostname = hostname_in(backend.pod, service),
                                  .targetRef = reference_to_pod(backend.pod)};
    if (!backend.pod.spec.nodeName.empty()) address.nodeName = backend.pod.spec.nodeName;
    const bool ready = service.spec.publishNotReadyAddresses || answers(backend.pod);
    std::vector<std::vector<core::EndpointPort>> ports;
    ports.reserve(backend.ports.size() + 1);
    for (const core::EndpointPort& port : backend.ports) ports.push_back({port});
    if (ports.empty()) ports.emplace_back();
    for (auto& port : ports) {
      auto found = std::ranges::find(all, port, &Behind::ports);
      if (found == all.end()) found = all.insert(all.end(), {.ports = std::move(port)});
      (ready ? found->ready : found->not_ready).push_back(address);
    }
  }
  return all;
}

// Ports that the same pods are behind stand together.
std::vector<core::EndpointSubset> subsets_for(const std::vector<Backend>& backends, const core::Service& service) {
  std::vector<core::EndpointSubset> subsets;
  for (Behind& one : by_port(backends, service)) {
    std::ranges::sort(one.ready, is_before);
    std::ranges::sort(one.not_ready, is_before);
    const auto same = std::ranges::find_if(subsets, [&](const core::EndpointSubset& subset) {
      return subset.addresses == one.ready && subset.notReadyAddresses == one.not_ready;
    });
    if (same == subsets.end()) {
      subsets.push_back({.addresses = std::move(one.ready),
                         .notReadyAddresses = std::move(one.not_ready),
                         .ports = std::move(one.ports)});
    } else {
      same->ports.insert(same->ports.end(), one.ports.begin(), one.ports.end());
    }
  }
  return subsets;
}

void reconcile(Context& ctx, TriggerTimes& times) {
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
  PodTimes pod_times;
  const std::vector<Backend> pods = backends(ctx, *service, pod_times);
  wanted.subsets = subsets_for(pods, *service);
  const auto changed = times.next(*service, pod_times);
  if (!there || wanted != *there) note_change(wanted.metadata, changed);
  if (there) {
    ctx.update(*there, wanted);
  } else {
    ctx.create(std::move(wanted));
  }
}

}  // namespace

void declare_endpoints(runtime::Operator& op) {
  const auto times = std::make_shared<TriggerTimes>();
  op.control("endpoint-controller", [times](Context& ctx) { reconcile(ctx, *times); })
      .watches<core::Service>([](const cache::Change& change) { return std::vector{change.key()}; })
      .reads<core::Pod>()
      .writes<core::Endpoints>();
}

}  // namespace flyball::cluster
