#include "flyball/cluster/node/rtnetlink.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include <arpa/inet.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include "flyball/base/error.hpp"
#include "flyball/cluster/node/addresses.hpp"

namespace flyball::cluster::node {
namespace {

constexpr std::size_t kAnswer = 8192;
constexpr std::uint16_t kNested = NLA_F_NESTED;

std::string reason(int number) { return std::generic_category().message(number); }

}  // namespace

// A request, grown from its end.
class RtNetlink::Message {
 public:
  template <class Body>
  Message(int type, int flags, const Body& body) : bytes_(NLMSG_LENGTH(sizeof body)) {
    header().nlmsg_type = static_cast<std::uint16_t>(type);
    header().nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | NLM_F_ACK | flags);
    std::memcpy(bytes_.data() + NLMSG_HDRLEN, &body, sizeof body);
  }

  nlmsghdr& header() { return *reinterpret_cast<nlmsghdr*>(bytes_.data()); }
  std::string_view finish(std::uint32_t sequence) {
    header().nlmsg_len = static_cast<std::uint32_t>(bytes_.size());
    header().nlmsg_seq = sequence;
    return {bytes_.data(), bytes_.size()};
  }

  void raw(const void* data, std::size_t size) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + NLMSG_ALIGN(size));
    std::memcpy(bytes_.data() + at, data, size);
  }
  void put(int type, const void* data, std::size_t size) {
    const rtattr head{.rta_len = static_cast<std::uint16_t>(RTA_LENGTH(size)),
                      .rta_type = static_cast<std::uint16_t>(type)};
    raw(&head, sizeof head);
    if (size > 0) raw(data, size);
  }
  void put(int type, const std::string& text) { put(type, text.c_str(), text.size() + 1); }
  void put(int type, int number) { put(type, &number, sizeof number); }

  std::size_t open(int type) {
    const std::size_t at = bytes_.size();
    put(type | kNested, nullptr, 0);
    return at;
  }
  void close(std::size_t at) {
    reinterpret_cast<rtattr*>(bytes_.data() + at)->rta_len = static_cast<std::uint16_t>(bytes_.size() - at);
  }

 private:
  std::vector<char> bytes_;
};

RtNetlink::RtNetlink() : fd_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)) {
  if (fd_ < 0) throw Error("cannot talk to the kernel about networks: " + reason(errno));
}

RtNetlink::~RtNetlink() { ::close(fd_); }

void RtNetlink::send(Message& message, const std::string& what) {
  const std::string_view bytes = message.finish(++sequence_);
  if (::send(fd_, bytes.data(), bytes.size(), 0) < 0) throw Error("cannot " + what + ": " + reason(errno));
  alignas(nlmsghdr) std::array<char, kAnswer> answer{};
  const ssize_t got = ::recv(fd_, answer.data(), answer.size(), 0);
  if (got < static_cast<ssize_t>(NLMSG_LENGTH(sizeof(nlmsgerr)))) throw Error("cannot " + what + ": no answer");
  const auto* head = reinterpret_cast<const nlmsghdr*>(answer.data());
  if (head->nlmsg_type != NLMSG_ERROR) throw Error("cannot " + what + ": an answer of another kind");
  const auto* result = reinterpret_cast<const nlmsgerr*>(answer.data() + NLMSG_HDRLEN);
  if (result->error != 0) throw Error("cannot " + what + ": " + reason(-result->error));
}

