#include "flyball/apiserver/admission/webhooks.hpp"

#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "flyball/apiserver/engine.hpp"
#include "flyball/base/manual_clock.hpp"
#include "flyball/base/random.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/bytes.hpp"

namespace flyball::apiserver {
namespace {

using Answer = std::function<net::Response(const json::Value& request)>;

net::Response reviewed(const json::Value& request, const std::string& more) {
  const std::string uid(request["uid"].as_string());
  return {.headers = {{"Content-Type", "application/json"}},
          .body = R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":")" + uid + "\"," +
                  more + "}}"};
}

Answer allows() {
  return [](const json::Value& request) { return reviewed(request, R"("allowed":true)"); };
}

Answer patches(const std::string& patch) {
  return [patch](const json::Value& request) {
    return reviewed(request, R"("allowed":true,"patchType":"JSONPatch","patch":")" + kube::to_base64(patch) + "\"");
  };
}

struct AdmissionWebhooks : ::testing::Test {
  std::map<std::string, Answer> answers;  // by path
  std::vector<std::string> asked;         // paths, in order
  std::vector<WebhookCall> calls;
  std::vector<json::Value> requests;

  EngineOptions options() {
    EngineOptions options{.namespace_defaults = false};
    options.webhooks.send = [this](const WebhookCall& call, const Stop& stop) {
      const std::size_t begin = call.url.find('/', 8);
      const std::string path = call.url.substr(begin, call.url.find('?') - begin);
      asked.push_back(path);
      calls.push_back(call);
      requests.push_back(json::Value(json::parse(call.body)["request"]));
      const auto answer = answers.find(path);
      if (answer == answers.end()) throw net::NetError(net::NetError::Kind::kConnect, "connection refused");
      net::Response response = answer->second(requests.back());
      stop.throw_if_stopped();
      return response;
    };
    return options;
  }

  ManualClock clock;
  Random random{1};
  Store store{clock};
  Engine engine{clock, random, store, options()};
  const net::PeerIdentity admin{.common_name = "admin", .organizations = {"system:masters"}};

  net::Response ask(std::string method, std::string target, std::string body = {},
                    const std::string& type = "application/json") {
    net::Request request{.method = std::move(method), .target = std::move(target), .body = std::move(body)};
    if (!request.body.empty()) request.headers.set("Content-Type", type);
    return engine.handle(request, admin, {});
  }
  static std::string message(const net::Response& response) {
    return std::string(json::parse(response.body)["message"].string_or({}));
  }

  // A configuration `name` with one webhook of the same name; `more` are further fields of the webhook.
  void configure(const std::string& kind, const std::string& name, const std::string& more = "") {
    const std::string plural = kind == "Mutating" ? "mutatingwebhookconfigurations" : "validatingwebhookconfigurations";
    json::Draft hook(json::parse(R"({"name":")" + name + R"(.example.com","sideEffects":"None",
      "admissionReviewVersions":["v1"],"clientConfig":{"url":"https://hooks.example.com:8443/)" +
                                 name + R"("},
      "rules":[{"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"]}]})"));
    const json::Value extra = json::parse("{" + more + "}");
    for (const auto [key, value] : extra.entries()) hook.root().set(key, json::Value(value));
    const net::Response made =
        ask("POST", "/apis/admissionregistration.k8s.io/v1/" + plural,
            R"({"metadata":{"name":")" + name + R"("},"webhooks":[)" + json::write(hook.build()) + "]}");
    ASSERT_EQ(made.status, 201) << made.body;
  }
  net::Response make(const std::string& name, const std::string& query = {}) {
    return ask("POST", "/api/v1/namespaces/default/configmaps" + query,
               R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name + R"("},"data":{"a":"1"}})");
  }
};

