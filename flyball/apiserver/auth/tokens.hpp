// TokenAuthority: makes and reads the tokens of service accounts: JSON Web Tokens, signed with a key of this server.
//
//   const TokenAuthority tokens(net::SigningKey::make());
//   const std::string token = tokens.issue({.subject = "system:serviceaccount:shop:web", …});
//   const TokenClaims claims = tokens.read(token);       // throws TokenError: not one of ours, not yet, no more
//
// Whether the account and the pod it was made for are still there is for authentication.hpp to see.
//
// Thread-safety: const members may be called from any thread. Lifetime: a value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/error.hpp"
#include "flyball/json/value.hpp"
#include "flyball/net/signature.hpp"

namespace flyball::apiserver {

// An object that a token is bound to: without it the token is worth nothing.
struct TokenObject {
  std::string name = {};
  std::string uid = {};
  friend bool operator==(const TokenObject&, const TokenObject&) = default;
};

struct TokenClaims {
  std::vector<std::string> audiences = {};
  std::string subject = {};     // "system:serviceaccount:shop:web"
  std::string namespace_ = {};  // of the account
  TokenObject account = {};
  TokenObject pod = {};  // empty: not bound to one
  TokenObject node = {};
  TokenObject secret = {};
  std::string id = {};
  std::int64_t issued = 0;  // seconds since 1970
  std::int64_t expires = 0;
  friend bool operator==(const TokenClaims&, const TokenClaims&) = default;
};

class TokenError : public Error {
 public:
  using Error::Error;
};

class TokenAuthority {
 public:
  explicit TokenAuthority(net::SigningKey key);

  std::string issue(const TokenClaims& claims) const;
  // Signature, issuer and time are right; for whom it is meant is not looked at.
  TokenClaims read(std::string_view token, WallTime now) const;
  // The public key as a JSON Web Key Set: what /openid/v1/jwks says.
  json::Value keys() const;

 private:
  net::SigningKey key_;
  std::string key_id_;
};

// Who issues tokens, and whom they are for unless somebody else is asked for.
inline constexpr std::string_view kIssuer = "https://kubernetes.default.svc.cluster.local";

}  // namespace flyball::apiserver
