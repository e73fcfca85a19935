#include "flyball/cluster/controllers/nodes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/cluster/controllers/status_conditions.hpp"
#include "flyball/kube/coordination/v1.hpp"
#include "flyball/testing/environment.hpp"

using namespace flyball;
using namespace flyball::cluster;
using namespace std::chrono_literals;
namespace coordination = kube::coordination::v1;
namespace core = kube::core::v1;

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Nodes : public ::testing::Test {
  TestEnvironment env{declare_nodes};

  void SetUp() override {
    env.create(core::Node{.metadata = {.name = "one"}});
    env.settle();
  }
  void say(const std::string& type, const std::string& status) {
    env.edit_status<core::Node>("one", [&](auto& node) {
      remove_condition(node.status.conditions, type);
      node.status.conditions.push_back({.type = type, .status = status});
    });
    env.settle();
  }
  void renew() {
    const kube::MicroTime now(env.clock().wall_now());
    if (!env.find<coordination::Lease>({"kube-node-lease", "one"})) {
      if (!env.find<core::Namespace>("kube-node-lease")) env.make_namespace("kube-node-lease");
      env.create(coordination::Lease{.metadata = {.name = "one", .namespace_ = "kube-node-lease"}});
    }
    env.edit<coordination::Lease>({"kube-node-lease", "one"}, [&](auto& lease) { lease.spec.renewTime = now; });
    env.settle();
  }
  std::vector<std::string> taints() {
    std::vector<std::string> keys;
    for (const auto& taint : env.get<core::Node>("one").spec.taints) keys.push_back(taint.key);
    return keys;
  }
};

TEST_F(Nodes, ANewOneIsTaintedUntilItIsReady) {
  EXPECT_THAT(taints(), ElementsAre("node.kubernetes.io/not-ready"));
  say("Ready", "True");
  EXPECT_THAT(taints(), IsEmpty());
  say("Ready", "False");
  EXPECT_THAT(taints(), ElementsAre("node.kubernetes.io/not-ready"));
}

TEST_F(Nodes, PressureIsATaint) {
  say("Ready", "True");
  say("MemoryPressure", "True");
  EXPECT_THAT(taints(), ElementsAre("node.kubernetes.io/memory-pressure"));
  say("MemoryPressure", "False");
  EXPECT_THAT(taints(), IsEmpty());
}

TEST_F(Nodes, ACordonedOneIsTainted) {
  say("Ready", "True");
  env.edit<core::Node>("one", [](auto& node) { node.spec.unschedulable = true; });
  env.settle();
  EXPECT_THAT(taints(), ElementsAre("node.kubernetes.io/unschedulable"));
}

TEST_F(Nodes, OneThatIsSilentIsUnknownAndUnreachable) {
  say("Ready", "True");
  renew();
  env.advance(40s);
  renew();
  env.advance(40s);
  EXPECT_THAT(taints(), IsEmpty());
  env.advance(20s);
  EXPECT_THAT(taints(), ElementsAre("node.kubernetes.io/unreachable"));
  const auto node = env.get<core::Node>("one");
  const auto* ready = find_condition(node.status.conditions, "Ready");
  ASSERT_NE(ready, nullptr);
  EXPECT_EQ(ready->status, "Unknown");
  EXPECT_EQ(ready->reason, "NodeStatusUnknown");
}

}  // namespace
