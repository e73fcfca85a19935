// Who may do what, over HTTPS as clients come, and by the engine's own words.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/apiserver/server.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/client/local_transport.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

using ::testing::HasSubstr;

struct Callers : ::testing::Test {
  RealClock clock;
  Server server{clock, {.engine = {.service_accounts = true}}};
  client::HttpTransport admin{clock, server.config()};

  static net::Request post(std::string target, std::string body) {
    net::Request request{.method = "POST", .target = std::move(target), .body = std::move(body)};
    request.headers.set("Content-Type", "application/yaml");
    return request;
  }
  json::Value make(const std::string& target, const std::string& yaml) {
    const net::Response response = admin.send(post(target, yaml), {});
    EXPECT_EQ(response.status, 201) << response.body;
    return json::parse(response.body);
  }
  // A client without a certificate.
  net::Response as(const std::string& token, net::Request request) {
    client::Config config = server.config();
    config.tls.certificate.clear();
    config.tls.key = {};
    client::HttpTransport transport(clock, config);
    if (!token.empty()) request.headers.set("Authorization", "Bearer " + token);
    return transport.send(request, {});
  }
  net::Response get(const std::string& token, const std::string& target) { return as(token, {.target = target}); }
  std::string token(const std::string& spec = "{}", const std::string& account = "default") {
    const json::Value answer = make("/api/v1/namespaces/default/serviceaccounts/" + account + "/token",
                                    "{apiVersion: authentication.k8s.io/v1, kind: TokenRequest, spec: " + spec + "}");
    return std::string(answer["status"]["token"].as_string());
  }
  static std::string message(const net::Response& response) {
    return std::string(json::parse(response.body)["message"].string_or(""));
  }
  void allow(const std::string& rules) {
    make("/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
         "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: some}, rules: " + rules + "}");
    make("/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
         "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: some}, roleRef: {apiGroup: "
         "rbac.authorization.k8s.io, kind: Role, name: some}, subjects: [{kind: ServiceAccount, name: default}]}");
  }
};

TEST_F(Callers, WhoShowsNothingSeesOnlyThatTheServerLives) {
  EXPECT_EQ(get("", "/readyz").status, 200);
  const net::Response pods = get("", "/api/v1/pods");
  EXPECT_EQ(pods.status, 403);
  EXPECT_EQ(message(pods),
            R"(pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster )"
            "scope");
  EXPECT_EQ(message(get("", "/api")), R"(forbidden: User "system:anonymous" cannot get path "/api")");
}

TEST_F(Callers, AWrongTokenIsNobody) {
  for (const char* wrong : {"x", "a.b.c", "eyJhbGciOiJub25lIn0.e30."}) {
    const net::Response response = get(wrong, "/readyz");
    EXPECT_EQ(response.status, 401);
    EXPECT_EQ(message(response), "Unauthorized");
  }
}

