// A Service's address, carried to a pod by real processes. Where namespaces are forbidden there is nothing to carry.
#include "flyball/cluster/node/service_proxy.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "flyball/base/condition.hpp"
#include "flyball/cluster/node/cluster_network.hpp"
#include "flyball/cluster/node/images.hpp"
#include "flyball/cluster/node/process_runtime.hpp"

namespace flyball::cluster::node {
namespace {

using namespace std::chrono_literals;

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(ServiceProxyTest, CarriesConnectionsToAServicesName) {
  ASSERT_NE(find_program("memcached"), "") << "it is not installed: tools/setup test";
  RealClock clock;
  std::unique_ptr<ClusterNetwork> network;
  try {
    network = std::make_unique<ClusterNetwork>(clock);
  } catch (const Error& error) {
    // Then there are no Services, and the reason is told.
    EXPECT_THAT(error.what(), ::testing::HasSubstr("cannot make a"));
    return;
  }
  const auto folder = std::filesystem::temp_directory_path() / ("flyball-proxy-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  {
    Mutex mutex;
    Condition ended(clock);
    ProcessRuntime runtime(clock, {.folder = folder.string(), .network = network.get()});
    runtime.listen([&](const std::string&) { ended.notify_all(); });
    const std::string server = runtime.make_sandbox({.uid = "server", .namespace_ = "shop", .hostname = "s"}).ip;
    runtime.make_sandbox({.uid = "client", .namespace_ = "shop", .hostname = "c"});
    const Variables env{{"PATH", "/usr/sbin:/usr/bin:/sbin:/bin"}};
    runtime.start("server", {.name = "a", .command = {"memcached"}, .env = env, .user = "memcache"});
    network->serve(
        {.ports = {{{"10.0.0.7", 80}, {{server, 11211}}}}, .names = {{"cache.shop.svc.cluster.local", {"10.0.0.7"}}}});
    // Until memcached is up, the proxy takes connections and ends them.
    const std::string ask =
        "until said=$(exec 3<>/dev/tcp/cache/80 && printf 'version\\r\\n' >&3 && head -n 1 <&3) && [ -n \"$said\" ]; "
        "do :; done 2> /dev/null; echo \"$said\"";
    runtime.start("client",
                  {.name = "a", .command = {"bash", "-c", ask}, .env = env, .log = (folder / "log").string()});
    MutexLock lock(mutex);
    EXPECT_TRUE(ended.wait_until(mutex, clock.after(60s), {}, [&] {
      return runtime.look("client").front().run.end.has_value();
    })) << content(folder / "log");
    EXPECT_THAT(content(folder / "log"), ::testing::HasSubstr("VERSION 1."));
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace flyball::cluster::node
