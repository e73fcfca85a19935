// The code of docs/high-availability.md.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/kube/coordination/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/runtime/context.hpp"
#include "flyball/testing/environment.hpp"

namespace flyball::testing {
namespace {

namespace core = kube::core::v1;
using runtime::Context;

TEST(LeaderPage, AControllerMayNeedNoLeader) {
  std::vector<std::string> warmed;
  const auto warm_up = [&](Context& ctx, core::ConfigMap&) { warmed.push_back(ctx.key().name); };
  const auto setup = [&](Operator& op) {
    // [snippet: without_leader]
    op.reconcile<core::ConfigMap>(warm_up).without_leader();
    // [end]
  };
  Environment env(setup, {.start = false,
                          .run = {.leader_election = runtime::LeaderElectionOptions{
                                      .namespace_ = "default", .name = "shop", .identity = "pod-2"}}});
  env.create(kube::coordination::v1::Lease{.metadata = {.name = "shop", .namespace_ = "default"},
                                           .spec = {.holderIdentity = "pod-1", .leaseDurationSeconds = 15}});
  env.create(core::ConfigMap{.metadata = {.name = "one", .namespace_ = "default"}});
  env.start();
  env.settle();
  EXPECT_FALSE(env.run().leads());
  EXPECT_THAT(warmed, ::testing::ElementsAre("one"));
}

}  // namespace
}  // namespace flyball::testing
