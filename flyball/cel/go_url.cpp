#include "flyball/cel/detail/go_url.hpp"

#include <algorithm>

#include "flyball/cel/detail/address.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::cel::detail {
namespace {

using kube::go::quote;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
int hex(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

enum class Place : char { path, host, user, query, fragment };

// Whether the character must be written as %xx there.
bool must_escape(char c, Place place) {
  if (is_letter(c) || is_digit(c)) return false;
  if (place == Place::host && std::string_view("!$&'()*+,;=:[]<>\"").find(c) != std::string_view::npos) return false;
  if (std::string_view("-_.~").find(c) != std::string_view::npos) return false;
  if (std::string_view("$&+,/:;=?@").find(c) != std::string_view::npos) {
    switch (place) {
      case Place::path: return c == '?';
      case Place::user: return c == '@' || c == '/' || c == '?' || c == ':';
      case Place::query: return true;
      case Place::fragment: return false;
      default: return true;
    }
  }
  return place != Place::fragment || std::string_view("!()*").find(c) == std::string_view::npos;
}

std::string escape(std::string_view text, Place place) {
  std::string made;
  for (const char c : text) {
    if (!must_escape(c, place)) {
      made += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    made += '%';
    made += "0123456789ABCDEF"[byte >> 4];
    made += "0123456789ABCDEF"[byte & 15];
  }
  return made;
}

std::optional<std::string> unescape(std::string_view text, Place place, std::string& problem) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size() || hex(text[i + 1]) < 0 || hex(text[i + 2]) < 0) {
        problem = "invalid URL escape " + quote(text.substr(i, 3));
        return std::nullopt;
      }
      const int byte = hex(text[i + 1]) * 16 + hex(text[i + 2]);
      if (place == Place::host && hex(text[i + 1]) < 8 && text.substr(i, 3) != "%25") {
        problem = "invalid URL escape " + quote(text.substr(i, 3));
        return std::nullopt;
      }
      made += static_cast<char>(byte);
      i += 2;
    } else if (c == '+' && place == Place::query) {
      made += ' ';
    } else if (place == Place::host && static_cast<unsigned char>(c) < 0x80 && must_escape(c, place)) {
      problem = "invalid character " + quote(text.substr(i, 1)) + " in host name";
      return std::nullopt;
    } else {
      made += c;
    }
  }
  return made;
}

bool valid_port(std::string_view port) {
  return port.empty() || (port[0] == ':' && std::all_of(port.begin() + 1, port.end(), is_digit));
}

class Reader {
 public:
  Reader(bool request, std::string& problem) : request_(request), problem_(problem) {}

  std::optional<GoUrl> read(std::string_view text) {
    if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; })) {
      return fail("net/url: invalid control character in URL");
    }
    if (text.empty() && request_) return fail("empty url");
    GoUrl url;
    if (text == "*") {
      url.path = "*";
      return url;
    }
    std::string_view rest = text;
    if (!scheme(rest, url.scheme)) return std::nullopt;
    if (rest.ends_with('?') && std::ranges::count(rest, '?') == 1) {
      url.bare_question_mark = true;
      rest.remove_suffix(1);
    } else if (const std::size_t mark = rest.find('?'); mark != std::string_view::npos) {
      url.query = rest.substr(mark + 1);
      rest = rest.substr(0, mark);
    }
    if (!rest.starts_with('/')) {
      if (!url.scheme.empty()) {
        url.opaque = rest;
        return url;
      }
      if (request_) return fail("invalid URI for request");
      if (rest.substr(0, rest.find('/')).find(':') != std::string_view::npos) {
        return fail("first path segment in URL cannot contain colon");
      }
    }
    if ((!url.scheme.empty() || (!request_ && !rest.starts_with("///"))) && rest.starts_with("//")) {
      rest.remove_prefix(2);
      const std::string_view authority = rest.substr(0, rest.find('/'));
      rest.remove_prefix(authority.size());
      if (!read_authority(authority, url)) return std::nullopt;
    } else if (!url.scheme.empty() && rest.starts_with('/')) {
      url.omits_host = true;
    }
    if (!unescape(rest, Place::path, problem_)) return std::nullopt;
    url.path = rest;
    return url;
  }

 private:
  std::nullopt_t fail(std::string problem) {
    problem_ = std::move(problem);
    return std::nullopt;
  }

  bool scheme(std::string_view& rest, std::string& to) {
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const char c = rest[i];
      if (is_letter(c)) continue;
      if (is_digit(c) || c == '+' || c == '-' || c == '.') {
        if (i == 0) return true;
        continue;
      }
      if (c != ':') return true;
      if (i == 0) return fail("missing protocol scheme"), false;
      for (const char letter : rest.substr(0, i)) {
        to += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
      }
      rest.remove_prefix(i + 1);
      return true;
    }
    return true;
  }

  bool read_authority(std::string_view authority, GoUrl& url) {
    const std::size_t at = authority.rfind('@');
    if (!read_host(at == std::string_view::npos ? authority : authority.substr(at + 1), url)) return false;
    if (at == std::string_view::npos) return true;
    const std::string_view user = authority.substr(0, at);
    const bool valid = std::ranges::all_of(user, [](char c) {
      return is_letter(c) || is_digit(c) || std::string_view("-._:~!$&'()*+,;=%@").find(c) != std::string_view::npos;
    });
    if (!valid) return fail("net/url: invalid userinfo"), false;
    if (!unescape(user, Place::user, problem_)) return false;
    url.user = user;
    return true;
  }

  bool read_host(std::string_view host, GoUrl& url) {
    const std::size_t open = host.rfind('[');
    if (open != std::string_view::npos && open > 0) return fail("invalid IP-literal"), false;
    if (open == 0) {
      const std::size_t close = host.rfind(']');
      if (close == std::string_view::npos) return fail("missing ']' in host"), false;
      const std::string_view port = host.substr(close + 1);
      if (!valid_port(port)) return fail("invalid port " + quote(port) + " after host"), false;
      const auto name = unescape(host.substr(1, close - 1), Place::host, problem_);
      if (!name) return false;
      std::string why;
      const std::optional<Address> address = parse_address(*name, why);
      if (!address) return fail("invalid host: " + why), false;
      if (address->v4) return fail("invalid IP-literal"), false;
      url.host = "[" + *name + "]" + std::string(port);
      return true;
    }
    if (std::size_t colon = host.find(':'); colon != std::string_view::npos) {
      if (url.scheme != "http" && url.scheme != "https") colon = host.rfind(':');
      const std::string_view port = host.substr(colon);
      if (!valid_port(port)) return fail("invalid port " + quote(port) + " after host"), false;
    }
    const auto name = unescape(host, Place::host, problem_);
    if (!name) return false;
    url.host = *name;
    return true;
  }

  bool request_;
  std::string& problem_;
};

