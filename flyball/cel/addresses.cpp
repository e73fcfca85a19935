// Kubernetes' ip() and cidr().
#include <algorithm>

#include "flyball/cel/detail/address.hpp"
#include "flyball/cel/functions.hpp"
#include "flyball/cel/operations.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::cel {
namespace {

using detail::Address;

class IpObject final : public Object {
 public:
  explicit IpObject(const Address& from) : address(from) {}
  const TypeRef& type() const override {
    static const TypeRef ip_type = opaque_type("net.IP");
    return ip_type;
  }
  Value equal(const Object& other) const override {
    const auto* same = dynamic_cast<const IpObject*>(&other);
    return same ? Value::boolean(address == same->address) : no_such_overload();
  }
  std::string text() const override { return address.text(); }
  std::optional<std::size_t> size() const override { return address.size(); }
  Address address;
};

struct Network {
  Address address = {};
  int bits = 0;
  friend bool operator==(const Network&, const Network&) = default;
  std::string text() const { return address.text() + "/" + std::to_string(bits); }
};

class CidrObject final : public Object {
 public:
  explicit CidrObject(const Network& from) : network(from) {}
  const TypeRef& type() const override {
    static const TypeRef cidr_type = opaque_type("net.CIDR");
    return cidr_type;
  }
  Value equal(const Object& other) const override {
    const auto* same = dynamic_cast<const CidrObject*>(&other);
    return same ? Value::boolean(network == same->network) : no_such_overload();
  }
  std::string text() const override { return network.text(); }
  std::optional<std::size_t> size() const override { return (static_cast<std::size_t>(network.bits) + 7) / 8; }
  Network network;
};

const Address& ip_of(const Value& value) { return static_cast<const IpObject&>(value.as_object()).address; }
const Network& cidr_of(const Value& value) { return static_cast<const CidrObject&>(value.as_object()).network; }
Value ip_value(const Address& address) { return Value::object(std::make_shared<IpObject>(address)); }
Value cidr_value(const Network& network) { return Value::object(std::make_shared<CidrObject>(network)); }

std::optional<Address> parse_ip(const std::string& text, std::string& problem) {
  const std::optional<Address> address = detail::parse_address(text, problem);
  const std::string quoted = kube::go::quote(text);
  if (!address) {
    problem = "IP Address " + quoted + " parse error during conversion from string: " + problem;
  } else if (address->zoned) {
    problem = "IP address " + quoted + " with zone value is not allowed";
  } else if (address->is_4_in_6()) {
    problem = "IPv4-mapped IPv6 address " + quoted + " is not allowed";
  } else {
    return address;
  }
  return std::nullopt;
}

std::optional<Network> parse_prefix(const std::string& text, std::string& problem) {
  const std::size_t slash = text.rfind('/');
  const auto fail = [&](const std::string& why) {
    problem = "netip.ParsePrefix(" + kube::go::quote(text) + "): " + why;
    return std::nullopt;
  };
  if (slash == std::string::npos) return fail("no '/'");
  std::string why;
  const std::optional<Address> address = detail::parse_address(std::string_view(text).substr(0, slash), why);
  if (!address) return fail(why);
  if (address->zoned) return fail("IPv6 zones cannot be present in a prefix");
  const std::string bits = text.substr(slash + 1);
  const kube::go::ParsedInt parsed = kube::go::parse_int64(bits);
  const bool odd = bits.size() > 1 && (bits[0] < '1' || bits[0] > '9');
  if (odd || parsed.error != kube::go::IntError::none) return fail("bad bits after slash: " + kube::go::quote(bits));
  if (parsed.value < 0 || parsed.value > (address->v4 ? 32 : 128)) return fail("prefix length out of range");
  return Network{.address = *address, .bits = static_cast<int>(parsed.value)};
}

std::optional<Network> parse_cidr(const std::string& text, std::string& problem) {
  const std::optional<Network> network = parse_prefix(text, problem);
  if (!network) {
    problem = "network address parse error during conversion from string: " + problem;
    return std::nullopt;
  }
  if (!network->address.is_4_in_6()) return network;
  problem = "IPv4-mapped IPv6 address " + kube::go::quote(text) + " is not allowed";
  return std::nullopt;
}

bool same_start(const Address& a, const Address& b, int bits) {
  if (a.v4 != b.v4) return false;
  for (int i = 0; i < bits; ++i) {
    const auto at = static_cast<std::size_t>(i / 8);
    if (((a.bytes[at] ^ b.bytes[at]) >> (7 - i % 8) & 1) != 0) return false;
  }
  return true;
}

Value to_ip(Args args) {
  std::string problem;
  const auto address = parse_ip(args[0].text(), problem);
  return address ? ip_value(*address) : Value::error(problem);
}

Value to_cidr(Args args) {
  std::string problem;
  const auto network = parse_cidr(args[0].text(), problem);
  return network ? cidr_value(*network)
                 : Value::error("network address parse error during conversion from string: " + problem);
}

Value contains_ip(Args args) {
  const Value other = args[1].is(Value::Kind::string) ? to_ip(args.subspan(1)) : args[1];
  // Kubernetes answers with no such overload instead of the reason.
  if (other.is_error()) return no_such_overload();
  return Value::boolean(same_start(cidr_of(args[0]).address, ip_of(other), cidr_of(args[0]).bits));
}

Value contains_cidr(Args args) {
  Value other = args[1].is(Value::Kind::string) ? to_cidr(args.subspan(1)) : args[1];
  if (other.is_error()) return other;
  const Network& own = cidr_of(args[0]);
  const Network& inner = cidr_of(other);
  return Value::boolean(own.bits <= inner.bits && same_start(own.address, inner.address, own.bits));
}

Value masked(Args args) {
  Network network = cidr_of(args[0]);
  for (int i = network.bits; i < static_cast<int>(network.address.size()) * 8; ++i) {
    network.address.bytes[static_cast<std::size_t>(i / 8)] &= static_cast<std::uint8_t>(~(1U << (7 - i % 8)));
  }
  return cidr_value(network);
}

bool begins(const Address& address, std::initializer_list<int> v4, std::initializer_list<int> v6) {
  const auto& wanted = address.v4 ? v4 : v6;
  return wanted.size() > 0 && std::equal(wanted.begin(), wanted.end(), address.bytes.begin());
}

bool is_unspecified(const Address& a) {
  return std::ranges::all_of(a.bytes, [](std::uint8_t b) { return b == 0; });
}
bool is_loopback(const Address& a) { return begins(a, {127}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}); }
bool is_link_local_multicast(const Address& a) {
  return a.v4 ? begins(a, {224, 0, 0}, {}) : a.bytes[0] == 0xFF && (a.bytes[1] & 0x0F) == 2;
}
bool is_multicast(const Address& a) { return a.v4 ? (a.bytes[0] & 0xF0) == 0xE0 : a.bytes[0] == 0xFF; }
bool is_link_local_unicast(const Address& a) {
  return a.v4 ? begins(a, {169, 254}, {}) : a.bytes[0] == 0xFE && (a.bytes[1] & 0xC0) == 0x80;
}
bool is_global_unicast(const Address& a) {
  return !begins(a, {255, 255, 255, 255}, {}) && !is_unspecified(a) && !is_loopback(a) && !is_multicast(a) &&
         !is_link_local_unicast(a);
}

