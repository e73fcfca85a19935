#include "flyball/apiserver/server.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "flyball/client/http_transport.hpp"
#include "flyball/client/local_transport.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::apiserver {
namespace {

struct EmbeddedServer : ::testing::Test {
  RealClock clock;

  static net::Request post(std::string target, std::string body) {
    net::Request request{.method = "POST", .target = std::move(target), .body = std::move(body)};
    request.headers.set("Content-Type", "application/json");
    return request;
  }
  static net::Request config_map(const std::string& name) {
    return post("/api/v1/namespaces/default/configmaps",
                R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name + "\"}}");
  }
};

TEST_F(EmbeddedServer, AnswersOverHttpsWhoeverHasItsCertificate) {
  Server server(clock);
  client::HttpTransport admin(clock, server.config());
  EXPECT_EQ(admin.send({.target = "/readyz"}, {}).body, "ok");
  EXPECT_EQ(admin.send(config_map("a"), {}).status, 201);
  EXPECT_EQ(admin.send(config_map("a"), {}).status, 409);
}

TEST_F(EmbeddedServer, StreamsAWatchWhileItGoesOn) {
  Server server(clock);
  client::HttpTransport admin(clock, server.config());
  const auto watch = admin.open({.target = "/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=" +
                                           std::to_string(server.store().revision())},
                                {});
  ASSERT_EQ(watch->head().status, 200);
  admin.send(config_map("seen"), {});
  const json::Value event = json::parse(watch->read({}));
  EXPECT_EQ(event["type"].as_string(), "ADDED");
  EXPECT_EQ(event["object"]["metadata"]["name"].as_string(), "seen");
}

TEST_F(EmbeddedServer, HasEverythingAgainAfterARestartWithItsDirectory) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("flyball_server_test-" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  std::string version;
  {
    Server server(clock, {.data_dir = folder.string()});
    client::HttpTransport admin(clock, server.config());
    version = json::parse(admin.send(config_map("kept"), {}).body)["metadata"]["resourceVersion"].as_string();
  }
  Server server(clock, {.data_dir = folder.string()});
  client::HttpTransport admin(clock, server.config());
  const net::Response kept = admin.send({.target = "/api/v1/namespaces/default/configmaps/kept"}, {});
  ASSERT_EQ(kept.status, 200);
  EXPECT_EQ(json::parse(kept.body)["metadata"]["resourceVersion"].as_string(), version);
  std::filesystem::remove_all(folder);
}

TEST_F(EmbeddedServer, ServesACustomResourceInTheRequestAfterItsDefinition) {
  Server server(clock);
  client::HttpTransport admin(clock, server.config());
  const net::Response made = admin.send(
      post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", R"({"apiVersion":"apiextensions.k8s.io/v1",
    "kind":"CustomResourceDefinition","metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com",
    "names":{"plural":"widgets","kind":"Widget"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,
    "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"size":{"type":"integer",
    "minimum":1,"default":3}}}}}}}]}})"),
      {});
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string widgets = "/apis/example.com/v1/namespaces/default/widgets";
  const net::Response widget = admin.send(
      post(widgets, R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{}})"), {});
  ASSERT_EQ(widget.status, 201) << widget.body;
  EXPECT_EQ(json::parse(widget.body)["spec"]["size"].as_int(), 3);
  const net::Response wrong = admin.send(
      post(widgets, R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"b"},"spec":{"size":0}})"),
      {});
  EXPECT_EQ(wrong.status, 422);
}

