// NodeObject: the node tells the cluster of itself: a Node with what the machine has, and a Lease every ten seconds.
//
//   NodeObject node({.name = "flyball", .address = "10.244.0.1"});
//   node.declare(op);
//
// Thread-safety: before the operator runs. Lifetime: outlives its runs.
#pragma once

#include <string>

#include "flyball/kube/core/v1.hpp"
#include "flyball/runtime/operator.hpp"

namespace flyball::cluster::node {

struct NodeOptions {
  std::string name = "flyball";
  std::string address = "10.244.0.1";
  std::string runtime = "flyball://processes";  // how it runs containers
  std::int64_t pods = 250;                      // that it takes
};

class NodeObject {
 public:
  explicit NodeObject(NodeOptions options) : options_(std::move(options)) {}

  void declare(runtime::Operator& op);

 private:
  void beat(runtime::Context& ctx) const;
  kube::core::v1::NodeStatus status(const kube::core::v1::NodeStatus& before, kube::Time now) const;

  const NodeOptions options_;
};

}  // namespace flyball::cluster::node
