// Url: where to send a request. And percent-encoding, and a builder for queries.
//
//   const Url url = Url::parse("https://[::1]:6443/api/v1/pods?watch=1");
//   url.host            // "::1", without brackets
//   url.effective_port()// 6443; 443 or 80 when the text names none
//   url.target()        // "/api/v1/pods?watch=1", for the request line
//
//   Query query;
//   query.add("labelSelector", "app in (a, b)");
//   query.text()        // "labelSelector=app%20in%20%28a%2C%20b%29"
//
// Thread-safety: values. Lifetime: nothing refers to the text that was parsed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/base/secret.hpp"

namespace flyball::net {

struct Url {
  std::string scheme;      // lower case: "https"
  std::string user = {};   // decoded; empty without
  Secret password = {};    // decoded
  std::string host;        // lower case; an IPv6 address without brackets
  std::uint16_t port = 0;  // 0: not named
  std::string path = "/";  // as written, percent-encoded; begins with "/"
  std::string query = {};  // as written, without the "?"

  // Throws InputError that says what is wrong with which text. A password in it is not repeated. The fragment is
  // dropped.
  static Url parse(std::string_view text);

  // The port named, or that of the scheme (http 80, https and wss 443, socks5 1080); 0 for an unknown scheme.
  std::uint16_t effective_port() const noexcept;
  // Path and query, for the request line.
  std::string target() const;
  // "host:port" with brackets where needed and without the scheme's own port: for the Host header.
  std::string host_header() const;
  // "https://host:6443", always with the port: connections to equal origins can be shared.
  std::string origin() const;
  // Without user and password, which do not belong into logs.
  std::string text() const;

  friend bool operator==(const Url&, const Url&) = default;
};

// "host:port", with brackets around an IPv6 address.
std::string host_and_port(std::string_view host, std::uint16_t port);

// Every byte except letters, digits and "-._~" becomes %XX; bytes in `keep` stay too ("/" for a whole path).
std::string percent_encode(std::string_view text, std::string_view keep = {});
// Empty when a "%" is not followed by two hexadecimal digits. "+" stays "+".
std::optional<std::string> percent_decode(std::string_view text);

class Query {
 public:
  Query& add(std::string_view name, std::string_view value);
  bool empty() const noexcept { return text_.empty(); }
  const std::string& text() const noexcept { return text_; }

  // The pairs of a query as servers read it: "+" is a space. Throws InputError for a wrong escape.
  static std::vector<std::pair<std::string, std::string>> parse(std::string_view text);

 private:
  std::string text_;
};

}  // namespace flyball::net