TEST_F(EmbeddedServer, GivesEveryWriteOfManyThreadsAVersionAndEveryWatcherAllOfThem) {
  constexpr int kThreads = 8;
  constexpr int kWrites = 25;
  Server server(clock);
  client::LocalTransport local(clock, server.engine(),
                               {.caller = {.common_name = "admin", .organizations = {"system:masters"}}});
  const auto watch = local.open(
      {.target = "/api/v1/configmaps?watch=1&resourceVersion=" + std::to_string(server.store().revision())}, {});
  std::vector<std::thread> writers;
  for (int thread = 0; thread < kThreads; ++thread) {
    writers.emplace_back([&, thread] {
      for (int i = 0; i < kWrites; ++i) {
        EXPECT_EQ(local.send(config_map("c" + std::to_string(thread) + "-" + std::to_string(i)), {}).status, 201);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  std::size_t seen = 0;
  Revision last = 0;
  while (seen < std::size_t{kThreads} * kWrites) {
    const std::string piece = watch->read({});
    for (std::size_t at = 0; at < piece.size();) {
      const std::size_t end = piece.find('\n', at);
      const json::Value event = json::parse(piece.substr(at, end - at));
      const Revision revision = std::stoll(std::string(event["object"]["metadata"]["resourceVersion"].as_string()));
      EXPECT_GT(revision, last);
      last = revision;
      ++seen;
      at = end + 1;
    }
  }
  EXPECT_EQ(seen, std::size_t{kThreads} * kWrites);
}

TEST_F(EmbeddedServer, GivesEveryServiceOfManyThreadsItsOwnAddressAndPorts) {
  constexpr int kThreads = 8;
  constexpr int kServices = 25;  // of a range of 254 addresses
  Server server(clock);
  client::LocalTransport local(clock, server.engine(),
                               {.caller = {.common_name = "admin", .organizations = {"system:masters"}}});
  const std::string services = "/api/v1/namespaces/default/services";
  std::vector<std::thread> writers;
  for (int thread = 0; thread < kThreads; ++thread) {
    writers.emplace_back([&, thread] {
      for (int i = 0; i < kServices; ++i) {
        const std::string name = "s" + std::to_string(thread) + "-" + std::to_string(i);
        EXPECT_EQ(local
                      .send(post(services, R"({"metadata":{"name":")" + name +
                                               R"("},"spec":{"type":"NodePort","ports":[{"name":"a","port":80},)" +
                                               R"({"name":"b","port":81}]}})"),
                            {})
                      .status,
                  201);
        // Every third goes again, and what was its is for others.
        if (i % 3 == 0) {
          EXPECT_EQ(local.send({.method = "DELETE", .target = services + "/" + name}, {}).status, 200);
        }
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  const json::Value list = json::parse(local.send({.target = "/api/v1/services"}, {}).body);
  std::set<std::string> addresses;
  std::set<std::int64_t> ports;
  for (const json::View service : list["items"].items()) {
    const std::string name(service["metadata"]["name"].as_string());
    EXPECT_TRUE(addresses.emplace(service["spec"]["clusterIP"].as_string()).second) << name;
    if (name == "kubernetes") continue;
    for (const json::View port : service["spec"]["ports"].items()) {
      ASSERT_TRUE(port["nodePort"].is_int()) << name;
      EXPECT_TRUE(ports.insert(port["nodePort"].as_int()).second) << name;
    }
  }
  const std::size_t left = std::size_t{kThreads} * (kServices - (kServices + 2) / 3);
  EXPECT_EQ(addresses.size(), left + 1);  // and default/kubernetes
  EXPECT_EQ(ports.size(), 2 * left);
}

TEST_F(EmbeddedServer, RefusesHostileBodiesAndGoesOnServing) {
  Server server(clock);
  client::LocalTransport local(clock, server.engine(),
                               {.caller = {.common_name = "admin", .organizations = {"system:masters"}}});
  const std::string target = "/api/v1/namespaces/default/configmaps";
  EXPECT_EQ(local.send(post(target, std::string(std::size_t{4} << 20U, 'x')), {}).status, 413);
  EXPECT_EQ(local.send(post(target, std::string(100'000, '[')), {}).status, 400);
  EXPECT_EQ(local.send(post(target, "{\"metadata\":{\"name\":\"\xff\xfe\"}}"), {}).status, 400);
  EXPECT_EQ(local.send(post(target, std::string("{\"metadata\":{\"name\":\"a\0b\"}}", 27)), {}).status, 400);
  EXPECT_EQ(local.send({.target = "/api/v1/pods?labelSelector=%zz"}, {}).status, 400);
  EXPECT_EQ(local.send({.target = "/api/v1/pods?continue=" + std::string(10'000, 'A')}, {}).status, 400);
  EXPECT_EQ(local.send(config_map("still"), {}).status, 201);
}

}  // namespace
}  // namespace flyball::apiserver
