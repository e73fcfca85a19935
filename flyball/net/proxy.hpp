// ProxyRules: which requests go through a proxy. As curl, Go and everybody else reads the environment.
//
//   ProxyRules rules = ProxyRules::from_environment();
//   if (const Url* proxy = rules.find(url)) ...             // null: go there directly
//
// NO_PROXY is a list: "example.com" (and what is below it), ".example.com" (only what is below), "10.0.0.0/8",
// "10.1.2.3", each with ":port" if wanted, or "*". The own machine (localhost, 127.0.0.0/8, ::1) is never proxied by
// the environment.
//
// Thread-safety: a value. Lifetime: a pointer from find() lives as long as the rules.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/net/url.hpp"

namespace flyball::net {

struct ProxyRules {
  std::optional<Url> http = {};            // for http:// targets
  std::optional<Url> https = {};           // for https:// targets
  std::vector<std::string> no_proxy = {};  // in the words of NO_PROXY
  bool local_too = false;                  // proxy the own machine as well

  // HTTP_PROXY, HTTPS_PROXY and NO_PROXY, or their lower-case spellings. Throws InputError for a proxy that is no URL.
  static ProxyRules from_environment();
  static ProxyRules from(const std::function<std::string(const char*)>& variable);
  // Everything through one, as `proxy-url` in a kubeconfig says.
  static ProxyRules all_through(const Url& proxy);

  const Url* find(const Url& target) const;
};

}  // namespace flyball::net
