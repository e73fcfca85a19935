// ServiceControl: keeps the cluster's network informed of Services and who is behind them.
//
//   ServiceControl control([&](const ServiceTable& table) { network.serve(table); });
//   control.declare(op);
//
// Thread-safety: before the operator runs. Lifetime: outlives the operator's runs.
#pragma once

#include <functional>
#include <optional>

#include "flyball/cluster/node/service_table.hpp"
#include "flyball/runtime/operator.hpp"

namespace flyball::cluster::node {

class ServiceControl {
 public:
  using Serve = std::function<void(const ServiceTable&)>;
  explicit ServiceControl(Serve serve) : serve_(std::move(serve)) {}

  void declare(runtime::Operator& op);

 private:
  void pass(runtime::Context& ctx);

  const Serve serve_;
  std::optional<ServiceTable> served_;  // the pass's: there is one key, so one at a time
};

}  // namespace flyball::cluster::node
