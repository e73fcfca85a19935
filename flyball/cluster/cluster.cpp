#include "flyball/cluster/cluster.hpp"

#include <optional>
#include <utility>

#include <unistd.h>

#include "flyball/base/random.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/client/client.hpp"
#include "flyball/client/local_transport.hpp"
#include "flyball/cluster/controllers.hpp"
#include "flyball/cluster/node/kubelet.hpp"
#include "flyball/cluster/node/node_door.hpp"
#include "flyball/cluster/node/node_object.hpp"
#include "flyball/cluster/node/process_runtime.hpp"
#include "flyball/cluster/node/service_control.hpp"
#include "flyball/cluster/node/status_only_runtime.hpp"
#include "flyball/kube/discovery/v1.hpp"
#include "flyball/runtime/operator_run.hpp"

namespace flyball::cluster {
namespace {

// Who the cluster's own controllers are.
const net::PeerIdentity kCaller{.common_name = "flyball-cluster", .organizations = {"system:masters"}};

constexpr std::uint16_t kApiPort = 6443;
constexpr std::int64_t kProcessPods = 250;
constexpr std::int64_t kStatusPods = 10'000;

// The runtime, and what it stands on.
struct Chosen {
  std::unique_ptr<node::ClusterNetwork> network = {};
  std::unique_ptr<node::PodRuntime> runtime = {};
  std::string text = {};
  std::string address = "10.244.0.1";
  bool programs = true;
};

std::unique_ptr<node::PodRuntime> processes(Clock& clock, const ClusterOptions& options,
                                            const node::ClusterNetwork* network) {
  return std::make_unique<node::ProcessRuntime>(
      clock, node::ProcessRuntimeOptions{.program = options.program, .folder = options.folder, .network = network});
}

Chosen choose(Clock& clock, const ClusterOptions& options) {
  Chosen chosen;
  std::string why;
  if (options.node == NodeKind::status || options.folder.empty()) {
    chosen.runtime = std::make_unique<node::StatusOnlyRuntime>(clock);
    chosen.text = "pods only look as if they ran: that was asked for";
    chosen.programs = false;
    return chosen;
  }
  if (options.node != NodeKind::loopback) {
    try {
      chosen.network = std::make_unique<node::ClusterNetwork>(
          clock, node::NetworkOptions{.program = options.program, .folder = options.folder});
      chosen.runtime = processes(clock, options, chosen.network.get());
      chosen.text = "pods are processes, each with a network and files of its own";
      return chosen;
    } catch (const Error& error) {
      if (options.node == NodeKind::processes) {
        throw Error(std::string("this machine does not let pods have namespaces: ") + error.what() +
                    "; --node loopback runs them without, --node status does not run them");
      }
      why = error.what();
    }
  }
  chosen.address = "127.0.0.1";
  chosen.runtime = processes(clock, options, nullptr);
  chosen.text =
      "pods are processes that share the machine's network, with addresses of 127.77.0.0/16 (POD_IP) and "
      "without volumes";
  if (!why.empty()) chosen.text += ": " + why;
  return chosen;
}

// Claims that name no class get a folder of this machine.
void ensure_storage_class(const client::Client& client) {
  try {
    client.create(local_storage_class());
  } catch (const ApiError& error) {
    if (!error.is_already_exists()) throw;
  }
}

// The Service default/kubernetes leads to the node's own address.
void tell_where_the_api_is(const client::Client& client, const std::string& address) {
  namespace discovery = kube::discovery::v1;
  const kube::ObjectKey key{"default", "kubernetes"};
  discovery::EndpointSlice slice;
  slice.metadata = {.name = key.name, .namespace_ = key.namespace_};
  slice.metadata.labels["kubernetes.io/service-name"] = key.name;
  slice.addressType = "IPv4";
  slice.endpoints = {{.addresses = {address}, .conditions = {.ready = true}}};
  slice.ports = {{.name = "https", .protocol = "TCP", .port = kApiPort}};
  try {
    client.create(slice);
  } catch (const ApiError& error) {
    if (!error.is_already_exists()) throw;
    client.edit<discovery::EndpointSlice>(key, [&](discovery::EndpointSlice& there) {
      there.endpoints = slice.endpoints;
      there.ports = slice.ports;
    });
  }
}

}  // namespace

struct Cluster::Parts {
  Parts(Clock& the_clock, apiserver::Engine& the_engine, ClusterOptions the_options)
      : clock(the_clock),
        engine(the_engine),
        options(std::move(the_options)),
        random(Random::from_os()),
        transport(clock, engine, {.caller = kCaller}),
        client(transport, clock, random, {.field_manager = "flyball-cluster", .log = options.log.in_room("client")}),
        op("flyball-cluster") {
    if (options.controllers) {
      declare_controllers(op, {.volumes = {.directory = options.folder + "/volumes"}, .root_ca = options.root_ca});
      if (!options.folder.empty()) ensure_storage_class(client);
    }
    if (options.node != NodeKind::none) {
      chosen = choose(clock, options);
      node_object.emplace(
          node::NodeOptions{.name = options.node_name,
                            .address = chosen.address,
                            .runtime = chosen.programs ? "flyball://processes" : "flyball://status-only",
                            .pods = chosen.programs ? kProcessPods : kStatusPods});
      node_object->declare(op);
      kubelet.emplace(*chosen.runtime,
                      node::KubeletOptions{.node = options.node_name,
                                           .host_ip = chosen.address,
                                           .folder = chosen.programs ? options.folder : "",
                                           .images = chosen.programs ? &options.images : nullptr,
                                           .shares_network = chosen.programs && chosen.network == nullptr,
                                           .api_host = shares_network() ? chosen.address : "",
                                           .api_port = options.api_port});
      kubelet->declare(op);
      door.emplace(clock, *chosen.runtime, options.folder);
      engine.set_pod_door(&*door);
      if (chosen.network != nullptr) {
        services.emplace([this](const node::ServiceTable& table) { chosen.network->serve(table); });
        services->declare(op);
        api_socket = chosen.network->listen(kApiPort);
        tell_where_the_api_is(client, chosen.address);
      }
    }
    run.emplace(op, client, clock, random, runtime::OperatorRunOptions{.concurrency = 4, .log = options.log});
    thread.emplace(clock, "cluster", [this] { run->run(stop.stop()); });
  }

