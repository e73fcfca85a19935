// What the tests against the real Kubernetes share: one server for the program, a namespace for each test.
//
//   TEST_F(KubeTest, GetsWhatWasCreated) {
//     client.create(core::ConfigMap{.metadata = {.name = "colours"}});       // in the test's own namespace
//     EXPECT_EQ(client.get<core::ConfigMap>({.name = "colours"}).metadata.namespace_, ns);
//   }
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/clock.hpp"
#include "flyball/base/condition.hpp"
#include "flyball/base/random.hpp"
#include "flyball/client/client.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/testing/kubernetes.hpp"

namespace flyball::kubetest {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;
namespace meta = kube::meta::v1;
using namespace std::chrono_literals;
using client::ClientOptions;
using client::PartialObjectMetadata;
using client::Patch;
using kube::ObjectKey;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

// The tokens the shared server knows.
inline constexpr const char* kAdminToken = "token-of-root";
inline constexpr const char* kJaneToken = "token-of-jane";

RealClock& real_clock();
Random& chance();
// Started when first asked for, ended with the program. The first has no controllers: what a test makes stays as it is.
testing::KubernetesServer& server();
testing::KubernetesServer& server_with_controllers();
void stop_servers();

class KubeTest : public ::testing::Test {
 protected:
  KubeTest() : KubeTest(server()) {}
  explicit KubeTest(testing::KubernetesServer& on);

  // Somebody else, with other options, or by another road.
  Client connect(const client::Config& config, ClientOptions options = {}) const;
  Client connect(ClientOptions options) const { return connect(server_.config(), std::move(options)); }

  // Against hangs only: no test waits for it.
  static Stop soon() { return Stop().with_deadline(real_clock(), real_clock().after(60s)); }
  // Asks until it is so: for what the server does in its own time.
  static void eventually(const std::string& what, const std::function<bool()>& is_so);

  // The server has no memory of anything that is not now.
  void forget() {
    client.create(core::Secret{.metadata = {.generateName = "later-"}});  // now is later than what the test has seen
    server_.compact(soon());
    server_.restart(soon());
  }

  testing::KubernetesServer& server_;

 public:
  const std::string ns;
  const Client client;
};

// The same with kube-controller-manager beside the server.
class ControllersTest : public KubeTest {
 protected:
  ControllersTest() : KubeTest(server_with_controllers()) {}
};

// The refusal that `call` ends in.
template <class Call>
ApiError refusal(Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (const ApiError& error) {
    return error;
  }
  ADD_FAILURE() << "the server did not refuse";
  return {Reason::Unknown, ""};
}

// What is thrown, whatever it is.
template <class Call>
std::string error_text(Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (const std::exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline json::Value operator""_json(const char* text, std::size_t size) { return json::parse({text, size}); }

inline core::ConfigMap config_map(std::string name, std::map<std::string, std::string> data = {},
                                  std::map<std::string, std::string> labels = {}) {
  return {.metadata = {.name = std::move(name), .labels = std::move(labels)}, .data = std::move(data)};
}
core::Pod pod(std::string name, std::map<std::string, std::string> labels = {});
apps::Deployment deployment(std::string name, std::int32_t replicas = 1);

template <class List>
std::vector<std::string> names_of(List&& list) {
  std::vector<std::string> names;
  for (const auto& object : list) names.push_back(client::key_of(object).name);
  return names;
}

}  // namespace flyball::kubetest
