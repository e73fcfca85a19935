// IP addresses: what Kubernetes reads as one, and its canonical form.
#include <algorithm>
#include <array>
#include <optional>

#include "flyball/kube/detail/go_text.hpp"
#include "flyball/kube/names.hpp"

namespace flyball::kube::names {

namespace {

struct Address {
  std::array<std::uint16_t, 8> groups = {};
  bool is_v4 = false;              // the last two groups hold it
  bool has_leading_zeros = false;  // 010.0.0.1, or a group of more than four digits
  bool is_v4_in_v6 = false;
};

// Reads digits of `base` off the front. Kubernetes' reader takes any number of leading zeros.
std::optional<std::uint32_t> take_number(std::string_view& text, std::uint32_t base, std::uint32_t limit,
                                         std::size_t& length) {
  std::uint32_t value = 0;
  for (length = 0; length < text.size(); ++length) {
    const char c = text[length];
    std::uint32_t digit = 99;
    if (c >= '0' && c <= '9') digit = static_cast<std::uint32_t>(c - '0');
    if (c >= 'a' && c <= 'f') digit = static_cast<std::uint32_t>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') digit = static_cast<std::uint32_t>(c - 'A' + 10);
    if (digit >= base) break;
    value = value * base + digit;
    if (value > limit) return std::nullopt;
  }
  if (length == 0) return std::nullopt;
  text.remove_prefix(length);
  return value;
}

bool read_v4(std::string_view text, Address& address, std::size_t group) {
  for (int i = 0; i < 4; ++i) {
    if (i > 0) {
      if (!text.starts_with('.')) return false;
      text.remove_prefix(1);
    }
    const bool zero = text.starts_with('0');
    std::size_t length = 0;
    const auto octet = take_number(text, 10, 255, length);
    if (!octet) return false;
    if (zero && length > 1) address.has_leading_zeros = true;
    auto& place = address.groups[group + static_cast<std::size_t>(i) / 2];
    place = static_cast<std::uint16_t>(place * 256 + *octet);
  }
  return text.empty();
}

// Puts the zeros of `::` where it stood.
bool expand(Address& address, std::size_t count, std::optional<std::size_t> ellipsis) {
  if (!ellipsis) return count == 8;
  if (count == 8) return false;
  const auto begin = address.groups.begin();
  std::rotate(begin + static_cast<std::ptrdiff_t>(*ellipsis), begin + static_cast<std::ptrdiff_t>(count),
              address.groups.end());
  return true;
}

bool read_v6(std::string_view text, Address& address) {
  std::optional<std::size_t> ellipsis;
  std::size_t count = 0;
  if (text.starts_with("::")) {
    ellipsis = 0;
    text.remove_prefix(2);
  }
  while (!text.empty() && count < 8) {
    const std::string_view here = text;
    std::size_t length = 0;
    const auto group = take_number(text, 16, 0xFFFF, length);
    if (!group) return false;
    if (text.starts_with('.')) {
      if ((!ellipsis && count != 6) || count > 6 || !read_v4(here, address, count)) return false;
      count += 2;
      text = {};
      break;
    }
    if (length > 4) address.has_leading_zeros = true;
    address.groups[count++] = static_cast<std::uint16_t>(*group);
    if (text.empty()) break;
    if (text[0] != ':' || text.size() == 1) return false;
    text.remove_prefix(1);
    if (text[0] != ':') continue;
    if (ellipsis) return false;
    ellipsis = count;
    text.remove_prefix(1);
  }
  return text.empty() && expand(address, count, ellipsis);
}

std::optional<Address> read_address(std::string_view text) {
  Address address;
  const std::size_t first = text.find_first_of(".:");
  if (first == std::string_view::npos) return std::nullopt;
  address.is_v4 = text[first] == '.';
  if (address.is_v4 ? !read_v4(text, address, 6) : !read_v6(text, address)) return std::nullopt;
  const bool zeros = std::all_of(address.groups.begin(), address.groups.begin() + 5, [](auto g) { return g == 0; });
  address.is_v4_in_v6 = !address.is_v4 && zeros && address.groups[5] == 0xFFFF;
  return address;
}

std::string hex(std::uint16_t value) {
  std::string text;
  for (int shift = 12; shift >= 0; shift -= 4) {
    const int digit = (value >> shift) & 0xF;
    if (digit != 0 || !text.empty() || shift == 0) text += "0123456789abcdef"[digit];
  }
  return text;
}

// RFC 5952: the first of the longest runs of two or more zero groups becomes `::`.
std::string canonical_v6(const Address& address) {
  std::size_t best = 8;
  std::size_t best_size = 1;
  for (std::size_t i = 0; i < 8; ++i) {
    std::size_t size = 0;
    while (i + size < 8 && address.groups[i + size] == 0) ++size;
    if (size > best_size) {
      best = i;
      best_size = size;
    }
  }
  std::string text;
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == best) {
      text += "::";
      i += best_size - 1;
      continue;
    }
    if (!text.empty() && !text.ends_with(':')) text += ':';
    text += hex(address.groups[i]);
  }
  return text;
}

std::string canonical(const Address& address) {
  if (!address.is_v4) return canonical_v6(address);
  std::string text;
  for (const std::size_t group : {6U, 7U}) {
    if (!text.empty()) text += '.';
    text += std::to_string(address.groups[group] >> 8) + "." + std::to_string(address.groups[group] & 0xFF);
  }
  return text;
}

// What is wrong with an address in whatever form.
Messages problems_of(const std::optional<Address>& address) {
  if (!address) return {"must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"};
  if (address->has_leading_zeros) return {"must not have leading 0s"};
  if (address->is_v4_in_v6) return {"must not be an IPv4-mapped IPv6 address"};
  return {};
}

}  // namespace

Messages ip_in_old_field(std::string_view value) { return problems_of(read_address(value)); }

Messages ip(std::string_view value) {
  const auto address = read_address(value);
  Messages messages = problems_of(address);
  if (!address || !messages.empty()) return messages;
  const std::string wanted = canonical(*address);
  if (value != wanted) messages.push_back("must be in canonical form (" + detail::quote(wanted) + ")");
  return messages;
}

}  // namespace flyball::kube::names
