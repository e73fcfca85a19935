// Services and their endpoints.
#include <array>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::array kServiceColumns = {
    kName, column("Type"), column("Cluster-IP"), column("External-IP"), column("Port(s)"), kAge, wide("Selector")};

std::string balancer_text(json::View service) {
  std::vector<std::string> addresses;
  const std::string got = load_balancer_text(service["status"]["loadBalancer"]);
  if (!got.empty()) addresses.push_back(got);
  for (std::string& address : texts(service["spec"]["externalIPs"])) addresses.push_back(std::move(address));
  return addresses.empty() ? "<pending>" : join(addresses, ",");
}

std::string external_ip(json::View service) {
  const std::string_view type = text(service["spec"]["type"]);
  if (type == "LoadBalancer") return balancer_text(service);
  if (type == "ExternalName") return std::string(text(service["spec"]["externalName"]));
  if (type != "ClusterIP" && type != "NodePort") return "<unknown>";
  const std::vector<std::string> ips = texts(service["spec"]["externalIPs"]);
  return ips.empty() ? "<none>" : join(ips, ",");
}

std::string ports_text(json::View ports) {
  std::vector<std::string> pieces;
  for (const json::View port : ports.items()) {
    std::string piece = std::to_string(number(port["port"]));
    if (number(port["nodePort"]) > 0) piece += ":" + std::to_string(number(port["nodePort"]));
    pieces.push_back(piece + "/" + std::string(text(port["protocol"])));
  }
  return pieces.empty() ? "<none>" : join(pieces, ",");
}

json::Value service_cells(json::View service, WallTime now) {
  const json::View spec = service["spec"];
  const std::string_view ip = text_or(spec["clusterIPs"][0], text(spec["clusterIP"]));
  return row(name_of(service), text(spec["type"]), ip.empty() ? "<none>" : ip, external_ip(service),
             ports_text(spec["ports"]), age_of(service, now), labels_text(spec["selector"]));
}

constexpr std::array kEndpointsColumns = {kName, column("Endpoints"), kAge};

std::string host_port(std::string_view ip, std::int64_t port) {
  const bool v6 = ip.find(':') != std::string_view::npos;
  return (v6 ? "[" + std::string(ip) + "]" : std::string(ip)) + ":" + std::to_string(port);
}

std::string endpoints_text(json::View subsets) {
  if (subsets.empty()) return "<none>";
  std::vector<std::string> all;
  for (const json::View subset : subsets.items()) {
    const std::vector<std::string> ips = texts(subset["addresses"], "ip");
    if (subset["ports"].empty()) all.insert(all.end(), ips.begin(), ips.end());
    for (const json::View port : subset["ports"].items()) {
      for (const std::string& ip : ips) all.push_back(host_port(ip, number(port["port"])));
    }
  }
  return all.empty() ? "" : first_three(all);
}

json::Value endpoints_cells(json::View object, WallTime now) {
  return row(name_of(object), endpoints_text(object["subsets"]), age_of(object, now));
}

constexpr std::array kSliceColumns = {kName, column("AddressType"), column("Ports"), column("Endpoints"), kAge};

std::vector<std::string> slice_ports(json::View ports) {
  std::vector<std::string> all;
  for (const json::View port : ports.items()) {
    if (given(port["port"])) {
      all.push_back(std::to_string(number(port["port"])));
    } else {
      all.emplace_back(given(port["name"]) ? text(port["name"]) : "*");
    }
  }
  return all;
}

json::Value slice_cells(json::View object, WallTime now) {
  std::vector<std::string> addresses;
  for (const json::View endpoint : object["endpoints"].items()) {
    for (std::string& address : texts(endpoint["addresses"])) addresses.push_back(std::move(address));
  }
  return row(name_of(object), text(object["addressType"]), first_three(slice_ports(object["ports"])),
             first_three(addresses), age_of(object, now));
}

constexpr std::array kRules = {
    TableRule{.kind = "Service", .columns = kServiceColumns, .cells = service_cells},
    TableRule{.kind = "Endpoints", .columns = kEndpointsColumns, .cells = endpoints_cells},
    TableRule{.group = "discovery.k8s.io", .kind = "EndpointSlice", .columns = kSliceColumns, .cells = slice_cells},
};

}  // namespace

std::span<const TableRule> service_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
