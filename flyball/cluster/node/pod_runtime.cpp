#include "flyball/cluster/node/pod_runtime.hpp"

namespace flyball::cluster::node {
namespace {

constexpr const char* kNothingRuns =
    "nothing runs on this node: its pods only look as if they did; start flyball dev without --node status";

}  // namespace

std::unique_ptr<apiserver::PodProcess> PodRuntime::run(const std::string& /*uid*/, const CommandRequest& /*request*/,
                                                       const Stop& /*stop*/) {
  throw Error(kNothingRuns);
}

net::OwnedDescriptor PodRuntime::connect(const std::string& /*uid*/, std::uint16_t /*port*/, const Stop& /*stop*/) {
  throw Error(kNothingRuns);
}

}  // namespace flyball::cluster::node