  // Pods are real, but have no network of their own.
  bool shares_network() const { return chosen.programs && chosen.network == nullptr && options.api_port != 0; }

  ~Parts() {
    engine.set_pod_door(nullptr);
    if (api_socket >= 0) ::close(api_socket);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  Clock& clock;
  apiserver::Engine& engine;
  const ClusterOptions options;
  Random random;
  client::LocalTransport transport;
  client::Client client;
  runtime::Operator op;
  Chosen chosen = {.network = {}, .runtime = {}, .text = "there is no node"};
  std::optional<node::NodeObject> node_object;
  std::optional<node::Kubelet> kubelet;
  std::optional<node::ServiceControl> services;
  std::optional<node::NodeDoor> door;
  int api_socket = -1;
  std::optional<runtime::OperatorRun> run;
  StopSource stop;
  std::optional<Thread> thread;
};

Cluster::Cluster(Clock& clock, apiserver::Engine& engine, ClusterOptions options)
    : parts_(std::make_unique<Parts>(clock, engine, std::move(options))) {}

Cluster::~Cluster() { stop(); }

int Cluster::api_socket() { return std::exchange(parts_->api_socket, -1); }

const std::string& Cluster::node_text() const noexcept { return parts_->chosen.text; }

void Cluster::stop() {
  parts_->stop.request_stop("the cluster ends");
  parts_->thread.reset();
  parts_->run.reset();
}

}  // namespace flyball::cluster