TEST_F(AdmissionWebhooks, ARefusalIsToldInTheWordsOfTheWebhookWithItsCodeAndReason) {
  configure("Validating", "no");
  answers["/no"] = [](const json::Value& request) {
    return reviewed(request, R"("allowed":false,"status":{"code":403,"reason":"Forbidden","message":"not today"})");
  };
  const net::Response refused = make("one");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(message(refused), R"(admission webhook "no.example.com" denied the request: not today)");
  EXPECT_EQ(json::parse(refused.body)["reason"].as_string(), "Forbidden");
  EXPECT_EQ(ask("GET", "/api/v1/namespaces/default/configmaps/one").status, 404);

  answers["/no"] = [](const json::Value& request) { return reviewed(request, R"("allowed":false)"); };
  const net::Response silent = make("one");
  EXPECT_EQ(silent.status, 400);
  EXPECT_EQ(message(silent), R"(admission webhook "no.example.com" denied the request without explanation)");
}

TEST_F(AdmissionWebhooks, TheReviewSaysWhoDoesWhatToWhich) {
  configure("Validating", "see");
  answers["/see"] = allows();
  ASSERT_EQ(make("one", "?fieldManager=me").status, 201);
  ASSERT_EQ(requests.size(), 1U);
  const json::Value& create = requests[0];
  EXPECT_EQ(create["operation"].as_string(), "CREATE");
  EXPECT_EQ(create["name"].as_string(), "one");
  EXPECT_EQ(create["namespace"].as_string(), "default");
  EXPECT_EQ(create["kind"]["kind"].as_string(), "ConfigMap");
  EXPECT_EQ(create["requestResource"]["resource"].as_string(), "configmaps");
  EXPECT_EQ(create["userInfo"]["username"].as_string(), "admin");
  EXPECT_EQ(create["object"]["data"]["a"].as_string(), "1");
  EXPECT_FALSE(create["object"]["metadata"]["uid"].as_string().empty()) << "validating ones see what will be stored";
  EXPECT_TRUE(create["oldObject"].is_null());
  EXPECT_FALSE(create["dryRun"].as_bool());
  EXPECT_EQ(create["options"]["kind"].as_string(), "CreateOptions");
  EXPECT_EQ(create["options"]["fieldManager"].as_string(), "me");

  ASSERT_EQ(
      ask("PATCH", "/api/v1/namespaces/default/configmaps/one", R"({"data":{"a":"2"}})", "application/merge-patch+json")
          .status,
      200);
  const json::Value& update = requests[1];
  EXPECT_EQ(update["operation"].as_string(), "UPDATE");
  EXPECT_EQ(update["object"]["data"]["a"].as_string(), "2");
  EXPECT_EQ(update["oldObject"]["data"]["a"].as_string(), "1");
  EXPECT_EQ(update["options"]["kind"].as_string(), "UpdateOptions");

  ASSERT_EQ(ask("DELETE", "/api/v1/namespaces/default/configmaps/one?propagationPolicy=Background").status, 200);
  const json::Value& removal = requests[2];
  EXPECT_EQ(removal["operation"].as_string(), "DELETE");
  EXPECT_TRUE(removal["object"].is_null());
  EXPECT_EQ(removal["oldObject"]["data"]["a"].as_string(), "2");
  EXPECT_EQ(removal["options"]["propagationPolicy"].as_string(), "Background");
}

TEST_F(AdmissionWebhooks, APatchChangesWhatIsStoredAndWhatValidatingOnesSee) {
  configure("Mutating", "change");
  configure("Validating", "look");
  answers["/change"] = patches(R"([{"op":"add","path":"/data/b","value":"2"}])");
  answers["/look"] = allows();
  const net::Response made = make("one");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(json::parse(made.body)["data"]["b"].as_string(), "2");
  EXPECT_EQ(asked, (std::vector<std::string>{"/change", "/look"}));
  EXPECT_EQ(requests[1]["object"]["data"]["b"].as_string(), "2");
}

TEST_F(AdmissionWebhooks, WhatAWebhookMakesOfAnObjectIsValidated) {
  configure("Mutating", "change");
  answers["/change"] = patches(R"([{"op":"add","path":"/data/b~1c","value":"2"}])");
  EXPECT_EQ(make("one").status, 422);
  answers["/change"] = patches(R"([{"op":"replace","path":"/data","value":7}])");
  EXPECT_EQ(make("one").status, 500);
  answers["/change"] = patches("hello");
  EXPECT_EQ(make("one").status, 500);
}

