// IP addresses as Go's net/netip reads and writes them.
//
// Thread-safety: values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace flyball::cel::detail {

struct Address {
  std::array<std::uint8_t, 16> bytes = {};  // an IPv4 address in the first four
  bool v4 = false;
  bool zoned = false;  // fe80::1%eth0
  std::size_t size() const { return v4 ? 4 : 16; }
  bool is_4_in_6() const;
  std::string text() const;
  friend bool operator==(const Address&, const Address&) = default;
};

// `problem` gets netip.ParseAddr's words.
std::optional<Address> parse_address(std::string_view text, std::string& problem);

}  // namespace flyball::cel::detail
