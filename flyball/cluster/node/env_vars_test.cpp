#include "flyball/cluster/node/env_vars.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/cluster/node/field_ref.hpp"

namespace flyball::cluster::node {
namespace {

namespace core = kube::core::v1;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StrEq;
using ::testing::ThrowsMessage;

struct EnvVars : ::testing::Test {
  core::Pod pod{.metadata = {.name = "web-0", .namespace_ = "shop", .labels = {{"app", "web"}}},
                .spec = {.nodeName = "flyball"},
                .status = {.hostIP = "10.244.0.1", .podIP = "10.244.0.7"}};
  core::Container container{.name = "web"};
  PodSources sources{
      .config_map = [](const std::string& name) -> std::optional<core::ConfigMap> {
        if (name != "settings") return std::nullopt;
        return core::ConfigMap{.data = {{"colour", "red"}, {"size", "9"}}};
      },
      .secret = [](const std::string& name) -> std::optional<core::Secret> {
        if (name != "keys") return std::nullopt;
        return core::Secret{.data = {{"password", "hunter2"}}};
      },
      .services = []() -> std::vector<core::Service> {
        return {{.metadata = {.name = "redis-primary"},
                 .spec = {.ports = {{.name = "redis", .port = 6379, .protocol = "TCP"}}, .clusterIP = "10.0.0.11"}},
                {.metadata = {.name = "headless"}, .spec = {.ports = {{.port = 1}}, .clusterIP = "None"}}};
      }};
  Variables env() { return env_of(pod, container, sources); }
};

TEST_F(EnvVars, ComeFromFieldsConfigMapsAndSecrets) {
  container.env = {
      {.name = "IP", .valueFrom = {{.fieldRef = {{.fieldPath = "status.podIP"}}}}},
      {.name = "APP", .valueFrom = {{.fieldRef = {{.fieldPath = "metadata.labels['app']"}}}}},
      {.name = "COLOUR", .valueFrom = {{.configMapKeyRef = {{.name = "settings", .key = "colour"}}}}},
      {.name = "PASSWORD", .valueFrom = {{.secretKeyRef = {{.name = "keys", .key = "password"}}}}},
      {.name = "URL", .value = "$(APP):$(PASSWORD)@$(IP)/$(LATER)"},
      {.name = "LATER", .value = "x"},
  };
  const Variables all = env();
  EXPECT_EQ(all.at("URL"), "web:hunter2@10.244.0.7/$(LATER)");
  EXPECT_EQ(all.at("COLOUR"), "red");
}

TEST_F(EnvVars, OfWholeConfigMapsAreOverriddenByTheContainersOwn) {
  container.envFrom = {{.prefix = "S_", .configMapRef = {{.name = "settings"}}}};
  container.env = {{.name = "S_size", .value = "10"}};
  EXPECT_THAT(env(), Contains(Pair("S_colour", "red")));
  EXPECT_THAT(env(), Contains(Pair("S_size", "10")));
}

TEST_F(EnvVars, TellOfTheServices) {
  const Variables all = env();
  EXPECT_EQ(all.at("REDIS_PRIMARY_SERVICE_HOST"), "10.0.0.11");
  EXPECT_EQ(all.at("REDIS_PRIMARY_SERVICE_PORT"), "6379");
  EXPECT_EQ(all.at("REDIS_PRIMARY_SERVICE_PORT_REDIS"), "6379");
  EXPECT_EQ(all.at("REDIS_PRIMARY_PORT_6379_TCP"), "tcp://10.0.0.11:6379");
  EXPECT_FALSE(all.contains("HEADLESS_SERVICE_HOST"));
  pod.spec.enableServiceLinks = false;
  EXPECT_FALSE(env().contains("REDIS_PRIMARY_SERVICE_HOST"));
}

TEST_F(EnvVars, WhatIsMissingIsAnErrorUnlessItIsOptional) {
  container.env = {{.name = "A", .valueFrom = {{.configMapKeyRef = {{.name = "settings", .key = "taste"}}}}}};
  EXPECT_THAT([&] { env(); }, ThrowsMessage<ConfigError>(StrEq("couldn't find key taste in ConfigMap shop/settings")));
  container.env = {{.name = "A", .valueFrom = {{.secretKeyRef = {{.name = "nothing", .key = "a"}}}}}};
  EXPECT_THAT([&] { env(); }, ThrowsMessage<ConfigError>(StrEq("secret \"nothing\" not found")));
  container.env = {{.name = "A", .valueFrom = {{.secretKeyRef = {{.name = "nothing", .key = "a", .optional = true}}}}}};
  EXPECT_THAT(env(), Not(Contains(Pair("A", ::testing::_))));
  container.envFrom = {{.secretRef = {{.name = "nothing"}}}};
  EXPECT_THAT([&] { env(); }, ThrowsMessage<ConfigError>(HasSubstr("secret \"nothing\" not found")));
}

TEST_F(EnvVars, ResourcesAreCountedInTheirDivisorAndRoundedUp) {
  container.resources.limits = {{"cpu", "1500m"}, {"memory", "64Mi"}};
  EXPECT_EQ(resource_text(container, {.resource = "limits.cpu"}), "2");
  EXPECT_EQ(resource_text(container, {.resource = "limits.cpu", .divisor = "1m"}), "1500");
  EXPECT_EQ(resource_text(container, {.resource = "limits.memory", .divisor = "1Mi"}), "64");
  EXPECT_EQ(resource_text(container, {.resource = "requests.cpu"}), "0");
}

}  // namespace
}  // namespace flyball::cluster::node
