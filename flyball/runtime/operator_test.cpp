#include "flyball/runtime/operator.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/json/yaml.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/reflect/describe.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::runtime {

struct ShopSpec {
  std::int32_t size = 1;
};
FLYBALL_DESCRIBE(ShopSpec, (size, "How large."))
struct ShopStatus {
  std::int32_t size = 0;
};
FLYBALL_DESCRIBE(ShopStatus, (size, "How large it is."))
using Shop = kube::CustomResource<"example.com", "v1", "Shop", ShopSpec, ShopStatus>;
using NewShop = kube::CustomResource<"example.com", "v2", "Shop", ShopSpec, ShopStatus>;
using Stall = kube::CustomResource<"example.com", "v1", "Stall", ShopSpec, ShopStatus>;

namespace {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct OperatorTest : ::testing::Test {
  OperatorTest() {
    op.reconcile<Shop>([](Context&, Shop&) {}).owns<apps::Deployment>().reads<core::Pod>();
  }

  struct Ran {
    int code = 0;
    std::string out = {};
    std::string err = {};
  };
  Ran run(std::vector<const char*> words) {
    words.insert(words.begin(), "shop-operator");
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    Ran ran;
    ran.code = op.main(static_cast<int>(words.size()), words.data());
    ran.out = ::testing::internal::GetCapturedStdout();
    ran.err = ::testing::internal::GetCapturedStderr();
    return ran;
  }
  // "Namespace shop-operator-system", of each document.
  static std::vector<std::string> documents(const std::string& yaml) {
    std::vector<std::string> names;
    for (const json::Value& document : json::parse_yaml_documents(yaml)) {
      names.push_back(std::string(document["kind"].string_or("")) + " " +
                      std::string(document["metadata"]["name"].string_or("")));
    }
    return names;
  }

