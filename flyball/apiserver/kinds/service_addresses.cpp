#include "flyball/apiserver/kinds/service_addresses.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/service_defaults.hpp"
#include "flyball/apiserver/kinds/service_validation.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

// The first of those a dry run shows, as upstream has it.
constexpr std::int32_t kMadeUpPort = 32769;

constexpr const char* kNone = "None";

std::optional<std::uint32_t> parse_ipv4(std::string_view text) {
  std::uint32_t address = 0;
  for (int part = 0; part < 4; ++part) {
    const std::size_t dot = part < 3 ? text.find('.') : text.size();
    if (dot == std::string_view::npos) return std::nullopt;
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + dot, number);
    if (error != std::errc() || end != text.data() + dot || number > 255) return std::nullopt;
    address = address << 8U | number;
    text.remove_prefix(std::min(dot + 1, text.size()));
  }
  return address;
}

std::string ipv4_text(std::uint32_t address) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) {
    text += std::to_string(address >> static_cast<unsigned>(shift) & 255U);
    if (shift > 0) text.push_back('.');
  }
  return text;
}

// Numbers from first to last. The lower part is left to people as long as the upper is not full.
struct Band {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t upper = 0;

  bool contains(std::uint32_t number) const { return number >= first && number <= last; }
};

Band address_band(const std::string& cidr) {
  const std::size_t slash = cidr.find('/');
  const std::uint32_t base = parse_ipv4(std::string_view(cidr).substr(0, slash)).value_or(0);
  unsigned bits = 0;
  std::from_chars(cidr.data() + slash + 1, cidr.data() + cidr.size(), bits);
  const std::uint32_t size = bits == 0 || bits >= 32 ? 1 : std::uint32_t{1} << (32 - bits);
  // Neither the network's own address nor the last one, which is for broadcasts.
  const std::uint32_t offset = std::min<std::uint32_t>(std::max<std::uint32_t>(16, size / 16), 256);
  return {.first = base + 1, .last = base + size - 2, .upper = std::min(base + 1 + offset, base + size - 2)};
}

Band port_band(const ServiceRange& range) {
  const auto first = static_cast<std::uint32_t>(range.first_port);
  const auto last = static_cast<std::uint32_t>(range.last_port);
  const std::uint32_t size = last - first + 1;
  const std::uint32_t offset = std::min<std::uint32_t>(std::max<std::uint32_t>(16, size / 32), 128);
  return {.first = first, .last = last, .upper = size > offset ? first + offset : first};
}

template <class IsTaken>
std::optional<std::uint32_t> free_number(std::uint32_t first, std::uint32_t last, Random& random, IsTaken is_taken) {
  if (last < first) return std::nullopt;
  const std::uint32_t size = last - first + 1;
  const auto start = static_cast<std::uint32_t>(random.below(size));
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t number = first + (start + i) % size;
    if (!is_taken(number)) return number;
  }
  return std::nullopt;
}

template <class IsTaken>
std::optional<std::uint32_t> free_number(const Band& band, Random& random, IsTaken is_taken) {
  if (const auto found = free_number(band.upper, band.last, random, is_taken)) return found;
  return band.upper > band.first ? free_number(band.first, band.upper - 1, random, is_taken) : std::nullopt;
}

bool is_ipv6(std::string_view ip) { return ip.find(':') != std::string_view::npos; }

bool is_headless(const core::ServiceSpec& spec) { return spec.clusterIP == kNone; }

bool same_ips(const core::ServiceSpec& a, const core::ServiceSpec& b) { return a.clusterIPs == b.clusterIPs; }

// `clusterIP` and `clusterIPs` are two views of one thing; clients that know only one of them change only that.
void pair_ips(core::ServiceSpec& spec, const core::ServiceSpec* old) {
  if (old == nullptr) {
    if (!spec.clusterIP.empty() && spec.clusterIPs.empty()) spec.clusterIPs = {spec.clusterIP};
    return;
  }
  if (!old->clusterIPs.empty() && spec.clusterIPs.empty() && spec.clusterIP == old->clusterIP) {
    spec.clusterIPs = old->clusterIPs;
  }
  if (spec.clusterIP == old->clusterIP) return;
  if (!old->clusterIP.empty() && spec.clusterIP.empty()) {
    if (same_ips(spec, *old)) spec.clusterIPs.clear();
  } else if (same_ips(spec, *old)) {
    spec.clusterIPs = {spec.clusterIP};
  }
}

class Allocation {
 public:
  Allocation(core::Service& service, const core::Service* old, const ServiceRange& range, const TakenAddresses& taken,
             Random& random, Problems& problems)
      : service_(service),
        spec_(service.spec),
        old_(old),
        range_(range),
        taken_(taken),
        random_(random),
        problems_(problems) {}

  void run() {
    if (old_ != nullptr) keep_allocated(service_, *old_);
    pair_ips(spec_, old_ == nullptr ? nullptr : &old_->spec);
    choose_families();
    if (problems_.empty()) choose_ip();
    if (problems_.empty()) choose_ports();
    if (problems_.empty()) choose_health_check_port();
  }

