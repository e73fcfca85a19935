// The same objects as protobuf and as JSON: what comes out is equal, whichever way they travelled.
#include "kube_test.hpp"

#include "flyball/kube/apiregistration/v1.hpp"
#include "flyball/kube/autoscaling/v2.hpp"
#include "flyball/kube/batch/v1.hpp"
#include "flyball/kube/coordination/v1.hpp"
#include "flyball/kube/discovery/v1.hpp"
#include "flyball/kube/flowcontrol/v1.hpp"
#include "flyball/kube/networking/v1.hpp"
#include "flyball/kube/policy/v1.hpp"
#include "flyball/kube/rbac/v1.hpp"
#include "flyball/kube/scheduling/v1.hpp"
#include "flyball/kube/storage/v1.hpp"

namespace flyball::kubetest {
namespace {

struct Wire : KubeTest {
  // Everything of the kind the server has, read both ways.
  template <class T>
  void expect_equal_lists() const {
    const auto protobuf = client.list<T>().all();
    const auto as_json = json.list<T>().all();
    EXPECT_FALSE(protobuf.empty()) << "nothing was compared";
    EXPECT_TRUE(protobuf == as_json);
  }
  // One object, written and read every way.
  template <class T>
  void expect_equal(T object) const {
    object.metadata.name = "by-protobuf";
    const T by_protobuf = client.create(object);
    object.metadata.name = "by-json";
    T by_json = json.create(object);
    EXPECT_EQ(json.get<T>(client::key_of(by_protobuf)), by_protobuf);
    EXPECT_EQ(client.get<T>(client::key_of(by_json)), by_json);
    by_json.metadata = by_protobuf.metadata;
    EXPECT_EQ(by_json, by_protobuf);
  }
  const Client json = connect({.protobuf = false});
};

TEST_F(Wire, ClusterRoles) { expect_equal_lists<kube::rbac::v1::ClusterRole>(); }
TEST_F(Wire, ClusterRoleBindings) { expect_equal_lists<kube::rbac::v1::ClusterRoleBinding>(); }
TEST_F(Wire, Roles) { expect_equal_lists<kube::rbac::v1::Role>(); }
TEST_F(Wire, Namespaces) { expect_equal_lists<core::Namespace>(); }
TEST_F(Wire, Services) { expect_equal_lists<core::Service>(); }
TEST_F(Wire, FlowSchemas) { expect_equal_lists<kube::flowcontrol::v1::FlowSchema>(); }
TEST_F(Wire, PriorityLevels) { expect_equal_lists<kube::flowcontrol::v1::PriorityLevelConfiguration>(); }
TEST_F(Wire, PriorityClasses) { expect_equal_lists<kube::scheduling::v1::PriorityClass>(); }
TEST_F(Wire, ApiServices) { expect_equal_lists<kube::apiregistration::v1::APIService>(); }
TEST_F(Wire, ServiceCidrs) { expect_equal_lists<kube::networking::v1::ServiceCIDR>(); }

TEST_F(Wire, APodWithAllSorts) {
  core::Pod full = pod("full", {{"app", "web"}});
  full.metadata.annotations = {{"note", "ünïcode"}};
  full.spec.nodeSelector = {{"disk", "ssd"}};
  full.spec.terminationGracePeriodSeconds = 7;
  full.spec.volumes = {{.name = "scratch"}};
  full.spec.volumes.at(0).emptyDir = {{.medium = "Memory", .sizeLimit = kube::Quantity("64Mi")}};
  core::Container& main = full.spec.containers.at(0);
  main.command = {"sh", "-c", "true"};
  main.env = {{.name = "A", .value = "1"}};
  main.ports = {{.name = "http", .containerPort = 8080}};
  main.resources.requests = {{"cpu", "100m"}, {"memory", "64Mi"}};
  main.resources.limits = {{"memory", "128Mi"}};
  main.volumeMounts = {{.name = "scratch", .mountPath = "/scratch"}};
  main.livenessProbe = {{.periodSeconds = 3}};
  main.livenessProbe->httpGet = {{.path = "/healthz", .port = "http"}};
  main.securityContext = {{.runAsNonRoot = true}};
  expect_equal(full);
}

TEST_F(Wire, ADeployment) { expect_equal(deployment("web", 3)); }

TEST_F(Wire, ASecretWithBytes) {
  expect_equal(core::Secret{.metadata = {.name = "x"}, .data = {{"raw", kube::Bytes(std::string("\0\x01\xff", 3))}}});
}

TEST_F(Wire, AServiceWithTargetsOfBothKinds) {
  core::Service service{.metadata = {.name = "x"}};
  service.spec.ports = {{.name = "a", .port = 80, .targetPort = 8080}, {.name = "b", .port = 81, .targetPort = "http"}};
  service.spec.clusterIP = "None";
  expect_equal(service);
}

TEST_F(Wire, AJob) {
  kube::batch::v1::CronJob job{.metadata = {.name = "x"}};
  job.spec.schedule = "0 3 * * *";
  job.spec.jobTemplate.spec.template_.spec.containers = {{.name = "main", .image = "none"}};
  job.spec.jobTemplate.spec.template_.spec.restartPolicy = "Never";
  expect_equal(job);
}

TEST_F(Wire, ALeaseWithMicroseconds) {
  kube::coordination::v1::Lease lease{.metadata = {.name = "x"}};
  lease.spec.holderIdentity = "me";
  lease.spec.leaseDurationSeconds = 15;
  lease.spec.renewTime = kube::MicroTime::parse("2026-01-02T03:04:05.678901Z");
  expect_equal(lease);
}

TEST_F(Wire, AnIngress) {
  kube::networking::v1::Ingress ingress{.metadata = {.name = "x"}};
  ingress.spec.defaultBackend = {{.service = {{.name = "web", .port = {.number = 80}}}}};
  expect_equal(ingress);
}

TEST_F(Wire, ADisruptionBudget) {
  expect_equal(kube::policy::v1::PodDisruptionBudget{
      .metadata = {.name = "x"},
      .spec = {.maxUnavailable = kube::IntOrString("25%"), .selector = {{.matchLabels = {{"a", "b"}}}}}});
}

TEST_F(Wire, ObjectsAsJsonValuesAreTheSameBothWays) {
  client.create(deployment("web", 3));
  const kube::GroupVersionKind kind{"apps", "v1", "Deployment"};
  EXPECT_EQ(client.dynamic(kind).get({.name = "web"}), json.dynamic(kind).get({.name = "web"}));
}

TEST_F(Wire, ErrorsAreTheSameBothWays) {
  const auto one = refusal([&] { (void)client.get<core::Pod>({.name = "ghost"}); });
  const auto other = refusal([&] { (void)json.get<core::Pod>({.name = "ghost"}); });
  EXPECT_EQ(one.message(), other.message());
  EXPECT_EQ(one.reason(), other.reason());
}

}  // namespace
}  // namespace flyball::kubetest
