// Who may do what, and what a person who may not is told.
#include "kube_test.hpp"

#include "flyball/kube/authorization/v1.hpp"
#include "flyball/kube/rbac/v1.hpp"

namespace flyball::kubetest {
namespace {

namespace rbac = kube::rbac::v1;

struct Rbac : KubeTest {
  void allow(const rbac::Subject& who, const std::vector<std::string>& verbs, const std::vector<std::string>& what) {
    client.create(
        rbac::Role{.metadata = {.name = "some"}, .rules = {{.apiGroups = {""}, .resources = what, .verbs = verbs}}});
    client.create(
        rbac::RoleBinding{.metadata = {.name = "some"},
                          .roleRef = {.apiGroup = "rbac.authorization.k8s.io", .kind = "Role", .name = "some"},
                          .subjects = {who}});
  }
  const Client mary = connect(server_.config_for("mary", {"people"}));
};

TEST_F(Rbac, AStrangerIsToldWhoMayNotDoWhatWhere) {
  const auto error = refusal([&] { (void)mary.get<core::ConfigMap>({.name = "a"}); });
  EXPECT_TRUE(error.is_forbidden());
  EXPECT_EQ(error.code(), 403);
  EXPECT_THAT(
      error.what(),
      HasSubstr("User \"mary\" cannot get resource \"configmaps\" in API group \"\" in the namespace \"" + ns + "\""));
}

TEST_F(Rbac, EachVerbIsNamedAsARoleWouldName) {
  const auto told = [](auto&& call) { return std::string(refusal(call).what()); };
  EXPECT_THAT(told([&] { (void)mary.list<core::Pod>({.namespace_ = ns}).all(); }),
              HasSubstr("cannot list resource \"pods\""));
  EXPECT_THAT(told([&] { mary.create(config_map("a")); }), HasSubstr("cannot create resource \"configmaps\""));
  EXPECT_THAT(told([&] { mary.replace(config_map("a")); }), HasSubstr("cannot update resource"));
  EXPECT_THAT(told([&] { mary.patch<core::ConfigMap>({.name = "a"}, Patch::merge("{}"_json)); }),
              HasSubstr("cannot patch resource"));
  EXPECT_THAT(told([&] { mary.apply(config_map("a")); }), HasSubstr("cannot patch resource"));
  EXPECT_THAT(told([&] { mary.delete_<core::ConfigMap>({.name = "a"}); }), HasSubstr("cannot delete resource"));
  EXPECT_THAT(told([&] { mary.delete_collection<core::ConfigMap>({.namespace_ = ns}); }),
              HasSubstr("cannot deletecollection resource"));
  EXPECT_THAT(told([&] { mary.patch_status<apps::Deployment>({.name = "a"}, Patch::merge("{}"_json)); }),
              HasSubstr("cannot patch resource \"deployments/status\" in API group \"apps\""));
  EXPECT_THAT(told([&] { (void)mary.list<core::Node>().all(); }),
              HasSubstr("cannot list resource \"nodes\" in API group \"\" at the cluster scope"));
}

TEST_F(Rbac, ARoleForAUserLetsHerIn) {
  client.create(config_map("a"));
  allow({.kind = "User", .name = "mary", .apiGroup = "rbac.authorization.k8s.io"}, {"get"}, {"configmaps"});
  eventually("the binding is seen", [&] {
    try {
      return mary.get<core::ConfigMap>({.name = "a"}).metadata.name == "a";
    } catch (const ApiError& error) {
      return !error.is_forbidden();
    }
  });
  EXPECT_TRUE(refusal([&] { mary.delete_<core::ConfigMap>({.name = "a"}); }).is_forbidden());
}

TEST_F(Rbac, ARoleForAGroupLetsItsMembersIn) {
  allow({.kind = "Group", .name = "people", .apiGroup = "rbac.authorization.k8s.io"}, {"list"}, {"configmaps"});
  eventually("the binding is seen", [&] {
    try {
      return mary.list<core::ConfigMap>({.namespace_ = ns}).all().empty();
    } catch (const ApiError& error) {
      return !error.is_forbidden();
    }
  });
  EXPECT_TRUE(refusal([&] { (void)mary.list<core::ConfigMap>().all(); }).is_forbidden()) << "only that namespace";
}

TEST_F(Rbac, NobodyGivesAwayWhatHeDoesNotHave) {
  client.create(
      rbac::Role{.metadata = {.name = "maker"},
                 .rules = {{.apiGroups = {"rbac.authorization.k8s.io"}, .resources = {"roles"}, .verbs = {"create"}}}});
  client.create(
      rbac::RoleBinding{.metadata = {.name = "maker"},
                        .roleRef = {.apiGroup = "rbac.authorization.k8s.io", .kind = "Role", .name = "maker"},
                        .subjects = {{.kind = "User", .name = "mary", .apiGroup = "rbac.authorization.k8s.io"}}});
  std::optional<ApiError> error;
  eventually("she may try", [&] {
    error = refusal([&] {
      mary.create(rbac::Role{.metadata = {.name = "more"},
                             .rules = {{.apiGroups = {""}, .resources = {"secrets"}, .verbs = {"get"}}}});
    });
    return std::string(error->what()).find("cannot create resource") == std::string::npos;
  });
  EXPECT_THAT(error->what(), HasSubstr("is attempting to grant RBAC permissions not currently held"));
}

TEST_F(Rbac, SomebodyCanAskBeforehand) {
  namespace authorization = kube::authorization::v1;
  authorization::SelfSubjectAccessReview question;
  question.spec.resourceAttributes = {{.namespace_ = ns, .verb = "delete", .resource = "pods"}};
  EXPECT_FALSE(mary.create(question).status.allowed);
  EXPECT_TRUE(client.create(question).status.allowed);
}

TEST_F(Rbac, NobodyIsAnonymous) {
  const Client nobody = connect(server_.config_without_user());
  const auto error = refusal([&] { (void)nobody.list<core::Pod>({.namespace_ = ns}).all(); });
  EXPECT_TRUE(error.is_forbidden());
  EXPECT_THAT(error.what(), HasSubstr("system:anonymous"));
}

}  // namespace
}  // namespace flyball::kubetest
