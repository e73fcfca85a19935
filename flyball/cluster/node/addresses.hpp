// Addresses: the IPv4 addresses of a range, each given to one pod at a time.
//
//   Addresses addresses("10.244.0.0", 24);
//   const std::uint32_t mine = addresses.take();       // 10.244.0.2: the first is the bridge's
//   address_text(mine);
//
// The one that was given back longest ago comes last: who still holds an old address does not meet a new pod at it.
//
// Errors: take() throws Error when there is none left.
//
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace flyball::cluster::node {

std::string address_text(std::uint32_t address);
// Throws Error when it is none.
std::uint32_t address_of(const std::string& text);

class Addresses {
 public:
  Addresses(const std::string& range, int prefix)
      : first_(address_of(range) + 2), size_((std::uint32_t{1} << static_cast<unsigned>(32 - prefix)) - 3) {}

  std::uint32_t take();
  void give_back(std::uint32_t address) { taken_.erase(address); }
  // The first of the range: the node's own.
  std::string gateway() const { return address_text(first_ - 1); }

 private:
  const std::uint32_t first_;
  const std::uint32_t size_;
  std::uint32_t next_ = 0;
  std::set<std::uint32_t> taken_ = {};
};

}  // namespace flyball::cluster::node
