#include "flyball/cluster/node/service_control.hpp"

#include "flyball/runtime/context.hpp"

namespace flyball::cluster::node {

namespace core = kube::core::v1;
namespace discovery = kube::discovery::v1;

void ServiceControl::declare(runtime::Operator& op) {
  // Everything is looked at together, whatever has changed.
  const auto all = [](const cache::Change&) { return std::vector<kube::ObjectKey>{{"", "all"}}; };
  op.control("services", [this](runtime::Context& ctx) { pass(ctx); })
      .watches<core::Service>(all)
      .watches<discovery::EndpointSlice>(all)
      .concurrency(1);
}

void ServiceControl::pass(runtime::Context& ctx) {
  ServiceTable table = table_of(ctx.list<core::Service>(), ctx.list<discovery::EndpointSlice>());
  if (served_ == table) return;
  serve_(table);
  served_ = std::move(table);
}

}  // namespace flyball::cluster::node
