#include "kube_test.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <iostream>

namespace flyball::kubetest {
namespace {

std::unique_ptr<testing::KubernetesServer> plain;
std::unique_ptr<testing::KubernetesServer> controlled;

std::string namespace_name() {
  static std::atomic<int> count = 0;
  const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test->name()).substr(0, 40);
  for (char& c : name) {
    c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? static_cast<char>(std::tolower(c)) : '-';
  }
  return "t" + std::to_string(++count) + "-" + name + "-x";
}

}  // namespace

RealClock& real_clock() {
  static RealClock clock;
  return clock;
}

Random& chance() {
  static Random random = Random::from_os();
  return random;
}

testing::KubernetesServer& server() {
  if (plain == nullptr) {
    plain = std::make_unique<testing::KubernetesServer>(
        real_clock(), testing::KubernetesOptions{.tokens = {{kAdminToken, "root", {"system:masters"}},
                                                            {kJaneToken, "jane", {"readers", "people"}}}});
  }
  return *plain;
}

testing::KubernetesServer& server_with_controllers() {
  if (controlled == nullptr) {
    controlled =
        std::make_unique<testing::KubernetesServer>(real_clock(), testing::KubernetesOptions{.controllers = true});
  }
  return *controlled;
}

void stop_servers() {
  plain.reset();
  controlled.reset();
}

KubeTest::KubeTest(testing::KubernetesServer& on) : server_(on), ns(namespace_name()), client(connect(on.config())) {
  client.create(core::Namespace{.metadata = {.name = ns}});
}

Client KubeTest::connect(const client::Config& config, ClientOptions options) const {
  if (options.namespace_ == ClientOptions().namespace_) options.namespace_ = ns;
  return Client::connect(config, real_clock(), chance(), std::move(options));
}

void KubeTest::eventually(const std::string& what, const std::function<bool()>& is_so) {
  const Stop stop = soon();
  while (!is_so()) {
    if (!pause_until(real_clock(), real_clock().after(20ms), stop)) throw Error("it never came to pass: " + what);
  }
}

core::Pod pod(std::string name, std::map<std::string, std::string> labels) {
  return {.metadata = {.name = std::move(name), .labels = std::move(labels)},
          .spec = {.containers = {{.name = "main", .image = "none"}}}};
}

apps::Deployment deployment(std::string name, std::int32_t replicas) {
  const std::map<std::string, std::string> labels{{"app", name}};
  return {.metadata = {.name = std::move(name)},
          .spec = {.replicas = replicas,
                   .selector = {.matchLabels = labels},
                   .template_ = {.metadata = {.labels = labels},
                                 .spec = {.containers = {{.name = "main", .image = "none"}}}}}};
}

}  // namespace flyball::kubetest

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  try {
    const int result = RUN_ALL_TESTS();
    flyball::kubetest::stop_servers();
    return result;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
