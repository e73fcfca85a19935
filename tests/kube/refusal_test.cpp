// What the server refuses, and whether a person can tell why: validation, admission, sizes.
#include "kube_test.hpp"

#include "flyball/kube/admissionregistration/v1.hpp"

namespace flyball::kubetest {
namespace {

using Refusing = KubeTest;

TEST_F(Refusing, EveryWrongFieldIsACause) {
  core::Pod wrong{
      .metadata = {.name = "wrong"},
      .spec = {
          .containers = {{.name = "Not A Name"}, {.name = "twice", .image = "x"}, {.name = "twice", .image = "x"}}}};
  const auto error = refusal([&] { client.create(wrong); });
  EXPECT_TRUE(error.is_invalid());
  EXPECT_EQ(error.code(), 422);
  std::vector<std::string> fields;
  fields.reserve(error.causes().size());
  for (const auto& cause : error.causes()) fields.push_back(cause.field);
  EXPECT_THAT(fields,
              UnorderedElementsAre("spec.containers[0].name", "spec.containers[0].image", "spec.containers[2].name"));
  EXPECT_THAT(error.what(), HasSubstr("Pod \"wrong\" is invalid"));
}

TEST_F(Refusing, ANameThatIsNoneIsACause) {
  const auto error = refusal([&] { client.create(config_map("Not_A_Name")); });
  EXPECT_TRUE(error.is_invalid());
  ASSERT_THAT(error.causes(), SizeIs(1));
  EXPECT_EQ(error.causes().at(0).field, "metadata.name");
  EXPECT_EQ(error.causes().at(0).reason, "FieldValueInvalid");
}

TEST_F(Refusing, WhatCannotChangeCannotChange) {
  core::ConfigMap fixed = config_map("fixed", {{"one", "1"}});
  fixed.immutable = true;
  client.create(fixed);
  const auto error =
      refusal([&] { client.edit<core::ConfigMap>({.name = "fixed"}, [](auto& map) { map.data["one"] = "2"; }); });
  EXPECT_TRUE(error.is_invalid());
  EXPECT_THAT(error.what(), HasSubstr("field is immutable when `immutable` is set"));
}

TEST_F(Refusing, ASelectorOfADeploymentCannotChange) {
  client.create(deployment("web"));
  const auto error = refusal([&] {
    client.edit<apps::Deployment>({.name = "web"}, [](auto& d) {
      d.spec.selector.matchLabels["app"] = "other";
      d.spec.template_.metadata.labels["app"] = "other";
    });
  });
  EXPECT_EQ(error.causes().at(0).field, "spec.selector");
}

TEST_F(Refusing, AnObjectTooLargeForTheStorageSaysSo) {
  const auto error = refusal([&] { client.create(config_map("huge", {{"text", std::string(1100000, 'x')}})); });
  EXPECT_TRUE(error.is_invalid());
  EXPECT_THAT(error.what(), HasSubstr("may not be more than 1048576 bytes"));
}

TEST_F(Refusing, ARequestTooLargeForTheServerSaysSo) {
  const auto error = refusal([&] { client.create(config_map("huge", {{"text", std::string(4000000, 'x')}})); });
  EXPECT_EQ(error.reason(), Reason::RequestEntityTooLarge);
  EXPECT_EQ(error.code(), 413);
}

TEST_F(Refusing, AnAnnotationTooLargeNamesTheField) {
  auto loud = config_map("loud");
  loud.metadata.annotations["a"] = std::string(300000, 'x');
  const auto error = refusal([&] { client.create(loud); });
  EXPECT_EQ(error.causes().at(0).field, "metadata.annotations");
}

TEST_F(Refusing, PodSecurityTellsWhatIsMissing) {
  client.edit<core::Namespace>({.name = ns},
                               [](auto& n) { n.metadata.labels["pod-security.kubernetes.io/enforce"] = "restricted"; });
  std::optional<ApiError> error;
  eventually("the label is seen", [&] {
    try {
      client.create(pod("free"), {.dry_run = true});
      return false;
    } catch (const ApiError& refused) {
      error = refused;
      return true;
    }
  });
  EXPECT_TRUE(error->is_forbidden());
  EXPECT_THAT(error->what(), HasSubstr("violates PodSecurity \"restricted"));
  EXPECT_THAT(error->what(), HasSubstr("allowPrivilegeEscalation != false"));
}

TEST_F(Refusing, ALimitRangeTellsTheLimit) {
  core::LimitRange small{.metadata = {.name = "small"}};
  small.spec.limits = {{.type = "Container", .max = {{"memory", "1Gi"}}}};
  client.create(small);
  auto big = pod("big");
  big.spec.containers.at(0).resources.limits = {{"memory", "2Gi"}};
  const auto error = refusal([&] { client.create(big); });
  EXPECT_TRUE(error.is_forbidden());
  EXPECT_THAT(error.what(), HasSubstr("maximum memory usage per Container is 1Gi, but limit is 2Gi"));
}

TEST_F(Refusing, AQuotaTellsWhatItIsAbout) {
  core::ResourceQuota none{.metadata = {.name = "none"}};
  none.spec.hard = {{"configmaps", "0"}};
  client.create(none);
  client.edit_status<core::ResourceQuota>({.name = "none"}, [](auto& quota) {
    quota.status.hard = {{"configmaps", "0"}};
    quota.status.used = {{"configmaps", "0"}};
  });
  std::optional<ApiError> error;
  eventually("the quota is seen", [&] {
    try {
      client.create(core::ConfigMap{.metadata = {.generateName = "more-"}});
      return false;
    } catch (const ApiError& refused) {
      error = refused;
      return std::string(refused.what()).find("exceeded quota") != std::string::npos;
    }
  });
  EXPECT_TRUE(error->is_forbidden());
  EXPECT_THAT(error->what(),
              HasSubstr("exceeded quota: none, requested: configmaps=1, used: configmaps=0, limited: configmaps=0"));
}

TEST_F(Refusing, AnAdmissionPolicySpeaksItsOwnWords) {
  namespace admission = kube::admissionregistration::v1;
  admission::ValidatingAdmissionPolicy policy{.metadata = {.name = ns}};
  policy.spec = {.matchConstraints = {{.resourceRules = {{.operations = {"CREATE"},
                                                          .apiGroups = {""},
                                                          .apiVersions = {"v1"},
                                                          .resources = {"secrets"}}}}},
                 .validations = {{.expression = "object.metadata.name.startsWith('team-')",
                                  .message = "secrets are named after their team"}}};
  client.create(policy);
  client.create(admission::ValidatingAdmissionPolicyBinding{
      .metadata = {.name = ns},
      .spec = {.policyName = ns,
               .matchResources = {{.namespaceSelector = {{.matchLabels = {{"kubernetes.io/metadata.name", ns}}}}}},
               .validationActions = {"Deny"}}});
  std::optional<ApiError> error;
  eventually("the policy is in force", [&] {
    try {
      client.create(core::Secret{.metadata = {.name = "mine"}}, {.dry_run = true});
      return false;
    } catch (const ApiError& refused) {
      error = refused;
      return true;
    }
  });
  EXPECT_THAT(error->what(), HasSubstr("secrets are named after their team"));
  client.create(core::Secret{.metadata = {.name = "team-mine"}});
  client.delete_<admission::ValidatingAdmissionPolicyBinding>({.name = ns});
  client.delete_<admission::ValidatingAdmissionPolicy>({.name = ns});
}

TEST_F(Refusing, AVerbTheKindDoesNotHaveIsNotAllowed) {
  const auto error = refusal([&] { client.raw({.method = "DELETE", .target = "/version"}); });
  EXPECT_GE(error.code(), 400);
  EXPECT_LT(error.code(), 500);
  EXPECT_FALSE(std::string(error.what()).empty());
}

TEST_F(Refusing, APathThatIsNotThereKeepsTheServersWords) {
  const auto error = refusal([&] { client.raw({.target = "/no/such/path"}); });
  EXPECT_TRUE(error.is_not_found());
  EXPECT_THAT(error.what(), HasSubstr("/no/such/path"));
}

TEST_F(Refusing, RawGivesTheAnswerAsItIs) {
  EXPECT_EQ(client.raw({.target = "/readyz"}).body, "ok");
  EXPECT_THAT(json::parse(client.raw({.target = "/version"}).body)["gitVersion"].as_string(), StartsWith("v1."));
}

}  // namespace
}  // namespace flyball::kubetest