TEST_F(AdmissionWebhooks, AreAskedInTheOrderOfTheirNamesAndAgainWhenALaterOneChangedSomething) {
  configure("Mutating", "b");
  configure("Mutating", "a", R"("reinvocationPolicy":"IfNeeded")");
  configure("Mutating", "c");
  answers["/a"] = allows();
  answers["/b"] = patches(R"([{"op":"add","path":"/data/b","value":"2"}])");
  answers["/c"] = allows();
  ASSERT_EQ(make("one").status, 201);
  EXPECT_EQ(asked, (std::vector<std::string>{"/a", "/b", "/c", "/a"}));
}

TEST_F(AdmissionWebhooks, OneThatNobodyAnswersForIsPassedOverOrNotAsItsPolicySays) {
  configure("Validating", "gone", R"("failurePolicy":"Ignore")");
  EXPECT_EQ(make("one").status, 201);
  configure("Validating", "lost", R"("failurePolicy":"Fail","timeoutSeconds":3)");
  const net::Response refused = make("two");
  EXPECT_EQ(refused.status, 500);
  EXPECT_EQ(message(refused),
            "Internal error occurred: failed calling webhook \"lost.example.com\": failed to call webhook: Post "
            "\"https://hooks.example.com:8443/lost?timeout=3s\": dial tcp hooks.example.com:8443: connect: connection "
            "refused");
}

TEST_F(AdmissionWebhooks, OneThatAnswersTooLateHasNotAnswered) {
  configure("Validating", "late", R"("timeoutSeconds":2)");
  answers["/late"] = [this](const json::Value& request) {
    clock.advance(std::chrono::seconds(3));
    return reviewed(request, R"("allowed":true)");
  };
  const net::Response refused = make("one");
  EXPECT_EQ(refused.status, 500);
  EXPECT_NE(message(refused).find("?timeout=2s\": context deadline exceeded"), std::string::npos) << refused.body;
}

TEST_F(AdmissionWebhooks, AnswersThatAreNoneAreNamed) {
  configure("Validating", "odd");
  const auto said = [&](const net::Response& response) {
    answers["/odd"] = [response](const json::Value& /*request*/) { return response; };
    const net::Response refused = make("one");
    EXPECT_EQ(refused.status, 500);
    const std::string text = message(refused);
    const std::string head = "Internal error occurred: failed calling webhook \"odd.example.com\": ";
    EXPECT_TRUE(text.starts_with(head)) << text;
    return text.substr(std::min(head.size(), text.size()));
  };
  EXPECT_EQ(said({.status = 404, .body = "404 page not found"}),
            "failed to call webhook: the server could not find the requested resource");
  EXPECT_EQ(said({.status = 500, .body = "boom"}),
            "failed to call webhook: an error on the server (\"boom\") has prevented the request from succeeding");
  EXPECT_EQ(said({.body = R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"})"}),
            "received invalid webhook response: webhook response was absent");
  EXPECT_NE(said({.body = R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"x"}})"})
                .find(", got \"x\""),
            std::string::npos);
  EXPECT_NE(said({.body = "garbage"}).find("json parse error"), std::string::npos);
  EXPECT_NE(said({.body = ""}).find("0-length response"), std::string::npos);
  answers["/odd"] = patches(R"([{"op":"add","path":"/data/b","value":"2"}])");
  EXPECT_NE(message(make("one")).find("validating webhook may not return response.patch"), std::string::npos);
}

