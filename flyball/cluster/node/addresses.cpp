#include "flyball/cluster/node/addresses.hpp"

#include <array>

#include <arpa/inet.h>

#include "flyball/base/error.hpp"

namespace flyball::cluster::node {

std::string address_text(std::uint32_t address) {
  std::array<char, INET_ADDRSTRLEN> text{};
  const in_addr raw{.s_addr = htonl(address)};
  return ::inet_ntop(AF_INET, &raw, text.data(), text.size());
}

std::uint32_t address_of(const std::string& text) {
  in_addr raw{};
  if (::inet_pton(AF_INET, text.c_str(), &raw) != 1) throw Error("\"" + text + "\" is no IPv4 address");
  return ntohl(raw.s_addr);
}

std::uint32_t Addresses::take() {
  for (std::uint32_t tries = 0; tries < size_; ++tries) {
    const std::uint32_t address = first_ + next_;
    next_ = (next_ + 1) % size_;
    if (taken_.insert(address).second) return address;
  }
  throw Error("no address is left for another pod: all " + std::to_string(size_) + " are taken");
}

}  // namespace flyball::cluster::node
