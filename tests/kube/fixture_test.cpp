// The fixture itself, with the real programs.
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "kube_test.hpp"
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill

#include "flyball/base/process.hpp"
#include "flyball/client/credentials.hpp"

namespace flyball::kubetest {
namespace {

namespace fs = std::filesystem;

TEST(Fixture, IsReadyWhenItIsMadeAndGoneWithItsDirectory) {
  std::string directory;
  {
    // [snippet: fixture]
    RealClock clock;
    Random random = Random::from_os();
    testing::KubernetesServer server(clock, {.tokens = {{.token = "s3cret", .name = "jane", .groups = {"readers"}}}});

    const Client admin = Client::connect(server.config(), clock, random);
    admin.create(core::Namespace{.metadata = {.name = "shop"}});

    // Anybody else: RBAC decides what she may.
    const Client mary = Client::connect(server.config_for("mary", {"people"}), clock, random);
    EXPECT_THROW(mary.create(core::Namespace{.metadata = {.name = "mine"}}), ApiError);

    server.restart();  // without warning, as a node that loses power
    EXPECT_EQ(admin.get<core::Namespace>({.name = "shop"}).status.phase, "Active");
    // [end]
    directory = server.directory();
    EXPECT_TRUE(fs::exists(directory));
  }
  EXPECT_FALSE(fs::exists(directory));
}

TEST(Fixture, TwoServersDoNotMeet) {
  testing::KubernetesServer other(real_clock());
  EXPECT_NE(other.url(), server().url());
  const auto connect = [](const testing::KubernetesServer& to) {
    return Client::connect(to.config(), real_clock(), chance());
  };
  connect(other).create(core::Namespace{.metadata = {.name = "only-there"}});
  EXPECT_FALSE(connect(server()).find<core::Namespace>({.name = "only-there"}));
  other.stop();
  EXPECT_THROW((void)other.config(), Error);
}

TEST(Fixture, AWrongFlagIsToldWithTheServersWords) {
  try {
    const testing::KubernetesServer wrong(real_clock(), {.apiserver_flags = {"--no-such-flag"}});
    FAIL() << "it started";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("kube-apiserver ended with status 1"), HasSubstr("unknown flag: --no-such-flag")));
  }
}

TEST(Fixture, FeatureGatesAreSet) {
  try {
    const testing::KubernetesServer wrong(real_clock(), {.feature_gates = {{"NoSuchGate", true}}});
    FAIL() << "it started";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("unrecognized feature gate: NoSuchGate"));
  }
}

TEST(Fixture, KubectlCanUseItsKubeconfig) {
  const RunResult version =
      run(real_clock(), {testing::kubernetes_programs() + "/kubectl", "get", "namespace", "default", "-o", "name"},
          {.environment = {{"KUBECONFIG", server().kubeconfig()}, {"KUBECACHEDIR", server().directory() + "/kubectl"}}},
          Stop().with_deadline(real_clock(), real_clock().after(60s)));
  EXPECT_EQ(version.out, "namespace/default\n") << version.error;
}

// The program is killed while it holds a server: this test, started once more.
TEST(Fixture, NothingOutlivesAProgramThatIsKilled) {
  if (std::getenv("FLYBALL_TEST_TO_BE_KILLED") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    const testing::KubernetesServer doomed(real_clock());
    std::cout << doomed.url().text() << std::endl;
    pause_until(real_clock(), kNever, Stop());
  }
  Process program(real_clock(), {"/proc/self/exe", "--gtest_filter=Fixture.NothingOutlivesAProgramThatIsKilled"},
                  {.environment = {{"FLYBALL_TEST_TO_BE_KILLED", "yes"}}, .out = Redirect::to_pipe()});
  const Stop stop = Stop().with_deadline(real_clock(), real_clock().after(60s));
  std::string said;
  while (said.find("https://") == std::string::npos || said.back() != '\n') said += program.read(stop);
  const net::Url url = net::Url::parse(said.substr(said.find("https://"), said.rfind('\n') - said.find("https://")));
  ::kill(program.id(), SIGKILL);
  net::HttpClient http(real_clock(), {.tls = {.insecure = true}});
  EXPECT_THROW(while (true) http.send(url, {}, stop), net::NetError) << "refused, as soon as the server is gone";
}

}  // namespace
}  // namespace flyball::kubetest
