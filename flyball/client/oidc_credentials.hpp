// Credentials from an OpenID Connect provider: the id token, and another one when it expires.
//
//   config.credentials = oidc_credentials(clock, {.issuer = "https://login.example.com", .client_id = "kubernetes",
//                                                 .id_token = Secret("eyJ..."), .refresh_token = Secret("...")});
//
// The provider is asked (its discovery document, then its token endpoint) when the id token is missing, is within ten
// seconds of its `exp`, or was not accepted by the API server. Without a refresh token the id token is all there is.
// A refresh token that the provider replaced is kept in memory only: a kubeconfig is never written.
//
// Errors: Error with the issuer and what it answered; net::NetError when it cannot be reached.
//
// Thread-safety: what is returned may be used from any thread. Lifetime: the clock outlives it.
#pragma once

#include <memory>
#include <string>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/client/config.hpp"
#include "flyball/net/proxy.hpp"

namespace flyball::client {

struct OidcOptions {
  std::string issuer = {};  // its URL
  std::string client_id = {};
  Secret client_secret = {};
  Secret id_token = {};
  Secret refresh_token = {};
  std::string ca = {};  // of the issuer, as PEM text or file; without both the system's roots
  std::string ca_file = {};
  net::ProxyRules proxy = {};
  Logger log = {};
};

// Throws InputError when there is neither an id token nor the means to get one.
std::shared_ptr<Credentials> oidc_credentials(Clock& clock, OidcOptions options);

}  // namespace flyball::client