TEST_F(Callers, ATokenMayWhatItsRolesSay) {
  const std::string mine = token();
  const std::string pods = "/api/v1/namespaces/default/pods";
  EXPECT_EQ(
      message(get(mine, pods)),
      R"(pods is forbidden: User "system:serviceaccount:default:default" cannot list resource "pods" in API group )"
      R"("" in the namespace "default")");
  allow(R"([{apiGroups: [""], resources: [pods], verbs: [get, list]}])");
  EXPECT_EQ(get(mine, pods).status, 200);
  EXPECT_EQ(get(mine, pods + "?watch=1").status, 403);
  EXPECT_EQ(get(mine, "/api/v1/pods").status, 403);
  EXPECT_EQ(message(get(mine, pods + "/x/log")),
            R"(pods "x" is forbidden: User "system:serviceaccount:default:default" cannot get resource "pods/log" in )"
            R"(API group "" in the namespace "default")");
  admin.send({.method = "DELETE", .target = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/some"}, {});
  EXPECT_THAT(message(get(mine, pods)), HasSubstr(R"(RBAC: role.rbac.authorization.k8s.io "some" not found)"));
}

TEST_F(Callers, ATokenDiesWithItsAccountAndWithItsPod) {
  make("/api/v1/namespaces/default/pods",
       "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: a, image: b}]}}");
  const std::string bound = token("{boundObjectRef: {apiVersion: v1, kind: Pod, name: web}}");
  const std::string free = token();
  EXPECT_EQ(get(bound, "/api").status, 200);
  admin.send({.method = "DELETE", .target = "/api/v1/namespaces/default/pods/web?gracePeriodSeconds=0"}, {});
  EXPECT_EQ(get(bound, "/api").status, 401);
  EXPECT_EQ(get(free, "/api").status, 200);
  admin.send({.method = "DELETE", .target = "/api/v1/namespaces/default/serviceaccounts/default"}, {});
  EXPECT_EQ(get(free, "/api").status, 401);
}

TEST_F(Callers, ATokenForSomebodyElseIsNoneHereButReviewsKnowIt) {
  const std::string foreign = token("{audiences: [vault]}");
  EXPECT_EQ(get(foreign, "/api").status, 401);
  const auto review = [&](const std::string& audiences) {
    return make("/apis/authentication.k8s.io/v1/tokenreviews",
                "{apiVersion: authentication.k8s.io/v1, kind: TokenReview, spec: {token: " + foreign +
                    ", audiences: " + audiences + "}}");
  };
  const json::Value known = review("[vault]");
  EXPECT_TRUE(known["status"]["authenticated"].as_bool());
  EXPECT_EQ(known["status"]["user"]["username"].as_string(), "system:serviceaccount:default:default");
  EXPECT_FALSE(review("[other]")["status"]["authenticated"]);
}

TEST_F(Callers, TokenRequestsAreChecked) {
  const auto ask = [&](const std::string& spec) {
    return admin.send(post("/api/v1/namespaces/default/serviceaccounts/default/token",
                           "{apiVersion: authentication.k8s.io/v1, kind: TokenRequest, spec: " + spec + "}"),
                      {});
  };
  EXPECT_EQ(message(ask("{expirationSeconds: 60}")),
            "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid value: 60: may not "
            "specify a duration less than 10 minutes");
  EXPECT_EQ(message(ask("{boundObjectRef: {apiVersion: v1, kind: Pod, name: none}}")), "pods \"none\" not found");
  EXPECT_EQ(admin
                .send(post("/api/v1/namespaces/default/serviceaccounts/none/token",
                           "{apiVersion: authentication.k8s.io/v1, kind: TokenRequest, spec: {}}"),
                      {})
                .status,
            404);
}

TEST_F(Callers, APodGetsItsAccountAndATokenVolume) {
  const json::Value pod =
      make("/api/v1/namespaces/default/pods",
           "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: a, image: b}]}}");
  EXPECT_EQ(pod["spec"]["serviceAccountName"].as_string(), "default");
  const json::View volume = pod["spec"]["volumes"][0];
  EXPECT_THAT(std::string(volume["name"].as_string()), ::testing::StartsWith("kube-api-access-"));
  EXPECT_EQ(volume["projected"]["sources"][0]["serviceAccountToken"]["expirationSeconds"].as_int(), 3607);
  EXPECT_EQ(pod["spec"]["containers"][0]["volumeMounts"][0]["mountPath"].as_string(),
            "/var/run/secrets/kubernetes.io/serviceaccount");
  const net::Response none = admin.send(post("/api/v1/namespaces/default/pods",
                                             "{apiVersion: v1, kind: Pod, metadata: {name: b}, spec: "
                                             "{serviceAccountName: x, containers: [{name: a, image: b}]}}"),
                                        {});
  EXPECT_EQ(message(none),
            "pods \"b\" is forbidden: error looking up service account default/x: serviceaccount \"x\" not found");
}

TEST_F(Callers, SomebodyWhoMayCanBeAnother) {
  const auto as_jane = [&](const std::string& token) {
    net::Request request{.target = "/api/v1/namespaces/default/pods"};
    request.headers.set("Impersonate-User", "jane");
    request.headers.add("Impersonate-Group", "readers");
    return token.empty() ? admin.send(request, {}) : as(token, request);
  };
  EXPECT_EQ(message(as_jane("")),
            R"(pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default")");
  EXPECT_EQ(
      message(as_jane(token())),
      R"(users "jane" is forbidden: User "system:serviceaccount:default:default" cannot impersonate resource "users" )"
      R"(in API group "" at the cluster scope)");
  make("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
       "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: readers}, roleRef: "
       "{apiGroup: "
       "rbac.authorization.k8s.io, kind: ClusterRole, name: system:aggregate-to-view}, subjects: [{kind: Group, name: "
       "readers, apiGroup: "
       "rbac.authorization.k8s.io}]}");
  EXPECT_EQ(as_jane("").status, 200);
}

TEST_F(Callers, ReviewsSayWhatWouldBe) {
  allow(R"([{apiGroups: [""], resources: [pods], verbs: [list]}])");
  const auto may = [&](const std::string& verb) {
    return make("/apis/authorization.k8s.io/v1/subjectaccessreviews",
                "{apiVersion: authorization.k8s.io/v1, kind: SubjectAccessReview, spec: {user: "
                "\"system:serviceaccount:default:default\", resourceAttributes: {namespace: default, resource: pods, "
                "verb: " +
                    verb + "}}}");
  };
  EXPECT_TRUE(may("list")["status"]["allowed"].as_bool());
  EXPECT_EQ(may("list")["status"]["reason"].as_string(),
            R"(RBAC: allowed by RoleBinding "some/default" of Role "some" to ServiceAccount "default/default")");
  EXPECT_FALSE(may("delete")["status"]["allowed"].as_bool());
}

}  // namespace
}  // namespace flyball::apiserver