  Operator op{"shop-operator", "Runs shops."};
};

TEST_F(OperatorTest, PrintsItsCustomResourceDefinitions) {
  const Ran ran = run({"crd"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_THAT(documents(ran.out), ElementsAre("CustomResourceDefinition shops.example.com"));
}

TEST_F(OperatorTest, PrintsThePermissionsItNeeds) {
  const Ran ran = run({"rbac"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("shops/status"), HasSubstr("deployments"), HasSubstr("pods"),
                             HasSubstr("kind: ClusterRole\n"), HasSubstr("name: shop-operator-leases\n")));
  const Ran narrow = run({"rbac", "--namespaces", "a,b"});
  EXPECT_THAT(narrow.out, AllOf(HasSubstr("kind: Role\n"), HasSubstr("namespace: a\n"), HasSubstr("namespace: b\n")));
}

TEST_F(OperatorTest, PrintsAllThatItNeedsInTheOrderToApplyIt) {
  const Ran ran = run({"manifests", "--image", "registry/shop:1", "--operator-namespace=ops"});
  EXPECT_EQ(ran.code, 0);
  const auto names = documents(ran.out);
  ASSERT_GE(names.size(), 5U);
  EXPECT_EQ(names[0], "CustomResourceDefinition shops.example.com");
  EXPECT_EQ(names[1], "Namespace ops");
  EXPECT_EQ(names[2], "ServiceAccount shop-operator");
  EXPECT_EQ(names.back(), "Deployment shop-operator");
  EXPECT_THAT(ran.out, AllOf(HasSubstr("image: registry/shop:1"), HasSubstr("namespace: ops")));
}

TEST_F(OperatorTest, PrintsItsVersion) {
  const Ran ran = run({"version"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, StartsWith("shop-operator, with Flyball "));
}

TEST_F(OperatorTest, SaysWhatItCanDo) {
  std::string greeting = "hello";
  op.flags().flag("greeting", greeting, {.value = "TEXT", .help = "What shops say."});
  const Ran ran = run({"--help"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("Runs shops."), HasSubstr("manifests"), HasSubstr("--kubeconfig"),
                             HasSubstr("--greeting TEXT"), HasSubstr("What shops say.")));
  EXPECT_EQ(run({"version", "--greeting", "good day"}).code, 0);
  EXPECT_EQ(greeting, "good day");
}

TEST_F(OperatorTest, WrongUseIsSaidAndIsTwo) {
  const Ran flag = run({"crd", "--imagee", "x"});
  EXPECT_EQ(flag.code, 2);
  EXPECT_EQ(flag.out, "");
  EXPECT_THAT(flag.err, AllOf(HasSubstr("shop-operator: "), HasSubstr("did you mean --image?"),
                              HasSubstr("Try `shop-operator --help`.")));
  EXPECT_EQ(run({"fly"}).code, 2);
  EXPECT_EQ(run({"crd", "--concurrency", "many"}).code, 2);
  const Ran word = run({"rbac", "--namespaces", "a", "b"});
  EXPECT_EQ(word.code, 2) << "a word too many is not passed over";
  EXPECT_THAT(word.err, HasSubstr("\"b\""));
}

TEST_F(OperatorTest, TimesThatCannotBeTogetherAreWrongUseThatNamesTheFlags) {
  const Ran ran = run({"run", "--leader-election-renew-deadline=20s"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("shop-operator: --leader-election-lease-duration: 15s is not above the "
                                 "--leader-election-renew-deadline of 20s: "));
}

TEST_F(OperatorTest, WhatCannotBeRunIsSaidAndIsOne) {
  const Ran ran = run({"run", "--kubeconfig", "/nowhere/config", "--log-level", "error"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, AllOf(StartsWith("shop-operator: "), HasSubstr("/nowhere/config")));
}

TEST_F(OperatorTest, KnowsItsControllersByTheirKinds) {
  op.control("zones", [](Context&) {});
  ASSERT_EQ(op.controllers().size(), 2U);
  EXPECT_EQ(op.controllers()[0]->name, "shop");
  EXPECT_TRUE(op.controllers()[0]->writes_status);
  EXPECT_EQ(op.controllers()[1]->name, "zones");
  EXPECT_FALSE(op.controllers()[1]->primary);
}

std::string refusal(const Operator& op) {
  try {
    op.check();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(OperatorTest, TwoControllersHaveTwoNames) {
  EXPECT_EQ(refusal(op), "");
  auto second = op.reconcile<Shop>([](Context&, Shop&) {});
  EXPECT_EQ(refusal(op), R"(two controllers are called "shop"; give one of them another name with .name())");
  second.name("shop-prices");
  EXPECT_EQ(refusal(op), "");
}

TEST_F(OperatorTest, OneKindHasOneCleanup) {
  const auto nothing = [](Context&, Shop&) {};
  op.reconcile<Shop>(nothing).name("a").cleanup(nothing);
  EXPECT_EQ(refusal(op), "");
  op.reconcile<Shop>(nothing).name("b").cleanup(nothing);
  EXPECT_THAT(refusal(op), HasSubstr("example.com/shop-operator would go with the first that is done"));
}

TEST_F(OperatorTest, AKindThatIsReadAndOwnedKeepsItsScope) {
  const auto scope_of = [](const ControllerSpec& spec) { return spec.sources.back().scope.to_string(); };
  op.reconcile<Shop>([](Context&, Shop&) {})
      .name("narrow")
      .owns<core::ConfigMap>({.labels = {{"app", "shop"}}})
      .reads<core::ConfigMap>();
  EXPECT_EQ(scope_of(*op.controllers().back()), "app=shop");
  op.reconcile<Shop>([](Context&, Shop&) {})
      .name("later")
      .owns<core::ConfigMap>()
      .reads<core::ConfigMap>({.labels = {{"app", "shop"}}});
  EXPECT_EQ(scope_of(*op.controllers().back()), "app=shop");
}

TEST_F(OperatorTest, ServesAKindInMoreThanOneVersion) {
  op.serves<NewShop, Shop>();
  const auto all = op.definitions();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0]["spec"]["versions"][0]["name"].string_or(""), "v2");
  EXPECT_TRUE(all[0]["spec"]["versions"][0]["storage"].as_bool());
  EXPECT_EQ(all[0]["spec"]["versions"][1]["name"].string_or(""), "v1");
}

TEST_F(OperatorTest, ServesAKindThatItDoesNotReconcile) {
  op.serves<Stall>();
  EXPECT_EQ(op.definitions().size(), 2U);
}

TEST_F(OperatorTest, LeavesTheDefinitionOfAnExternalKindToItsOwner) {
  op.reconcile<Stall>([](Context&, Stall&) {}).external();
  EXPECT_EQ(op.definitions().size(), 1U);
  EXPECT_EQ(op.definitions()[0]["metadata"]["name"].string_or(""), "shops.example.com");
}

}  // namespace
}  // namespace flyball::runtime