 private:
  void invalid_policy(std::string_view why) {
    problems_.invalid(at_.child("ipFamilyPolicy"), spec_.ipFamilyPolicy.value_or(""), why);
  }

  bool keeps_prefer_dual_stack() const {
    if (old_ == nullptr || old_->spec.type != spec_.type || spec_.type == "ExternalName") return false;
    return spec_.ipFamilyPolicy == "PreferDualStack" &&
           old_->spec.ipFamilyPolicy.value_or("PreferDualStack") == "PreferDualStack" &&
           spec_.clusterIP == old_->spec.clusterIP && same_ips(spec_, old_->spec) &&
           spec_.ipFamilies == old_->spec.ipFamilies;
  }

  void default_policy() {
    if (spec_.ipFamilyPolicy) return;
    if (old_ != nullptr && old_->spec.ipFamilyPolicy) {
      spec_.ipFamilyPolicy = old_->spec.ipFamilyPolicy;
    } else {
      spec_.ipFamilyPolicy = is_headless(spec_) && spec_.selector.empty() ? "RequireDualStack" : "SingleStack";
    }
  }

  void choose_families() {
    if (spec_.type == "ExternalName" || keeps_prefer_dual_stack()) return;
    default_policy();
    check_cluster_ips(service_, problems_);
    if (!problems_.empty()) return;
    fit_to_policy();
    for (std::size_t i = spec_.ipFamilies.size(); i < spec_.clusterIPs.size(); ++i) {
      if (spec_.clusterIPs[i] == kNone) break;
      if (is_ipv6(spec_.clusterIPs[i])) {
        problems_.invalid(at_.child("clusterIPs").index(i), shown(spec_.clusterIPs),
                          "IPv6 is not configured on this cluster");
      } else {
        spec_.ipFamilies.emplace_back("IPv4");
      }
    }
    if (!problems_.empty()) return;
    if (is_headless(spec_) && spec_.selector.empty()) {
      headless_families();
      return;
    }
    if (spec_.ipFamilyPolicy == "RequireDualStack") {
      invalid_policy("this cluster is not configured for dual-stack services");
    }
    for (std::size_t i = 0; i < spec_.ipFamilies.size(); ++i) {
      if (spec_.ipFamilies[i] == "IPv4") continue;
      problems_.invalid(at_.child("ipFamilies").index(i), spec_.ipFamilies[i], "not configured on this cluster");
    }
    if (problems_.empty() && spec_.ipFamilies.empty()) spec_.ipFamilies.emplace_back("IPv4");
  }

  void fit_to_policy() {
    const bool single = spec_.ipFamilyPolicy == "SingleStack";
    if (old_ != nullptr && single) {
      if (same_ips(spec_, old_->spec) && spec_.clusterIPs.size() > 1) spec_.clusterIPs.resize(1);
      if (spec_.ipFamilies == old_->spec.ipFamilies && spec_.ipFamilies.size() > 1) spec_.ipFamilies.resize(1);
    }
    if (!single) return;
    if (spec_.clusterIPs.size() == 2) {
      invalid_policy("must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified");
    }
    if (spec_.ipFamilies.size() == 2) {
      invalid_policy("must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified");
    }
  }

  // Without a selector somebody else says where it leads: any family may do.
  void headless_families() {
    if (spec_.ipFamilies.empty()) spec_.ipFamilies.emplace_back("IPv4");
    if (spec_.ipFamilies.size() >= 2 || spec_.ipFamilyPolicy == "SingleStack") return;
    spec_.ipFamilies.emplace_back(spec_.ipFamilies[0] == "IPv4" ? "IPv6" : "IPv4");
  }

  void choose_ip() {
    if (spec_.type == "ExternalName") return;
    const bool had_none = old_ == nullptr || old_->spec.type == "ExternalName";
    if (!had_none || (!spec_.clusterIPs.empty() && spec_.clusterIPs[0] == kNone)) return;
    if (spec_.clusterIPs.empty()) {
      find_ip();
      return;
    }
    const std::string& ip = spec_.clusterIPs[0];
    const auto address = parse_ipv4(ip);
    std::string_view why;
    if (!address || !address_band(range_.cidr).contains(*address)) {
      why = "the provided network does not match the current range";
    } else if (taken_.ips.contains(ipv4_text(*address))) {
      why = "provided IP is already allocated";
    }
    if (!why.empty()) {
      problems_.invalid(at_.child("clusterIPs"), shown(spec_.clusterIPs),
                        "failed to allocate IP " + ip + ": " + std::string(why));
      return;
    }
    spec_.clusterIP = ip;
  }

  void find_ip() {
    const auto found = free_number(address_band(range_.cidr), random_,
                                   [&](std::uint32_t address) { return taken_.ips.contains(ipv4_text(address)); });
    if (!found) {
      internal("failed to allocate a serviceIP for Service \"" + service_.metadata.name + "\": range is full");
      return;
    }
    spec_.clusterIP = ipv4_text(*found);
    spec_.clusterIPs = {spec_.clusterIP};
  }

  void internal(const std::string& why) { problems_.add(Problem::Kind::internal, FieldPath(), why); }

