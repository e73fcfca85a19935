// LimitRanges, ResourceQuotas and levels of pod security, as a client meets them.
#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/apiserver/engine.hpp"
#include "flyball/base/manual_clock.hpp"
#include "flyball/base/random.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::apiserver {
namespace {

struct Namespaces : ::testing::Test {
  ManualClock clock;
  Random random{1};
  Store store{clock};
  Engine engine{clock, random, store, {.namespace_defaults = false}};
  const net::PeerIdentity admin{.common_name = "admin", .organizations = {"system:masters"}};

  net::Response ask(std::string method, std::string target, const std::string& yaml = {},
                    const std::string& type = "application/json") {
    net::Request request{.method = std::move(method), .target = std::move(target)};
    if (!yaml.empty()) {
      request.body = json::write(json::parse_yaml(yaml));
      request.headers.set("Content-Type", type);
    }
    return engine.handle(request, admin, {});
  }
  // POST of something into the namespace `default`.
  net::Response make(const std::string& plural, const std::string& yaml, const std::string& query = {}) {
    const std::string root = plural == "deployments" ? "/apis/apps/v1" : "/api/v1";
    return ask("POST", root + "/namespaces/default/" + plural + query, yaml);
  }
  net::Response pod(const std::string& name, const std::string& container = "", const std::string& spec = "",
                    const std::string& query = {}) {
    return make(
        "pods",
        "{metadata: {name: " + name + "}, spec: {containers: [{name: c, image: i, " + container + "}], " + spec + "}}",
        query);
  }
  json::Value get(const std::string& path) {
    return json::parse(ask("GET", "/api/v1/namespaces/default/" + path).body);
  }
  std::string used(const std::string& name) {
    const json::Value quota = get("resourcequotas/q");
    return std::string(quota["status"]["used"][name].string_or("none"));
  }
  static std::string message(const net::Response& response) {
    return std::string(json::parse(response.body)["message"].string_or({}));
  }
};

using LimitRanges = Namespaces;
using Quotas = Namespaces;
using PodSecurity = Namespaces;

TEST_F(LimitRanges, GiveContainersWhatTheyDoNotSayAndTellOfIt) {
  ASSERT_EQ(make("limitranges", R"({metadata: {name: l}, spec: {limits: [
    {type: Container, default: {cpu: 500m, memory: 1Gi}, defaultRequest: {cpu: 100m}}]}})")
                .status,
            201);
  const net::Response made = pod("web", "resources: {limits: {cpu: '2'}}");
  ASSERT_EQ(made.status, 201) << made.body;
  const json::Value web = json::parse(made.body);
  const json::View resources = web["spec"]["containers"][0]["resources"];
  EXPECT_EQ(resources["limits"]["cpu"].as_string(), "2");
  EXPECT_EQ(resources["limits"]["memory"].as_string(), "1Gi");
  EXPECT_EQ(resources["requests"]["memory"].as_string(), "1Gi") << "a LimitRange defaults its own requests";
  EXPECT_EQ(web["metadata"]["annotations"]["kubernetes.io/limit-ranger"].as_string(),
            "LimitRanger plugin set: memory request for container c; memory limit for container c");
}

TEST_F(LimitRanges, RefuseWhatIsBeyondThem) {
  ASSERT_EQ(make("limitranges", R"({metadata: {name: l}, spec: {limits: [
    {type: Container, min: {cpu: 100m}, max: {cpu: '1'}, defaultRequest: {cpu: 200m}, default: {cpu: 300m}},
    {type: Pod, max: {memory: 1Gi}}, {type: PersistentVolumeClaim, max: {storage: 5Gi}}]}})")
                .status,
            201);
  const auto refused = [](const net::Response& response) {
    EXPECT_EQ(response.status, 403) << response.body;
    return message(response);
  };
  EXPECT_EQ(refused(pod("a", "resources: {requests: {cpu: 50m, memory: 1Mi}, limits: {cpu: 200m, memory: 1Mi}}")),
            R"(pods "a" is forbidden: minimum cpu usage per Container is 100m, but request is 50m)");
  EXPECT_EQ(refused(pod("a", "resources: {requests: {cpu: 200m}, limits: {cpu: 2, memory: 1Mi}}")),
            R"(pods "a" is forbidden: maximum cpu usage per Container is 1, but limit is 2)");
  EXPECT_EQ(refused(pod("a")), R"(pods "a" is forbidden: maximum memory usage per Pod is 1Gi.  No limit is specified)");
  EXPECT_EQ(refused(make("persistentvolumeclaims",
                         "{metadata: {name: c}, spec: {accessModes: [ReadWriteOnce], "
                         "resources: {requests: {storage: 6Gi}}}}")),
            R"(persistentvolumeclaims "c" is forbidden: maximum storage usage per PersistentVolumeClaim is 5Gi, but )"
            "request is 6Gi");
  EXPECT_EQ(pod("a", "resources: {limits: {memory: 1Mi}}").status, 201);
}

