#include "flyball/runtime/leader_election_options.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/runtime/operator_flags.hpp"

namespace flyball::runtime {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string problem(const LeaderElectionTimes& times) {
  try {
    times.check();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LeaderElectionTimesTest, TheDefaultsAreThoseOfKubernetes) {
  const LeaderElectionTimes times;
  EXPECT_EQ(problem(times), "");
  EXPECT_EQ(times.lease_duration, 15s);
  EXPECT_EQ(times.renew_deadline, 10s);
  EXPECT_EQ(times.retry_period, 2s);
}

TEST(LeaderElectionTimesTest, WhatWouldMakeTwoLeadersOrNoneIsRefusedWithBothValues) {
  EXPECT_THAT(problem({.lease_duration = 10s}),
              StartsWith("lease_duration: 10s is not above the renew_deadline of 10s: "));
  EXPECT_THAT(problem({.renew_deadline = 2400ms}),
              StartsWith("renew_deadline: 2.4s is not above 1.2 times the retry_period of 2s: "));
  EXPECT_EQ(problem({.renew_deadline = 2401ms}), "");
  EXPECT_EQ(problem({.lease_duration = 15500ms}), "lease_duration: 15.5s is not a number of whole seconds");
  EXPECT_EQ(problem({.retry_period = 0s}), "retry_period: 0s is no time; the usual is 2s");
}

TEST(LeaderElectionOptionsTest, ALeaseHasANameAPlaceAndAHolder) {
  const auto wrong = [](const LeaderElectionOptions& options) {
    try {
      options.check();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(wrong({.namespace_ = "shop", .name = "office", .identity = "a"}), "");
  EXPECT_THAT(wrong({.namespace_ = "shop", .name = "The Office", .identity = "a"}),
              StartsWith("name: \"The Office\" cannot be the name of a Lease: "));
  EXPECT_THAT(wrong({.name = "office", .identity = "a"}), StartsWith("namespace: "));
  EXPECT_THAT(wrong({.namespace_ = "shop", .name = "office"}), StartsWith("identity: "));
}

const OperatorPlace kPod{.operator_name = "shop-operator", .identity = "pod-1", .pod_namespace = "shop-system"};
const OperatorPlace kLaptop{.operator_name = "shop-operator", .identity = "laptop"};

TEST(LeaderElectionFlagsTest, InAPodItIsOnInThePodsNamespaceUnderTheOperatorsName) {
  const auto options = leader_election_of({}, kPod);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->namespace_, "shop-system");
  EXPECT_EQ(options->name, "shop-operator");
  EXPECT_EQ(options->identity, "pod-1");
  EXPECT_FALSE(leader_election_of({.leader_elect = false}, kPod));
  const auto other = leader_election_of({.leader_election_namespace = "ops", .leader_election_id = "shops"}, kPod);
  EXPECT_EQ(other->namespace_, "ops");
  EXPECT_EQ(other->name, "shops");
}

TEST(LeaderElectionFlagsTest, ElsewhereItIsOffAndNeedsToBeToldWhere) {
  EXPECT_FALSE(leader_election_of({}, kLaptop));
  try {
    (void)leader_election_of({.leader_elect = true}, kLaptop);
    FAIL() << "the namespace of the kubeconfig is not where the other replicas are";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--leader-election-namespace: is needed with --leader-elect outside of a pod"));
  }
  EXPECT_EQ(leader_election_of({.leader_elect = true, .leader_election_namespace = "ops"}, kLaptop)->namespace_, "ops");
}

}  // namespace
}  // namespace flyball::runtime
