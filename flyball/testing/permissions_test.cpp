// What an operator may not do is named exactly: runtime/permission_check.hpp, asked of the API server.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/rbac/v1.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/runtime/permission_check.hpp"
#include "flyball/testing/server.hpp"

namespace flyball::testing {
namespace {

namespace rbac = kube::rbac::v1;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A caller with no rights but those of the roles that a test gives it.
struct Permissions : ::testing::Test {
  ManualClock clock;
  Server server{clock, {.engine = {.namespace_defaults = false, .rbac = true}}};
  client::LocalTransport transport =
      server.transport_for({.common_name = "worker", .organizations = {}, .verified = true});
  Random random{1};
  client::Client client{transport, clock, random};
  runtime::Rbac rbac;
  runtime::RoleOptions roles{.name = "cache-operator"};

  Permissions() {
    rbac.reads({.kind = {"", "v1", "Pod"}, .plural = "pods", .namespaced = true});
    rbac.reads({.kind = {"", "v1", "Node"}, .plural = "nodes", .namespaced = false});
    rbac.may("", "pods/eviction", {runtime::Verb::create});
  }

  // Makes exactly what the manifests say, without the rules that `without` picks.
  void grant(const std::string& without = {}) {
    for (const json::Value& manifest : [&] {
           auto options = roles;
           options.namespace_ = "cache-system";
           return rbac.manifests(options);
         }()) {
      if (manifest["kind"].as_string() == "ClusterRole") {
        auto role = reflect::decode<rbac::ClusterRole>(json::write(manifest));
        std::erase_if(role.rules, [&](const rbac::PolicyRule& rule) { return rule.resources.front() == without; });
        server.client().apply(role, {.force = true});
      } else if (manifest["kind"].as_string() == "ClusterRoleBinding") {
        auto binding = reflect::decode<rbac::ClusterRoleBinding>(json::write(manifest));
        binding.subjects = {{.kind = "User", .name = "worker", .apiGroup = "rbac.authorization.k8s.io"}};
        server.client().apply(binding, {.force = true});
      }
    }
  }

  std::vector<std::string> missing() {
    std::vector<std::string> lines;
    for (const auto& one : runtime::missing_rules(client, rbac, roles))
      lines.push_back(one.role + ": " + runtime::to_yaml(one.rule));
    return lines;
  }
};

TEST_F(Permissions, ThatTheManifestsGiveAreEnough) {
  grant();
  EXPECT_THAT(missing(), IsEmpty());
}

TEST_F(Permissions, WithoutAnyEachIsNamedWithItsRole) {
  EXPECT_THAT(
      missing(),
      ElementsAre(
          R"(ClusterRole cache-operator: - {apiGroups: [""], resources: [pods/eviction], verbs: [create]})",
          R"(ClusterRole cache-operator: - {apiGroups: [""], resources: [nodes, pods], verbs: [get, list, watch]})"));
}

TEST_F(Permissions, OneRuleThatIsTakenAwayIsTheOneThatIsNamed) {
  grant("pods/eviction");
  EXPECT_THAT(
      missing(),
      ElementsAre(R"(ClusterRole cache-operator: - {apiGroups: [""], resources: [pods/eviction], verbs: [create]})"));
}

TEST_F(Permissions, OfSomeNamespacesAreAskedInEachOfThem) {
  roles.namespaces = {"a", "b"};
  EXPECT_THAT(
      missing(),
      ElementsAre(
          R"(ClusterRole cache-operator: - {apiGroups: [""], resources: [nodes], verbs: [get, list, watch]})",
          R"(Role cache-operator in namespace a: - {apiGroups: [""], resources: [pods/eviction], verbs: [create]})",
          R"(Role cache-operator in namespace a: - {apiGroups: [""], resources: [pods], verbs: [get, list, watch]})",
          R"(Role cache-operator in namespace b: - {apiGroups: [""], resources: [pods/eviction], verbs: [create]})",
          R"(Role cache-operator in namespace b: - {apiGroups: [""], resources: [pods], verbs: [get, list, watch]})"));
}

TEST_F(Permissions, AreAskedForAgainUntilTheyAreThere) {
  grant("pods/eviction");
  CapturingSink sink;
  const Logger log(std::make_shared<LogCore>(clock, sink), "runtime");
  StopSource stop;
  Thread asks(clock, "asks", [&, token = stop.stop()] { keep_asking(client, rbac, roles, clock, log, token); });
  clock.settle();
  EXPECT_THAT(sink.take(), HasSubstr("resources: [pods/eviction], verbs: [create]}"));
  clock.advance(std::chrono::seconds(31));
  EXPECT_EQ(sink.take(), "") << "what was said is not said again";
  grant();
  clock.advance(std::chrono::seconds(31));
  asks.join();
  EXPECT_THAT(sink.take(), HasSubstr("all permissions are there now"));
}

}  // namespace
}  // namespace flyball::testing
