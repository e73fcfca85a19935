#include "flyball/cluster/node/service_table.hpp"

#include <algorithm>

#include "flyball/json/builder.hpp"

namespace flyball::cluster::node {

namespace core = kube::core::v1;
namespace discovery = kube::discovery::v1;

namespace {

constexpr const char* kServiceLabel = "kubernetes.io/service-name";

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Without a hostname an endpoint is called by its address.
std::string endpoint_name(const discovery::Endpoint& endpoint, const std::string& address) {
  if (endpoint.hostname && !endpoint.hostname->empty()) return *endpoint.hostname;
  std::string name = address;
  std::ranges::replace(name, '.', '-');
  return name;
}

class Maker {
 public:
  explicit Maker(ServiceTable& table) : table_(table) {}

  void add(const core::Service& service, const std::vector<const discovery::EndpointSlice*>& slices) {
    const std::string name = service.metadata.name + "." + service.metadata.namespace_ + ".svc.cluster.local";
    if (service.spec.type == "ExternalName") return;
    const bool headless = service.spec.clusterIP == "None";
    if (service.spec.clusterIP.empty()) return;
    table_.names[name];
    if (!headless) {
      table_.names[name] = {service.spec.clusterIP};
      for (const core::ServicePort& port : service.spec.ports) add_port(service, name, port, slices);
      return;
    }
    for (const discovery::EndpointSlice* slice : slices) add_headless(service, name, *slice);
  }

 private:
  static bool serves(const core::Service& service, const discovery::Endpoint& endpoint) {
    return service.spec.publishNotReadyAddresses || endpoint.conditions.ready.value_or(true);
  }

  void add_port(const core::Service& service, const std::string& name, const core::ServicePort& port,
                const std::vector<const discovery::EndpointSlice*>& slices) {
    const auto number = static_cast<std::uint16_t>(port.port);
    add_target(name, port.name, port.protocol, {.port = number, .name = name});
    if (!port.protocol.empty() && port.protocol != "TCP") return;
    auto& endpoints = table_.ports[{service.spec.clusterIP, number}];
    for (const discovery::EndpointSlice* slice : slices) {
      for (const discovery::EndpointPort& theirs : slice->ports) {
        if (theirs.name.value_or("") != port.name || !theirs.port) continue;
        for (const discovery::Endpoint& endpoint : slice->endpoints) {
          if (!serves(service, endpoint)) continue;
          for (const std::string& address : endpoint.addresses) {
            endpoints.push_back({address, static_cast<std::uint16_t>(*theirs.port)});
          }
        }
      }
    }
    std::ranges::sort(endpoints);
  }

  void add_headless(const core::Service& service, const std::string& name, const discovery::EndpointSlice& slice) {
    for (const discovery::Endpoint& endpoint : slice.endpoints) {
      if (!serves(service, endpoint)) continue;
      for (const std::string& address : endpoint.addresses) {
        const std::string own = endpoint_name(endpoint, address) + "." + name;
        table_.names[name].push_back(address);
        table_.names[own].push_back(address);
        for (const discovery::EndpointPort& port : slice.ports) {
          if (!port.port) continue;
          add_target(name, port.name.value_or(""), port.protocol.value_or("TCP"),
                     {.port = static_cast<std::uint16_t>(*port.port), .name = own});
        }
      }
    }
  }

  void add_target(const std::string& service, const std::string& port, const std::string& protocol,
                  const ServiceTable::Target& target) {
    if (port.empty()) return;
    table_.targets["_" + port + "._" + lower(protocol.empty() ? "TCP" : protocol) + "." + service].push_back(target);
  }

  ServiceTable& table_;
};

}  // namespace

ServiceTable table_of(const std::vector<core::Service>& services, const std::vector<discovery::EndpointSlice>& slices) {
  std::map<std::pair<std::string, std::string>, std::vector<const discovery::EndpointSlice*>> by_service;
  for (const discovery::EndpointSlice& slice : slices) {
    const auto label = slice.metadata.labels.find(kServiceLabel);
    if (label == slice.metadata.labels.end() || slice.addressType != "IPv4") continue;
    by_service[{slice.metadata.namespace_, label->second}].push_back(&slice);
  }
  ServiceTable table;
  Maker maker(table);
  for (const core::Service& service : services) {
    maker.add(service, by_service[{service.metadata.namespace_, service.metadata.name}]);
  }
  return table;
}

json::Value to_json(const ServiceTable& table) {
  json::Builder to;
  const auto endpoint = [&](const Endpoint& each) { to.begin_array().string(each.address).integer(each.port).end(); };
  to.begin_object();
  to.key("ports").begin_array();
  for (const auto& [at, endpoints] : table.ports) {
    to.begin_array();
    endpoint(at);
    for (const Endpoint& each : endpoints) endpoint(each);
    to.end();
  }
  to.end();
  to.key("names").begin_object();
  for (const auto& [name, addresses] : table.names) {
    to.key(name).begin_array();
    for (const std::string& address : addresses) to.string(address);
    to.end();
  }
  to.end();
  to.key("targets").begin_object();
  for (const auto& [name, targets] : table.targets) {
    to.key(name).begin_array();
    for (const auto& target : targets) endpoint({target.name, target.port});
    to.end();
  }
  to.end();
  to.end();
  return to.finish();
}

ServiceTable table_from(json::View value) {
  const auto endpoint = [](json::View each) {
    return Endpoint{std::string(each[0].as_string()), static_cast<std::uint16_t>(each[1].as_int())};
  };
  ServiceTable table;
  for (const json::View port : value["ports"].items()) {
    auto& endpoints = table.ports[endpoint(port[0])];
    bool first = true;
    for (const json::View each : port.items()) {
      if (!first) endpoints.push_back(endpoint(each));
      first = false;
    }
  }
  for (const auto [name, addresses] : value["names"].entries()) {
    auto& all = table.names[std::string(name)];
    for (const json::View address : addresses.items()) all.emplace_back(address.as_string());
  }
  for (const auto [name, targets] : value["targets"].entries()) {
    for (const json::View target : targets.items()) {
      const Endpoint each = endpoint(target);
      table.targets[std::string(name)].push_back({.port = each.port, .name = each.address});
    }
  }
  return table;
}

}  // namespace flyball::cluster::node