int RtNetlink::index_of(const std::string& device) {
  Message message(RTM_GETLINK, 0, ifinfomsg{});
  message.put(IFLA_IFNAME, device);
  const std::string_view bytes = message.finish(++sequence_);
  const std::string what = "find the network device " + device;
  if (::send(fd_, bytes.data(), bytes.size(), 0) < 0) throw Error("cannot " + what + ": " + reason(errno));
  // The device, and then the acknowledgement.
  int index = 0;
  while (true) {
    alignas(nlmsghdr) std::array<char, kAnswer> answer{};
    const ssize_t got = ::recv(fd_, answer.data(), answer.size(), 0);
    if (got <= 0) throw Error("cannot " + what + ": no answer");
    const auto* head = reinterpret_cast<const nlmsghdr*>(answer.data());
    if (head->nlmsg_type == NLMSG_ERROR) {
      const auto* result = reinterpret_cast<const nlmsgerr*>(answer.data() + NLMSG_HDRLEN);
      if (result->error != 0) throw Error("cannot " + what + ": " + reason(-result->error));
      return index;
    }
    index = reinterpret_cast<const ifinfomsg*>(answer.data() + NLMSG_HDRLEN)->ifi_index;
  }
}

void RtNetlink::add_bridge(const std::string& name) {
  Message message(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, ifinfomsg{});
  message.put(IFLA_IFNAME, name);
  const std::size_t info = message.open(IFLA_LINKINFO);
  message.put(IFLA_INFO_KIND, "bridge");
  message.close(info);
  send(message, "make the network bridge " + name);
}

void RtNetlink::add_veth(const std::string& name, const std::string& peer, int peer_namespace,
                         const std::string& bridge) {
  ifinfomsg body{};
  body.ifi_flags = IFF_UP;
  body.ifi_change = IFF_UP;
  Message message(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, body);
  message.put(IFLA_IFNAME, name);
  message.put(IFLA_MASTER, index_of(bridge));
  const std::size_t info = message.open(IFLA_LINKINFO);
  message.put(IFLA_INFO_KIND, "veth");
  const std::size_t data = message.open(IFLA_INFO_DATA);
  const std::size_t other = message.open(VETH_INFO_PEER);
  const ifinfomsg peer_body{};
  message.raw(&peer_body, sizeof peer_body);
  message.put(IFLA_IFNAME, peer);
  message.put(IFLA_NET_NS_FD, peer_namespace);
  message.close(other);
  message.close(data);
  message.close(info);
  send(message, "make the network device " + name);
}

void RtNetlink::change_address(bool add, const std::string& device, const std::string& address, int prefix) {
  ifaddrmsg body{};
  body.ifa_family = AF_INET;
  body.ifa_prefixlen = static_cast<std::uint8_t>(prefix);
  body.ifa_index = static_cast<std::uint32_t>(index_of(device));
  const int flags = add ? NLM_F_CREATE | NLM_F_REPLACE : 0;
  Message message(add ? RTM_NEWADDR : RTM_DELADDR, flags, body);
  const std::uint32_t raw = htonl(address_of(address));
  message.put(IFA_LOCAL, &raw, sizeof raw);
  message.put(IFA_ADDRESS, &raw, sizeof raw);
  send(message, (add ? "give " : "take ") + device + (add ? " the address " : "'s address ") + address);
}

void RtNetlink::add_address(const std::string& device, const std::string& address, int prefix) {
  change_address(true, device, address, prefix);
}

void RtNetlink::remove_address(const std::string& device, const std::string& address, int prefix) {
  change_address(false, device, address, prefix);
}

void RtNetlink::add_default_route(const std::string& gateway) {
  rtmsg body{};
  body.rtm_family = AF_INET;
  body.rtm_table = RT_TABLE_MAIN;
  body.rtm_protocol = RTPROT_BOOT;
  body.rtm_scope = RT_SCOPE_UNIVERSE;
  body.rtm_type = RTN_UNICAST;
  Message message(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_REPLACE, body);
  const std::uint32_t raw = htonl(address_of(gateway));
  message.put(RTA_GATEWAY, &raw, sizeof raw);
  send(message, "route through " + gateway);
}

void RtNetlink::set_up(const std::string& device) {
  ifinfomsg body{};
  body.ifi_index = index_of(device);
  body.ifi_flags = IFF_UP;
  body.ifi_change = IFF_UP;
  Message message(RTM_NEWLINK, 0, body);
  send(message, "switch the network device " + device + " on");
}

}  // namespace flyball::cluster::node