TEST_F(Quotas, CountWhatComesChangesAndGoes) {
  ASSERT_EQ(make("configmaps", "{metadata: {name: before}}").status, 201);
  ASSERT_EQ(make("resourcequotas",
                 "{metadata: {name: q}, spec: {hard: {pods: 2, requests.cpu: 2, configmaps: 2, "
                 "count/configmaps: 5, services.nodeports: 1, requests.storage: 3Gi}}}")
                .status,
            201);
  EXPECT_EQ(used("configmaps"), "1");
  EXPECT_EQ(used("pods"), "0");
  const std::string half = "resources: {requests: {cpu: 500m}}";
  ASSERT_EQ(pod("one", half).status, 201);
  ASSERT_EQ(pod("two", half).status, 201);
  EXPECT_EQ(used("pods"), "2");
  EXPECT_EQ(used("requests.cpu"), "1");
  const net::Response refused = pod("three", half);
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(message(refused),
            R"(pods "three" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2)");
  // What is finished takes nothing, what is gone neither.
  ASSERT_EQ(ask("PATCH", "/api/v1/namespaces/default/pods/one/status", "{status: {phase: Succeeded}}",
                "application/merge-patch+json")
                .status,
            200);
  EXPECT_EQ(used("pods"), "1");
  EXPECT_EQ(used("requests.cpu"), "500m");
  ASSERT_EQ(ask("DELETE", "/api/v1/namespaces/default/pods/two?gracePeriodSeconds=0").status, 200);
  EXPECT_EQ(used("pods"), "0");
  EXPECT_EQ(pod("three", half).status, 201);
}

TEST_F(Quotas, AreNotChargedForWhatWasNotWritten) {
  ASSERT_EQ(make("resourcequotas", "{metadata: {name: q}, spec: {hard: {configmaps: 5}}}").status, 201);
  ASSERT_EQ(make("configmaps", "{metadata: {name: a}}").status, 201);
  EXPECT_EQ(make("configmaps", "{metadata: {name: a}}").status, 409);
  EXPECT_EQ(make("configmaps", "{metadata: {name: b}}", "?dryRun=All").status, 201);
  EXPECT_EQ(used("configmaps"), "1");
}

TEST_F(Quotas, OfCpuAndMemoryWantEveryContainerToSayWhatItTakes) {
  ASSERT_EQ(make("resourcequotas", "{metadata: {name: q}, spec: {hard: {cpu: 1, limits.memory: 1Gi}}}").status, 201);
  const net::Response refused = pod("a");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(message(refused),
            R"(pods "a" is forbidden: failed quota: q: must specify cpu for: c; limits.memory for: c)");
}

TEST_F(Quotas, WithScopesCountOnlyThePodsInThem) {
  ASSERT_EQ(make("resourcequotas", "{metadata: {name: q}, spec: {hard: {pods: 1}, scopes: [Terminating]}}").status,
            201);
  EXPECT_EQ(pod("a").status, 201);
  EXPECT_EQ(used("pods"), "0");
  EXPECT_EQ(pod("b", "", "activeDeadlineSeconds: 60").status, 201);
  EXPECT_EQ(used("pods"), "1");
  EXPECT_EQ(pod("c", "", "activeDeadlineSeconds: 60").status, 403);
}

TEST_F(Quotas, OfServicesAreCheckedWhenOneChanges) {
  ASSERT_EQ(make("resourcequotas", "{metadata: {name: q}, spec: {hard: {services.nodeports: 1, services: 5}}}").status,
            201);
  ASSERT_EQ(make("services", "{metadata: {name: s}, spec: {ports: [{name: a, port: 1}, {name: b, port: 2}]}}").status,
            201);
  const net::Response refused =
      ask("PATCH", "/api/v1/namespaces/default/services/s", "{spec: {type: NodePort}}", "application/merge-patch+json");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(message(refused), R"(services "s" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: )"
                              "services.nodeports=0, limited: services.nodeports=1");
  EXPECT_EQ(used("services"), "1");
}