bool valid_encoded(std::string_view text, Place place) {
  return std::ranges::all_of(text, [&](char c) {
    return std::string_view("!$&'()*+,;=:@[]%").find(c) != std::string_view::npos || !must_escape(c, place);
  });
}

}  // namespace

std::string GoUrl::escaped_path() const {
  std::string unused;
  const std::string plain = unescape(path, Place::path, unused).value_or("");
  const std::string escaped = escape(plain, Place::path);
  if (path != escaped && valid_encoded(path, Place::path)) return path;
  return plain == "*" ? "*" : escaped;
}

std::string GoUrl::hostname() const {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  const std::size_t colon = host.rfind(':');
  const bool has_port = colon != std::string::npos && valid_port(host.substr(colon));
  return has_port ? host.substr(0, colon) : host;
}

std::string GoUrl::port() const {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string::npos || !valid_port(host.substr(colon))) return "";
  return host.substr(colon + 1);
}

std::map<std::string, std::vector<std::string>> GoUrl::query_values() const {
  std::map<std::string, std::vector<std::string>> values;
  for (std::string_view rest = query; !rest.empty();) {
    std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    if (part.empty() || part.find(';') != std::string_view::npos) continue;
    const std::size_t equals = part.find('=');
    std::string unused;
    const auto key = unescape(part.substr(0, equals), Place::query, unused);
    const auto value = unescape(equals == std::string_view::npos ? "" : part.substr(equals + 1), Place::query, unused);
    if (key && value) values[*key].push_back(*value);
  }
  return values;
}

std::string GoUrl::text() const {
  std::string made = scheme.empty() ? "" : scheme + ":";
  if (!opaque.empty()) {
    made += opaque;
  } else {
    if (!scheme.empty() || !host.empty() || user) {
      if (!omits_host || !host.empty() || user) {
        if (!host.empty() || !path.empty() || user) made += "//";
        if (user) made += *user + "@";
        made += escape(host, Place::host);
      }
    }
    made += escaped_path();
  }
  if (bare_question_mark || !query.empty()) made += "?" + query;
  if (fragment && !fragment->empty()) made += "#" + *fragment;
  return made;
}

std::optional<GoUrl> parse_url(const std::string& text, std::string& problem) {
  const auto told = [&](std::string_view of) {
    problem = "parse " + quote(of) + ": " + problem;
    return std::nullopt;
  };
  if (!Reader(true, problem).read(text)) return told(text);
  const std::size_t hash = text.find('#');
  const std::string before = text.substr(0, hash);
  std::optional<GoUrl> url = Reader(false, problem).read(before);
  if (!url) return told(before);
  if (hash == std::string::npos || hash + 1 == text.size()) return url;
  const auto fragment = unescape(std::string_view(text).substr(hash + 1), Place::fragment, problem);
  if (!fragment) return told(text);
  url->fragment = escape(*fragment, Place::fragment);
  return url;
}

}  // namespace flyball::cel::detail
