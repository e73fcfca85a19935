// ServiceTable: where the cluster's Services lead, and the names that DNS knows: what the process that holds the
// cluster's network serves (service_proxy.hpp, dns.hpp).
//
//   const ServiceTable table = table_of(services, slices);
//   network.serve(table);
//
// Thread-safety: values and pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "flyball/json/value.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/discovery/v1.hpp"

namespace flyball::cluster::node {

struct Endpoint {
  std::string address = {};
  std::uint16_t port = 0;
  friend auto operator<=>(const Endpoint&, const Endpoint&) = default;
};

struct ServiceTable {
  // A port of a Service's own address, and who answers there.
  std::map<Endpoint, std::vector<Endpoint>> ports = {};
  // "web.shop.svc.cluster.local", without the last dot.
  std::map<std::string, std::vector<std::string>> names = {};
  struct Target {
    std::uint16_t port = 0;
    std::string name = {};
    friend bool operator==(const Target&, const Target&) = default;
  };
  std::map<std::string, std::vector<Target>> targets = {};  // SRV: "_http._tcp.web.shop.svc.cluster.local"

  friend bool operator==(const ServiceTable&, const ServiceTable&) = default;
};

// TCP only: what is UDP has names, but nobody carries it.
ServiceTable table_of(const std::vector<kube::core::v1::Service>& services,
                      const std::vector<kube::discovery::v1::EndpointSlice>& slices);

json::Value to_json(const ServiceTable& table);
ServiceTable table_from(json::View value);

}  // namespace flyball::cluster::node
