#include "flyball/net/url.hpp"

#include <algorithm>
#include <charconv>

#include "flyball/base/error.hpp"
#include "flyball/base/text.hpp"

namespace flyball::net {
namespace {

bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_hex(char c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_plain(char c) noexcept { return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~'; }

int hex_value(char c) noexcept {
  if (is_digit(c)) return c - '0';
  return (c | 0x20) - 'a' + 10;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return out;
}

// The text as it may be shown: what stands before an "@" may be a password.
std::string shown(std::string_view text) {
  const std::size_t start = text.find("://");
  const std::size_t at = text.rfind('@');
  std::string visible(text);
  if (at != std::string_view::npos) {
    const std::size_t from = start == std::string_view::npos || start > at ? 0 : start + 3;
    visible = std::string(text.substr(0, from)) + "..." + std::string(text.substr(at));
  }
  std::string out;
  append_json_string(out, visible);
  return out;
}

[[noreturn]] void fail(std::string_view text, const std::string& problem) {
  throw InputError({}, "", shown(text) + " is no URL we can use: " + problem);
}

// Takes "[v6]:port" or "name:port" apart.
void read_host(std::string_view all, std::string_view host_port, Url& url) {
  std::string_view host = host_port;
  std::string_view port;
  bool has_port = false;
  if (host_port.starts_with('[')) {
    const std::size_t close = host_port.find(']');
    if (close == std::string_view::npos) fail(all, "the \"[\" of the IPv6 address is not closed");
    host = host_port.substr(1, close - 1);
    const std::string_view rest = host_port.substr(close + 1);
    if (!rest.empty() && rest[0] != ':') fail(all, "after the \"]\" only a port may follow");
    has_port = !rest.empty();
    if (has_port) port = rest.substr(1);
    const bool v6 = host.find(':') != std::string_view::npos &&
                    std::all_of(host.begin(), host.end(), [](char c) { return is_hex(c) || c == ':' || c == '.'; });
    if (!v6) fail(all, "between \"[\" and \"]\" stands no IPv6 address");
  } else if (const std::size_t colon = host_port.find(':'); colon != std::string_view::npos) {
    host = host_port.substr(0, colon);
    port = host_port.substr(colon + 1);
    has_port = true;
    if (port.find(':') != std::string_view::npos) fail(all, "an IPv6 address stands in brackets: [::1]:6443");
  }
  if (host.empty()) fail(all, "the host is missing");
  if (!host_port.starts_with('[') && !std::all_of(host.begin(), host.end(), is_plain)) {
    fail(all, "the host has a character that no host name has");
  }
  url.host = lowered(host);
  if (!has_port) return;
  unsigned number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error != std::errc() || end != port.data() + port.size() || number == 0 || number > 65535) {
    fail(all, "the port is not a number from 1 to 65535");
  }
  url.port = static_cast<std::uint16_t>(number);
}

void read_user(std::string_view all, std::string_view user, Url& url) {
  const std::size_t colon = user.find(':');
  const auto name = percent_decode(user.substr(0, colon));
  const auto password = percent_decode(colon == std::string_view::npos ? "" : user.substr(colon + 1));
  if (!name || !password) fail(all, "a \"%\" in the user or password is not followed by two hexadecimal digits");
  url.user = *name;
  url.password = Secret(*password);
}

}  // namespace

Url Url::parse(std::string_view text) {
  if (std::any_of(text.begin(), text.end(), [](char c) { return c <= 0x20 || c == 0x7f; })) {
    fail(text, "it has a space, a control character or a byte outside ASCII; percent-encode it");
  }
  const std::size_t colon = text.find("://");
  const std::string_view scheme = text.substr(0, std::min(colon, text.size()));
  const bool is_scheme = colon != std::string_view::npos && !scheme.empty() && is_letter(scheme[0]) &&
                         std::all_of(scheme.begin(), scheme.end(), [](char c) {
                           return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
                         });
  if (!is_scheme) fail(text, "it does not begin with a scheme such as https://");
  Url url{.scheme = lowered(scheme), .host = {}};
  std::string_view rest = text.substr(colon + 3);
  rest = rest.substr(0, rest.find('#'));
  const std::size_t slash = std::min(rest.find_first_of("/?"), rest.size());
  std::string_view authority = rest.substr(0, slash);
  rest.remove_prefix(slash);
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    read_user(text, authority.substr(0, at), url);
    authority.remove_prefix(at + 1);
  }
  read_host(text, authority, url);
  const std::size_t question = rest.find('?');
  url.path = rest.substr(0, question);
  if (url.path.empty()) url.path = "/";
  if (question != std::string_view::npos) url.query = rest.substr(question + 1);
  return url;
}

std::uint16_t Url::effective_port() const noexcept {
  if (port != 0) return port;
  if (scheme == "https" || scheme == "wss") return 443;
  if (scheme == "http" || scheme == "ws") return 80;
  return scheme.starts_with("socks5") ? 1080 : 0;
}

std::string Url::target() const { return query.empty() ? path : path + "?" + query; }

std::string Url::host_header() const {
  const Url plain{.scheme = scheme, .host = {}};
  if (port != 0 && port != plain.effective_port()) return host_and_port(host, port);
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

std::string Url::origin() const { return scheme + "://" + host_and_port(host, effective_port()); }

std::string Url::text() const { return scheme + "://" + host_header() + target(); }

std::string host_and_port(std::string_view host, std::uint16_t port) {
  std::string out;
  const bool v6 = host.find(':') != std::string_view::npos;
  if (v6) out += '[';
  out += host;
  if (v6) out += ']';
  return out + ":" + std::to_string(port);
}

std::string percent_encode(std::string_view text, std::string_view keep) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (is_plain(c) || keep.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHex[byte >> 4U];
    out += kHex[byte & 15U];
  }
  return out;
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size() || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) return std::nullopt;
    out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
    i += 2;
  }
  return out;
}

Query& Query::add(std::string_view name, std::string_view value) {
  if (!text_.empty()) text_ += '&';
  text_ += percent_encode(name) + "=" + percent_encode(value);
  return *this;
}

std::vector<std::pair<std::string, std::string>> Query::parse(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('&'), text.size());
    std::string part(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (part.empty()) continue;
    std::replace(part.begin(), part.end(), '+', ' ');
    const std::size_t equals = part.find('=');
    const auto name = percent_decode(std::string_view(part).substr(0, equals));
    const auto value = percent_decode(equals == std::string::npos ? "" : std::string_view(part).substr(equals + 1));
    if (!name || !value) {
      throw InputError({}, "query", "in \"" + part + "\" a \"%\" is not followed by two hexadecimal digits");
    }
    pairs.emplace_back(*name, *value);
  }
  return pairs;
}

}  // namespace flyball::net
