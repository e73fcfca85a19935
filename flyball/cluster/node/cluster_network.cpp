#include "flyball/cluster/node/cluster_network.hpp"

#include <chrono>
#include <utility>

#include "flyball/cluster/node/addresses.hpp"
#include "flyball/cluster/node/descriptor_channel.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::cluster::node {

namespace {
constexpr std::chrono::seconds kPatience{10};
}

std::string read_line(Clock& clock, Process& process, std::string& ahead) {
  const Stop stop = Stop().with_deadline(clock, clock.after(kPatience));
  while (true) {
    if (const std::size_t end = ahead.find('\n'); end != std::string::npos) {
      std::string line = ahead.substr(0, end);
      ahead.erase(0, end + 1);
      return line;
    }
    const std::string piece = process.read(stop);
    if (piece.empty()) throw Error(process.name() + " " + process.wait(stop).text() + " before it said a word");
    ahead += piece;
  }
}

ClusterNetwork::ClusterNetwork(Clock& clock, NetworkOptions options)
    : clock_(clock),
      options_(std::move(options)),
      process_(clock, {options_.program, "sandbox", "network"},
               {.in = Redirect::to_pipe(), .out = Redirect::to_pipe()}) {
  const Addresses addresses(options_.range, options_.prefix);
  const json::Value network =
      json::object({{"bridge", options_.bridge}, {"address", addresses.gateway()}, {"prefix", options_.prefix}});
  process_.write(json::write(json::object({{"network", network}})) + "\n", {});
  const json::Value answer = json::parse(read_line(clock, process_, ahead_));
  if (const json::View broken = answer["broken"]) throw Error(std::string(broken.string_or("")));
  user_ = answer["user"].is_bool() && answer["user"].as_bool();
}

int ClusterNetwork::listen(std::uint16_t port) {
  const std::string name = "network";
  const DescriptorListener door(options_.folder, name);
  const Addresses addresses(options_.range, options_.prefix);
  MutexLock lock(mutex_);
  const json::Value wish = json::object(
      {{"address", addresses.gateway()}, {"port", std::int64_t{port}}, {"folder", options_.folder}, {"name", name}});
  process_.write(json::write(json::object({{"listen", wish}})) + "\n", {});
  const json::Value answer = json::parse(read_line(clock_, process_, ahead_));
  if (const json::View broken = answer["broken"]) throw Error(std::string(broken.string_or("")));
  // It has connected, and sent it, before it answered.
  return door.accept().receive().at(0).release();
}

void ClusterNetwork::serve(const ServiceTable& table) {
  MutexLock lock(mutex_);
  process_.write(json::write(json::object({{"services", to_json(table)}})) + "\n", {});
}

}  // namespace flyball::cluster::node
