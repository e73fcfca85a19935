#include <algorithm>

#include "cli/manifest_files.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/json/yaml.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/runtime/context.hpp"
#include "flyball/runtime/operator.hpp"

namespace flyball::cli {

struct KioskSpec {
  std::int32_t size = 1;
};
FLYBALL_DESCRIBE(KioskSpec, (size, "How large; in templates it is {{ .size }}."))
using Kiosk = kube::CustomResource<"shop.example.com", "v1", "Kiosk", KioskSpec>;

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

struct ManifestFiles : ::testing::Test {
  ManifestFiles() {
    project.name = "kiosk-operator";
    project.domain = "example.com";
    project.apis = {{.group = "shop.example.com", .version = "v1", .kind = "Kiosk"}};
    op.reconcile<Kiosk>([](runtime::Context&, Kiosk&) {}).owns<kube::apps::v1::Deployment>();
  }
  Files files() const {
    return manifest_files(project, op.manifests({.name = "kiosk-operator", .namespace_ = "kiosk-operator-system"},
                                                "example.com/kiosk:v1"));
  }
  // "Kind name" of every document in a text, sorted.
  static std::vector<std::string> objects(const std::string& yaml) {
    std::vector<std::string> names;
    for (const json::Value& one : json::parse_yaml_documents(yaml)) {
      names.push_back(std::string(one["kind"].string_or("")) + " " +
                      std::string(one["metadata"]["name"].string_or("")));
    }
    std::ranges::sort(names);
    return names;
  }
  // What `kubectl apply -k config/<folder>` would apply.
  static std::vector<std::string> kustomized(const Files& files, const std::string& folder) {
    std::vector<std::string> names;
    const json::Value list = json::parse_yaml(files.at("config/" + folder + "/kustomization.yaml"));
    for (const json::View entry : list["resources"].items()) {
      const std::string path(entry.as_string());
      const auto more = path.starts_with("../") ? kustomized(files, path.substr(3))
                                                : objects(files.at("config/" + folder + "/" + path));
      names.insert(names.end(), more.begin(), more.end());
    }
    std::ranges::sort(names);
    return names;
  }

  Project project;
  runtime::Operator op{"kiosk-operator"};
};

TEST_F(ManifestFiles, TheKustomizeLayoutAndTheOneFileHoldTheSame) {
  const Files made = files();
  EXPECT_EQ(kustomized(made, "default"), objects(made.at("dist/install.yaml")));
  EXPECT_THAT(
      objects(made.at("dist/install.yaml")),
      ElementsAre("ClusterRole kiosk-operator", "ClusterRoleBinding kiosk-operator",
                  "CustomResourceDefinition kiosks.shop.example.com", "Deployment kiosk-operator",
                  "Namespace kiosk-operator-system", "Role kiosk-operator-leases", "RoleBinding kiosk-operator-leases",
                  "Service kiosk-operator-metrics", "ServiceAccount kiosk-operator"));
}

TEST_F(ManifestFiles, FeaturesAreOnWhenTheProjectSaysSo) {
  project.features = {"network-policy", "service-monitor"};
  const Files made = files();
  EXPECT_EQ(kustomized(made, "default"), objects(made.at("dist/install.yaml")));
  EXPECT_THAT(objects(made.at("dist/install.yaml")),
              IsSupersetOf({"NetworkPolicy kiosk-operator-metrics", "ServiceMonitor kiosk-operator-metrics"}));
}

TEST_F(ManifestFiles, PortsAreThoseOfThePod) {
  const Files made = files();
  const json::Value policy = json::parse_yaml(made.at("config/network-policy/network_policy.yaml"));
  EXPECT_EQ(policy["spec"]["ingress"][0]["ports"][0]["port"].as_int(), 8080);
  const json::Value service = json::parse_yaml(made.at("config/metrics/service.yaml"));
  EXPECT_EQ(service["spec"]["ports"][0]["targetPort"].as_string(), "metrics");
}

TEST_F(ManifestFiles, TheOperatorRunsWithAsLittleAsItCan) {
  const json::Value deployment = json::parse_yaml(files().at("config/manager/deployment.yaml"));
  const json::View pod = deployment["spec"]["template"]["spec"];
  EXPECT_TRUE(pod["securityContext"]["runAsNonRoot"].as_bool());
  EXPECT_EQ(pod["securityContext"]["seccompProfile"]["type"].as_string(), "RuntimeDefault");
  EXPECT_TRUE(pod["containers"][0]["securityContext"]["readOnlyRootFilesystem"].as_bool());
  EXPECT_TRUE(pod["containers"][0]["resources"]["limits"]["memory"].exists());
  EXPECT_TRUE(pod["containers"][0]["livenessProbe"].exists());
  EXPECT_EQ(pod["containers"][0]["image"].as_string(), "example.com/kiosk:v1");
}

TEST_F(ManifestFiles, TheChartLeavesOpenWhatPeopleChange) {
  const Files made = files();
  EXPECT_THAT(made.at("dist/chart/templates/deployment.yaml"), HasSubstr("image: {{ .Values.image | quote }}"));
  EXPECT_THAT(made.at("dist/chart/templates/rbac.yaml"), HasSubstr("namespace: {{ .Release.Namespace }}"));
  EXPECT_THAT(made.at("dist/chart/templates/rbac.yaml"), Not(HasSubstr("kiosk-operator-system")));
  EXPECT_THAT(made.at("dist/chart/templates/crds.yaml"), HasSubstr("{{- if .Values.crds }}"));
  EXPECT_THAT(made.at("dist/chart/values.yaml"), HasSubstr("image: example.com/kiosk:v1"));
}

TEST_F(ManifestFiles, WordsThatHelmWouldReadAreWrittenForItToPrint) {
  EXPECT_THAT(files().at("dist/chart/templates/crds.yaml"), HasSubstr("{{ \"{{\" }} .size }}"));
  EXPECT_THAT(files().at("dist/install.yaml"), HasSubstr("{{ .size }}"));
}

TEST_F(ManifestFiles, TheSameOperatorGivesTheSameBytes) { EXPECT_EQ(files(), files()); }

TEST_F(ManifestFiles, EveryFileSaysWhoseItIs) {
  for (const auto& [path, text] : files()) {
    const bool once = std::ranges::find(kOnce, path) != std::end(kOnce);
    EXPECT_THAT(text, StartsWith(once ? "# Yours: " : std::string(kMadeBy))) << path;
  }
}

}  // namespace
}  // namespace flyball::cli
