#include "flyball/net/proxy.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "flyball/base/error.hpp"

namespace flyball::net {
namespace {

struct Address {
  std::array<unsigned char, 16> bytes{};
  std::size_t size = 0;  // 4 or 16; 0: no address
};

Address address_of(const std::string& text) {
  Address address;
  if (::inet_pton(AF_INET, text.c_str(), address.bytes.data()) == 1)
    address.size = 4;
  else if (::inet_pton(AF_INET6, text.c_str(), address.bytes.data()) == 1)
    address.size = 16;
  return address;
}

bool in_network(const Address& address, const std::string& network) {
  const std::size_t slash = network.find('/');
  const Address base = address_of(network.substr(0, slash));
  if (base.size == 0 || base.size != address.size) return false;
  unsigned bits = static_cast<unsigned>(base.size * 8);
  if (slash != std::string::npos) {
    unsigned given = 0;
    const char* end = network.data() + network.size();
    const auto read = std::from_chars(network.data() + slash + 1, end, given);
    if (read.ec != std::errc() || read.ptr != end || given > bits) return false;
    bits = given;
  }
  const std::size_t whole = bits / 8;
  if (std::memcmp(base.bytes.data(), address.bytes.data(), whole) != 0) return false;
  const unsigned rest = bits % 8;
  return rest == 0 || (base.bytes[whole] >> (8 - rest)) == (address.bytes[whole] >> (8 - rest));
}

bool is_own_machine(const std::string& host) {
  if (host == "localhost" || host.ends_with(".localhost")) return true;
  const Address address = address_of(host);
  return in_network(address, "127.0.0.0/8") || in_network(address, "::1");
}

// One entry of NO_PROXY, in lower case.
bool is_exempt(std::string entry, const Url& target) {
  if (entry == "*") return true;
  const Address address = address_of(target.host);
  if (address.size != 0 && in_network(address, entry)) return true;
  if (entry.starts_with('[')) {
    const std::size_t close = std::min(entry.find(']'), entry.size() - 1);
    const std::string port = entry.substr(close + 1);
    entry = entry.substr(1, close - 1);
    return entry == target.host && (port.empty() || port == ":" + std::to_string(target.effective_port()));
  }
  if (const std::size_t colon = entry.find(':'); colon != std::string::npos && entry.rfind(':') == colon) {
    if (entry.substr(colon + 1) != std::to_string(target.effective_port())) return false;
    entry.resize(colon);
  }
  if (entry.starts_with("*.")) entry.erase(0, 1);
  if (entry.starts_with('.')) return target.host.ends_with(entry);
  return target.host == entry || target.host.ends_with("." + entry);
}

std::optional<Url> read_proxy(const std::string& name, const std::string& text) {
  if (text.empty()) return std::nullopt;
  try {
    // "proxy:3128" is what many people write.
    return Url::parse(text.find("://") == std::string::npos ? "http://" + text : text);
  } catch (const InputError& error) {
    throw InputError({}, name, error.problem());
  }
}

}  // namespace

ProxyRules ProxyRules::from_environment() {
  return from([](const char* name) -> std::string {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
    return value == nullptr ? "" : value;
  });
}

ProxyRules ProxyRules::from(const std::function<std::string(const char*)>& variable) {
  const auto either = [&](const char* upper, const char* lower) {
    std::string value = variable(upper);
    return value.empty() ? variable(lower) : value;
  };
  ProxyRules rules{.http = read_proxy("HTTP_PROXY", either("HTTP_PROXY", "http_proxy")),
                   .https = read_proxy("HTTPS_PROXY", either("HTTPS_PROXY", "https_proxy"))};
  std::string entry;
  for (const char c : either("NO_PROXY", "no_proxy") + ",") {
    if (c == ',' || c == ' ') {
      if (!entry.empty()) rules.no_proxy.push_back(entry);
      entry.clear();
    } else {
      entry += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    }
  }
  return rules;
}

ProxyRules ProxyRules::all_through(const Url& proxy) { return {.http = proxy, .https = proxy, .local_too = true}; }

const Url* ProxyRules::find(const Url& target) const {
  const bool secure = target.scheme == "https" || target.scheme == "wss";
  const std::optional<Url>& proxy = secure ? https : http;
  if (!proxy || (!local_too && is_own_machine(target.host))) return nullptr;
  const bool exempt =
      std::any_of(no_proxy.begin(), no_proxy.end(), [&](const std::string& entry) { return is_exempt(entry, target); });
  return exempt ? nullptr : &*proxy;
}

}  // namespace flyball::net