TEST_F(Quotas, StayExactWhenManyWriteAtOnce) {
  ASSERT_EQ(make("resourcequotas", "{metadata: {name: q}, spec: {hard: {configmaps: 25}}}").status, 201);
  std::atomic<int> made = 0;
  {
    std::vector<std::jthread> writers;
    writers.reserve(4);
    for (int writer = 0; writer < 4; ++writer) {
      writers.emplace_back([&, writer] {
        for (int each = 0; each < 12; ++each) {
          const std::string name = "c" + std::to_string(writer) + "-" + std::to_string(each);
          const int status = make("configmaps", "{metadata: {name: " + name + "}}").status;
          if (status == 201) ++made;
          EXPECT_TRUE(status == 201 || status == 403) << status;
          if (status == 201 && each % 3 == 0) {
            EXPECT_EQ(ask("DELETE", "/api/v1/namespaces/default/configmaps/" + name).status, 200);
            --made;
          }
        }
      });
    }
  }
  EXPECT_LE(made.load(), 25);
  EXPECT_EQ(get("configmaps")["items"].size(), static_cast<std::size_t>(made.load()));
  EXPECT_EQ(used("configmaps"), std::to_string(made.load()));
}

TEST_F(Quotas, AreCountedAnewWhenTheirSpecChanges) {
  ASSERT_EQ(make("configmaps", "{metadata: {name: a}}").status, 201);
  ASSERT_EQ(make("resourcequotas", "{metadata: {name: q}, spec: {hard: {pods: 1}}}").status, 201);
  EXPECT_EQ(used("configmaps"), "none");
  ASSERT_EQ(ask("PATCH", "/api/v1/namespaces/default/resourcequotas/q", "{spec: {hard: {configmaps: 3}}}",
                "application/merge-patch+json")
                .status,
            200);
  EXPECT_EQ(used("configmaps"), "1");
}

TEST_F(PodSecurity, RefusesPodsBelowTheLevelOfTheirNamespace) {
  ASSERT_EQ(
      ask("PATCH", "/api/v1/namespaces/default",
          "{metadata: {labels: {pod-security.kubernetes.io/enforce: restricted}}}", "application/merge-patch+json")
          .status,
      200);
  const net::Response refused = pod("x");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(message(refused),
            R"(pods "x" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false )"
            R"((container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities )"
            R"((container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or )"
            R"(container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must )"
            R"(set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"))");
  EXPECT_EQ(pod("x", "securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}",
                "securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}")
                .status,
            201);
  // A Deployment is not refused: its pods are.
  EXPECT_EQ(make("deployments",
                 "{metadata: {name: d}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: "
                 "{labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}")
                .status,
            201);
}

TEST_F(PodSecurity, WarnsOfPodsAndOfWhatMakesThem) {
  ASSERT_EQ(ask("PATCH", "/api/v1/namespaces/default",
                "{metadata: {labels: {pod-security.kubernetes.io/warn: baseline, "
                "pod-security.kubernetes.io/warn-version: v1.30}}}",
                "application/merge-patch+json")
                .status,
            200);
  const net::Response warned = pod("x", "securityContext: {privileged: true}", "hostNetwork: true");
  EXPECT_EQ(warned.status, 201);
  EXPECT_EQ(warned.headers.get("Warning"),
            R"x(299 - "would violate PodSecurity \"baseline:v1.30\": host namespaces (hostNetwork=true), privileged )x"
            R"x((container \"c\" must not set securityContext.privileged=true)")x");
  const net::Response made =
      make("deployments",
           "{metadata: {name: d}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: "
           "{a: b}}, spec: {hostPID: true, containers: [{name: c, image: i}]}}}}");
  EXPECT_NE(made.headers.get("Warning").find("host namespaces (hostPID=true)"), std::string_view::npos) << made.body;
}

TEST_F(PodSecurity, ANamespaceMustNameALevelThatThereIs) {
  const net::Response refused = ask("POST", "/api/v1/namespaces",
                                    "{metadata: {name: shop, labels: {pod-security.kubernetes.io/enforce: strict}}}");
  EXPECT_EQ(refused.status, 422);
  EXPECT_NE(message(refused).find("must be one of privileged, baseline, restricted"), std::string::npos);
}

}  // namespace
}  // namespace flyball::apiserver