TEST_F(AdmissionWebhooks, OnlyThoseWhoseRulesAndSelectorsMatchAreAsked) {
  for (const char* name : {"other-group", "update", "cluster", "labels", "namespace", "sub", "all"})
    answers["/" + std::string(name)] = allows();
  const auto rule = [](const std::string& operations, const std::string& resources, const std::string& scope) {
    return R"("rules":[{"operations":)" + operations + R"(,"apiGroups":["*"],"apiVersions":["*"],"resources":)" +
           resources + R"(,"scope":")" + scope + "\"}]";
  };
  configure("Validating", "all", rule(R"(["*"])", R"(["*"])", "*"));
  configure("Validating", "cluster", rule(R"(["*"])", R"(["*"])", "Cluster"));
  configure("Validating", "labels", R"("objectSelector":{"matchLabels":{"a":"b"}})");
  configure("Validating", "namespace", R"("namespaceSelector":{"matchLabels":{"a":"b"}})");
  configure("Validating", "sub", rule(R"(["*"])", R"(["configmaps/status"])", "*"));
  configure("Validating", "update", rule(R"(["UPDATE"])", R"(["configmaps"])", "Namespaced"));
  configure("Validating", "other-group",
            R"("rules":[{"operations":["*"],"apiGroups":["apps"],"apiVersions":["v1"],"resources":["*/*"]}])");
  asked.clear();
  ASSERT_EQ(make("one").status, 201);
  EXPECT_EQ(asked, (std::vector<std::string>{"/all"}));
  asked.clear();
  ASSERT_EQ(ask("PATCH", "/api/v1/namespaces/default/configmaps/one", R"({"metadata":{"labels":{"a":"b"}}})",
                "application/merge-patch+json")
                .status,
            200);
  EXPECT_EQ(asked, (std::vector<std::string>{"/all", "/labels", "/update"}));
  asked.clear();
  ASSERT_EQ(ask("POST", "/api/v1/namespaces", R"({"metadata":{"name":"shop","labels":{"a":"b"}}})").status, 201);
  EXPECT_EQ(asked, (std::vector<std::string>{"/all", "/cluster"}));
}

TEST_F(AdmissionWebhooks, SeeAnEquivalentResourceInTheVersionTheyAskFor) {
  const std::string rules =
      R"("rules":[{"operations":["*"],"apiGroups":["autoscaling"],"apiVersions":["v1"],
                  "resources":["horizontalpodautoscalers"]}])";
  configure("Mutating", "any", rules + R"(,"matchPolicy":"Equivalent")");
  configure("Mutating", "only", rules + R"(,"matchPolicy":"Exact")");
  answers["/any"] = patches(R"([{"op":"replace","path":"/spec/targetCPUUtilizationPercentage","value":55}])");
  const net::Response made = ask(
      "POST", "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
      R"({"metadata":{"name":"web"},"spec":{"scaleTargetRef":{"kind":"Deployment","name":"web","apiVersion":"apps/v1"},
              "maxReplicas":3,"metrics":[{"type":"Resource","resource":{"name":"cpu",
              "target":{"type":"Utilization","averageUtilization":80}}}]}})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(asked, (std::vector<std::string>{"/any"}));
  EXPECT_EQ(requests[0]["object"]["apiVersion"].as_string(), "autoscaling/v1");
  EXPECT_EQ(requests[0]["resource"]["version"].as_string(), "v1");
  EXPECT_EQ(requests[0]["requestResource"]["version"].as_string(), "v2");
  const json::Value stored = json::parse(made.body);
  EXPECT_EQ(stored["apiVersion"].as_string(), "autoscaling/v2");
  EXPECT_EQ(stored["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"].as_int(), 55);
}

TEST_F(AdmissionWebhooks, ADryRunIsToldToThemAndStoresNothing) {
  configure("Validating", "deep", R"("sideEffects":"NoneOnDryRun")");
  answers["/deep"] = allows();
  EXPECT_EQ(make("one", "?dryRun=All").status, 201);
  EXPECT_TRUE(requests[0]["dryRun"].as_bool());
  EXPECT_EQ(ask("GET", "/api/v1/namespaces/default/configmaps/one").status, 404);
}

TEST_F(AdmissionWebhooks, WarningsOfWebhooksReachTheClient) {
  configure("Validating", "warn");
  answers["/warn"] = [](const json::Value& request) {
    return reviewed(request, R"("allowed":true,"warnings":["old habits"])");
  };
  EXPECT_EQ(make("one").headers.get("Warning"), R"(299 - "old habits")");
}

TEST_F(AdmissionWebhooks, AreNotAskedAboutTheirOwnConfiguration) {
  configure("Validating", "all",
            R"("rules":[{"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":["*/*"]}])");
  EXPECT_EQ(ask("DELETE", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/all").status, 200);
  EXPECT_TRUE(asked.empty());
}

TEST_F(AdmissionWebhooks, AScaleIsSeenAsAScale) {
  ASSERT_EQ(ask("POST", "/apis/apps/v1/namespaces/default/deployments", R"({"metadata":{"name":"web"},"spec":{
      "selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},
      "spec":{"containers":[{"name":"c","image":"i"}]}}}})")
                .status,
            201);
  configure("Mutating", "scale", R"("rules":[{"operations":["UPDATE"],"apiGroups":["apps"],"apiVersions":["v1"],
      "resources":["deployments/scale"]}])");
  answers["/scale"] = patches(R"([{"op":"replace","path":"/spec/replicas","value":4}])");
  const net::Response scaled = ask("PATCH", "/apis/apps/v1/namespaces/default/deployments/web/scale",
                                   R"({"spec":{"replicas":3}})", "application/merge-patch+json");
  ASSERT_EQ(scaled.status, 200) << scaled.body;
  EXPECT_EQ(json::parse(scaled.body)["spec"]["replicas"].as_int(), 4);
  EXPECT_EQ(requests[0]["kind"]["kind"].as_string(), "Scale");
  EXPECT_EQ(requests[0]["subResource"].as_string(), "scale");
  EXPECT_EQ(requests[0]["oldObject"]["spec"]["replicas"].as_int(), 1);
}

