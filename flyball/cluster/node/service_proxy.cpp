#include "flyball/cluster/node/service_proxy.hpp"

#include <array>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "flyball/cluster/node/addresses.hpp"
#include "flyball/cluster/node/dns.hpp"
#include "flyball/cluster/node/system_call.hpp"

namespace flyball::cluster::node {
namespace {

constexpr std::uint16_t kDnsPort = 53;
constexpr int kWaiting = 128;
constexpr int kHost = 32;  // a prefix of one address

sockaddr_in socket_address(const Endpoint& endpoint) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(endpoint.port);
  address.sin_addr.s_addr = htonl(address_of(endpoint.address));
  return address;
}

int bound(int type, const Endpoint& at) {
  const int fd = check(::socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "make a socket");
  const int yes = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const sockaddr_in address = socket_address(at);
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
  const int number = errno;
  ::close(fd);
  errno = number;
  return -1;
}

}  // namespace

int listen_at(const Endpoint& at) {
  const std::string where = at.address + ":" + std::to_string(at.port);
  const int fd = check(bound(SOCK_STREAM, at), "listen at " + where);
  check(::listen(fd, kWaiting), "listen at " + where);
  return fd;
}

ServiceProxy::ServiceProxy(std::string device, const std::string& address) : device_(std::move(device)) {
  dns_ = check(bound(SOCK_DGRAM, {address, kDnsPort}), "answer DNS at " + address);
}

ServiceProxy::~ServiceProxy() {
  ::close(dns_);
  for (const auto& [at, fd] : listeners_) ::close(fd);
}

void ServiceProxy::set(ServiceTable table) {
  table_ = std::move(table);
  std::set<std::string> wanted;
  for (const auto& [at, endpoints] : table_.ports) wanted.insert(at.address);
  for (const std::string& address : wanted) {
    if (addresses_.insert(address).second) net_.add_address(device_, address, kHost);
  }
  for (auto listener = listeners_.begin(); listener != listeners_.end();) {
    if (table_.ports.contains(listener->first)) {
      ++listener;
      continue;
    }
    ::close(listener->second);
    listener = listeners_.erase(listener);
  }
  for (const auto& [at, endpoints] : table_.ports) {
    if (listeners_.contains(at)) continue;
    const int fd = bound(SOCK_STREAM, at);
    if (fd < 0) continue;  // two Services cannot have it: the server sees to that
    ::listen(fd, kWaiting);
    listeners_[at] = fd;
  }
  for (auto address = addresses_.begin(); address != addresses_.end();) {
    if (wanted.contains(*address)) {
      ++address;
      continue;
    }
    net_.remove_address(device_, *address, kHost);
    address = addresses_.erase(address);
  }
}

bool ServiceProxy::step(int input) {
  std::vector<pollfd> polls{{.fd = input, .events = POLLIN, .revents = 0},
                            {.fd = dns_, .events = POLLIN, .revents = 0}};
  std::vector<std::pair<int, Endpoint>> listening;
  for (const auto& [at, fd] : listeners_) {
    polls.push_back({.fd = fd, .events = POLLIN, .revents = 0});
    listening.emplace_back(fd, at);
  }
  for (Relay& relay : relays_) relay.add_to(polls);
  if (::poll(polls.data(), polls.size(), -1) < 0) return false;
  if (polls[1].revents != 0) answer_dns();
  for (auto relay = relays_.begin(); relay != relays_.end();) {
    relay = relay->act(polls) ? std::next(relay) : relays_.erase(relay);
  }
  for (std::size_t i = 0; i < listening.size(); ++i) {
    if (polls[2 + i].revents != 0) accept(listening[i].first, listening[i].second);
  }
  return polls[0].revents != 0;
}

void ServiceProxy::accept(int listener, const Endpoint& at) {
  const int client = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (client < 0) return;
  const std::vector<Endpoint>& endpoints = table_.ports[at];
  const int server = endpoints.empty() ? -1 : ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (server < 0) {
    // Nobody is behind it: the client hears it at once.
    const linger now{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(client, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    ::close(client);
    return;
  }
  const sockaddr_in address = socket_address(endpoints[turn_++ % endpoints.size()]);
  if (::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 && errno != EINPROGRESS) {
    ::close(server);
    ::close(client);
    return;
  }
  relays_.emplace_back(client, server);
}

void ServiceProxy::answer_dns() {
  std::array<char, 4096> bytes{};
  sockaddr_in from{};
  socklen_t size = sizeof from;
  const ssize_t got = ::recvfrom(dns_, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&from), &size);
  if (got <= 0) return;
  const std::string answer = dns_answer({bytes.data(), static_cast<std::size_t>(got)}, table_);
  if (answer.empty()) return;
  ::sendto(dns_, answer.data(), answer.size(), 0, reinterpret_cast<const sockaddr*>(&from), size);
}

}  // namespace flyball::cluster::node
