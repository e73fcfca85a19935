#include "flyball/cluster/controllers/cluster_roles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/kube/rbac/v1.hpp"
#include "flyball/testing/environment.hpp"

using namespace flyball;
using namespace flyball::cluster;
namespace rbac = kube::rbac::v1;

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct ClusterRoles : public ::testing::Test {
  TestEnvironment env{[](Operator& op) { declare_cluster_roles(op); }};
  const rbac::PolicyRule pods{.apiGroups = {""}, .resources = {"pods"}, .verbs = {"get"}};
  const rbac::PolicyRule jobs{.apiGroups = {"batch"}, .resources = {"jobs"}, .verbs = {"get"}};

  void make(const std::string& name, const std::string& label, std::vector<rbac::PolicyRule> rules) {
    rbac::ClusterRole role{.metadata = {.name = name}};
    if (!label.empty()) role.metadata.labels[label] = "true";
    role.rules = std::move(rules);
    env.create(role);
  }
  void make_collector(const std::string& name, const std::string& label, const std::string& own = {}) {
    rbac::ClusterRole role{.metadata = {.name = name},
                           .aggregationRule = {{.clusterRoleSelectors = {{.matchLabels = {{label, "true"}}}}}}};
    if (!own.empty()) role.metadata.labels[own] = "true";
    env.create(role);
  }
  std::vector<rbac::PolicyRule> rules(const std::string& name) { return env.get<rbac::ClusterRole>({"", name}).rules; }
};

TEST_F(ClusterRoles, TakeOverTheRulesOfThoseTheyName) {
  make_collector("view", "to-view");
  make("b", "to-view", {jobs, pods});
  make("a", "to-view", {pods});
  make("c", "to-others", {jobs});
  env.settle();
  EXPECT_THAT(rules("view"), ElementsAre(pods, jobs));
}

TEST_F(ClusterRoles, FollowOneAnother) {
  make_collector("admin", "to-admin");
  make_collector("edit", "to-edit", "to-admin");
  make("pods", "to-edit", {pods});
  env.settle();
  EXPECT_THAT(rules("admin"), ElementsAre(pods));
  env.delete_<rbac::ClusterRole>({"", "pods"});
  env.settle();
  EXPECT_THAT(rules("admin"), IsEmpty());
}

TEST_F(ClusterRoles, WithoutARuleForItStayAsTheyAre) {
  make("plain", "to-view", {pods});
  make("other", "to-view", {jobs});
  env.settle();
  EXPECT_THAT(rules("plain"), ElementsAre(pods));
}

}  // namespace