  bool wants_ports() const {
    if (spec_.type == "NodePort") return true;
    return spec_.type == "LoadBalancer" && spec_.allocateLoadBalancerNodePorts.value_or(true);
  }

  // Empty when the port is ours now.
  std::string take_port(std::int32_t port) {
    if (port < range_.first_port || port > range_.last_port) {
      return "provided port is not in the valid range. The range of valid ports is " +
             std::to_string(range_.first_port) + "-" + std::to_string(range_.last_port);
    }
    if (taken_.ports.contains(port) || !ours_.insert(port).second) return "provided port is already allocated";
    return {};
  }

  std::int32_t find_port() {
    if (range_.dry_run) return *ours_.insert(ours_.empty() ? kMadeUpPort : *ours_.rbegin() + 1).first;
    const auto found = free_number(port_band(range_), random_, [&](std::uint32_t number) {
      const auto port = static_cast<std::int32_t>(number);
      return taken_.ports.contains(port) || ours_.contains(port);
    });
    if (!found) {
      internal("failed to allocate a nodePort: range is full");
      return 0;
    }
    const auto port = static_cast<std::int32_t>(*found);
    ours_.insert(port);
    return port;
  }

  void choose_ports() {
    if (!needs_node_port(service_)) return;
    if (old_ == nullptr) {
      choose_first_ports();
    } else {
      choose_changed_ports();
    }
  }

  void refuse_port(std::size_t index, std::int32_t port, const std::string& why) {
    if (!why.empty()) problems_.invalid(at_.child("ports").index(index).child("nodePort"), port, why);
  }

  // TCP and UDP of one port share a node port.
  void choose_first_ports() {
    std::map<std::int32_t, std::int32_t> shared;
    for (std::size_t i = 0; i < spec_.ports.size() && problems_.empty(); ++i) {
      core::ServicePort& port = spec_.ports[i];
      if (port.nodePort == 0 && !wants_ports()) continue;
      std::int32_t& chosen = shared[port.port];
      if (chosen == 0) {
        chosen = requested_for(port.port);
        if (chosen != 0) {
          refuse_port(i, chosen, take_port(chosen));
        } else {
          chosen = find_port();
        }
        port.nodePort = chosen;
      } else if (port.nodePort == 0) {
        port.nodePort = chosen;
      } else if (port.nodePort != chosen) {
        refuse_port(i, port.nodePort, take_port(port.nodePort));
      }
    }
  }

  void choose_changed_ports() {
    std::set<std::int32_t> before;
    for (const core::ServicePort& port : old_->spec.ports) before.insert(port.nodePort);
    std::set<std::pair<std::string, std::int32_t>> seen;
    for (std::size_t i = 0; i < spec_.ports.size() && problems_.empty(); ++i) {
      core::ServicePort& port = spec_.ports[i];
      if (port.nodePort == 0) {
        if (wants_ports()) port.nodePort = find_port();
      } else if (!before.contains(port.nodePort) && !ours_.contains(port.nodePort)) {
        refuse_port(i, port.nodePort, take_port(port.nodePort));
      }
      if (port.nodePort != 0 && problems_.empty() && !seen.emplace(port.protocol, port.nodePort).second) {
        internal("duplicate nodePort: {" + port.protocol + " " + std::to_string(port.nodePort) + "}");
      }
    }
  }

  std::int32_t requested_for(std::int32_t number) const {
    const auto found = std::ranges::find_if(
        spec_.ports, [&](const core::ServicePort& port) { return port.port == number && port.nodePort != 0; });
    return found == spec_.ports.end() ? 0 : found->nodePort;
  }

  void choose_health_check_port() {
    if (!needs_health_check_port(service_)) return;
    if (old_ != nullptr && needs_health_check_port(*old_)) return;
    if (spec_.healthCheckNodePort == 0) {
      spec_.healthCheckNodePort = find_port();
      return;
    }
    const std::string why = take_port(spec_.healthCheckNodePort);
    if (why.empty()) return;
    internal("failed to allocate requested HealthCheck NodePort " + std::to_string(spec_.healthCheckNodePort) + ": " +
             why);
  }

  core::Service& service_;
  core::ServiceSpec& spec_;
  const core::Service* old_;
  const ServiceRange& range_;
  const TakenAddresses& taken_;
  Random& random_;
  Problems& problems_;
  const FieldPath at_ = FieldPath("spec");
  std::set<std::int32_t> ours_;
};

}  // namespace

void TakenAddresses::add(const core::Service& service) {
  for (const std::string& ip : service.spec.clusterIPs) {
    if (ip != kNone) ips.insert(ip);
  }
  for (const core::ServicePort& port : service.spec.ports) {
    if (port.nodePort != 0) ports.insert(port.nodePort);
  }
  if (service.spec.healthCheckNodePort != 0) ports.insert(service.spec.healthCheckNodePort);
}

void allocate_service(core::Service& service, const core::Service* old, const ServiceRange& range,
                      const TakenAddresses& taken, Random& random, Problems& problems) {
  Allocation(service, old, range, taken, random, problems).run();
}

}  // namespace flyball::apiserver