template <bool (*Test)(const Address&)>
Value ip_test(Args args) {
  return Value::boolean(Test(ip_of(args[0])));
}

}  // namespace

void add_addresses(Functions& to) {
  to.global("ip", "string_to_ip", "string -> net.IP", to_ip);
  to.member("family", "ip_family", "net.IP -> int",
            [](Args args) { return Value::integer(ip_of(args[0]).v4 ? 4 : 6); });
  to.global("ip.isCanonical", "ip_is_canonical", "string -> bool", [](Args args) {
    std::string problem;
    const auto address = parse_ip(args[0].text(), problem);
    return address ? Value::boolean(address->text() == args[0].text()) : Value::error(problem);
  });
  to.member("isUnspecified", "ip_is_unspecified", "net.IP -> bool", ip_test<is_unspecified>);
  to.member("isLoopback", "ip_is_loopback", "net.IP -> bool", ip_test<is_loopback>);
  to.member("isLinkLocalMulticast", "ip_is_link_local_multicast", "net.IP -> bool", ip_test<is_link_local_multicast>);
  to.member("isLinkLocalUnicast", "ip_is_link_local_unicast", "net.IP -> bool", ip_test<is_link_local_unicast>);
  to.member("isGlobalUnicast", "ip_is_global_unicast", "net.IP -> bool", ip_test<is_global_unicast>);
  to.global("isIP", "is_ip", "string -> bool", [](Args args) {
    std::string problem;
    return Value::boolean(parse_ip(args[0].text(), problem).has_value());
  });
  to.global("string", "ip_to_string", "net.IP -> string",
            [](Args args) { return Value::string(ip_of(args[0]).text()); });
  to.global("cidr", "string_to_cidr", "string -> net.CIDR", to_cidr);
  to.member("containsIP", "cidr_contains_ip_string", "net.CIDR, string -> bool", contains_ip);
  to.member("containsIP", "cidr_contains_ip_ip", "net.CIDR, net.IP -> bool", contains_ip);
  to.member("containsCIDR", "cidr_contains_cidr_string", "net.CIDR, string -> bool", contains_cidr);
  to.member("containsCIDR", "cidr_contains_cidr", "net.CIDR, net.CIDR -> bool", contains_cidr);
  to.member("ip", "cidr_ip", "net.CIDR -> net.IP", [](Args args) { return ip_value(cidr_of(args[0]).address); });
  to.member("prefixLength", "cidr_prefix_length", "net.CIDR -> int",
            [](Args args) { return Value::integer(cidr_of(args[0]).bits); });
  to.member("masked", "cidr_masked", "net.CIDR -> net.CIDR", masked);
  to.global("isCIDR", "is_cidr", "string -> bool", [](Args args) {
    std::string problem;
    return Value::boolean(parse_cidr(args[0].text(), problem).has_value());
  });
  to.global("string", "cidr_to_string", "net.CIDR -> string",
            [](Args args) { return Value::string(cidr_of(args[0]).text()); });
}

}  // namespace flyball::cel