TEST_F(AdmissionWebhooks, ACollectionIsAskedAboutObjectByObject) {
  make("one");
  make("two");
  configure("Validating", "keep");
  answers["/keep"] = [](const json::Value& request) {
    const bool two = request["oldObject"]["metadata"]["name"].as_string() == "two";
    return reviewed(request, two ? R"("allowed":false)" : R"("allowed":true)");
  };
  EXPECT_EQ(ask("DELETE", "/api/v1/namespaces/default/configmaps").status, 400);
  EXPECT_EQ(ask("GET", "/api/v1/namespaces/default/configmaps/one").status, 404);
  EXPECT_EQ(ask("GET", "/api/v1/namespaces/default/configmaps/two").status, 200);
}

TEST_F(AdmissionWebhooks, ConditionsThatCannotBeEvaluatedCountAsFailure) {
  const std::string conditions = R"("matchConditions":[{"name":"some","expression":"true"}],"failurePolicy":)";
  configure("Validating", "open", conditions + "\"Ignore\"");
  EXPECT_EQ(make("one").status, 201);
  configure("Validating", "shut", conditions + "\"Fail\"");
  const net::Response refused = make("two");
  EXPECT_EQ(refused.status, 403);
  EXPECT_NE(message(refused).find("matchConditions of webhook \"shut.example.com\""), std::string::npos);
  EXPECT_TRUE(asked.empty());
}

TEST_F(AdmissionWebhooks, OfAServiceAreReachedAtItsEndpointOrItsClusterIp) {
  ASSERT_EQ(ask("POST", "/api/v1/namespaces/default/services",
                R"({"metadata":{"name":"hook"},"spec":{"clusterIP":"10.0.0.9","ports":[{"port":443}]}})")
                .status,
            201);
  configure("Validating", "svc", R"("clientConfig":{"service":{"namespace":"default","name":"hook","path":"/svc"}})");
  answers["/svc"] = allows();
  ASSERT_EQ(make("one").status, 201);
  EXPECT_EQ(calls[0].url, "https://hook.default.svc:443/svc?timeout=10s");
  EXPECT_EQ(calls[0].address, "10.0.0.9:443");
  EXPECT_EQ(calls[0].server_name, "hook.default.svc");
  ASSERT_EQ(ask("POST", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
                R"({"metadata":{"name":"hook-1","labels":{"kubernetes.io/service-name":"hook"}},"addressType":"IPv4",
                    "ports":[{"name":"","port":8443}],"endpoints":[{"addresses":["10.1.0.3"]}]})")
                .status,
            201);
  ASSERT_EQ(make("two").status, 201);
  EXPECT_EQ(calls[1].address, "10.1.0.3:8443");
  ASSERT_EQ(ask("DELETE", "/api/v1/namespaces/default/services/hook").status, 200);
  EXPECT_NE(
      message(make("three")).find("Post \"https://hook.default.svc:443/svc?timeout=10s\": service \"hook\" not found"),
      std::string::npos);
}

}  // namespace
}  // namespace flyball::apiserver
