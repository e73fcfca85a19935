// The process that holds the cluster's network: `flyball sandbox network`.
#include <csignal>
#include <exception>
#include <string>

#include <unistd.h>

#include "flyball/cluster/node/descriptor_channel.hpp"
#include "flyball/cluster/node/namespaces.hpp"
#include "flyball/cluster/node/sandbox.hpp"
#include "flyball/cluster/node/sandbox_protocol.hpp"
#include "flyball/cluster/node/service_proxy.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::cluster::node {
namespace {

void serve(ServiceProxy& proxy, Lines& lines) {
  while (true) {
    while (const auto line = lines.next()) {
      const json::Value message = json::parse(*line);
      if (const json::View services = message["services"]) proxy.set(table_from(services));
      if (const json::View wish = message["listen"]) {
        const int fd =
            listen_at({std::string(wish["address"].as_string()), static_cast<std::uint16_t>(wish["port"].as_int())});
        const std::string folder(wish["folder"].as_string());
        connect_channel(folder, std::string(wish["name"].as_string())).send({fd});
        ::close(fd);
        say(json::object({{"listens", true}}));
      }
    }
    if (proxy.step(STDIN_FILENO) && !read_more(lines)) return;
  }
}

}  // namespace

int run_network_holder() {
  try {
    std::signal(SIGPIPE, SIG_IGN);
    Lines lines;
    const auto first = wait_for_line(lines);
    if (!first) return 0;
    const json::Value message = json::parse(*first);
    const json::View network = message["network"];
    const std::string bridge(network["bridge"].as_string());
    const std::string address(network["address"].as_string());
    const bool user = ::geteuid() != 0;
    if (user) enter_user_namespace();
    make_cluster_network(bridge, address, static_cast<int>(network["prefix"].as_int()));
    ServiceProxy proxy(bridge, address);
    say(json::object({{"ready", true}, {"user", user}}));
    serve(proxy, lines);
    return 0;
  } catch (const std::exception& error) {
    say(json::object({{"broken", error.what()}}));
    return 1;
  }
}

}  // namespace flyball::cluster::node
