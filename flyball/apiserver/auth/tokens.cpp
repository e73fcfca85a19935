#include "flyball/apiserver/auth/tokens.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/net/digest.hpp"

namespace flyball::apiserver {
namespace {

// A client whose clock is a little ahead has made no mistake.
constexpr std::int64_t kLeeway = 60;

std::string to_base64url(std::string_view bytes) {
  std::string text = kube::to_base64(bytes);
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  while (text.ends_with('=')) text.pop_back();
  return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string plain(text);
  if (plain.find_first_of("+/=\r\n") != std::string::npos) return std::nullopt;
  std::ranges::replace(plain, '-', '+');
  std::ranges::replace(plain, '_', '/');
  plain.append((4 - plain.size() % 4) % 4, '=');
  return kube::from_base64(plain);
}

void add_object(json::Builder& to, std::string_view key, const TokenObject& object) {
  if (object.name.empty()) return;
  to.key(key).begin_object().key("name").string(object.name);
  if (!object.uid.empty()) to.key("uid").string(object.uid);
  to.end();
}

std::string claims_text(const TokenClaims& claims) {
  json::Builder to;
  to.begin_object();
  to.key("aud").begin_array();
  for (const std::string& audience : claims.audiences) to.string(audience);
  to.end();
  to.key("exp").integer(claims.expires).key("iat").integer(claims.issued).key("iss").string(kIssuer);
  to.key("jti").string(claims.id);
  to.key("kubernetes.io").begin_object().key("namespace").string(claims.namespace_);
  add_object(to, "node", claims.node);
  add_object(to, "pod", claims.pod);
  add_object(to, "secret", claims.secret);
  add_object(to, "serviceaccount", claims.account);
  to.end();
  to.key("nbf").integer(claims.issued).key("sub").string(claims.subject);
  to.end();
  return json::write(to.finish());
}

TokenObject object_of(json::View value) {
  return {.name = std::string(value["name"].string_or("")), .uid = std::string(value["uid"].string_or(""))};
}

std::int64_t seconds(json::View value) { return value.is_int() ? value.as_int() : 0; }

TokenClaims claims_of(json::View value) {
  const json::View own = value["kubernetes.io"];
  TokenClaims claims{.subject = std::string(value["sub"].string_or("")),
                     .namespace_ = std::string(own["namespace"].string_or("")),
                     .account = object_of(own["serviceaccount"]),
                     .pod = object_of(own["pod"]),
                     .node = object_of(own["node"]),
                     .secret = object_of(own["secret"]),
                     .id = std::string(value["jti"].string_or("")),
                     .issued = seconds(value["iat"]),
                     .expires = seconds(value["exp"])};
  for (const json::View audience : value["aud"].items()) claims.audiences.emplace_back(audience.string_or(""));
  return claims;
}

std::string part(std::string_view text, const char* which) {
  auto bytes = from_base64url(text);
  if (!bytes) throw TokenError(std::string("the token's ") + which + " is no base64");
  return std::move(*bytes);
}

}  // namespace

TokenAuthority::TokenAuthority(net::SigningKey key)
    : key_(std::move(key)), key_id_(to_base64url(net::sha256(key_.public_pem()))) {}

std::string TokenAuthority::issue(const TokenClaims& claims) const {
  const std::string header = json::write(json::object({{"alg", "ES256"}, {"kid", key_id_}}));
  std::string text = to_base64url(header) + "." + to_base64url(claims_text(claims));
  const std::string signature = key_.sign(text);
  return text + "." + to_base64url(signature);
}

TokenClaims TokenAuthority::read(std::string_view token, WallTime now) const {
  const std::size_t first = token.find('.');
  const std::size_t last = token.rfind('.');
  if (first == std::string_view::npos || first == last) throw TokenError("the token is no JSON Web Token");
  const std::string signature = part(token.substr(last + 1), "signature");
  // The algorithm is ours, whatever the header says: a token cannot choose how it is checked.
  if (!net::verify_signature(key_.public_pem(), token.substr(0, last), signature)) {
    throw TokenError("the token was not signed by this server");
  }
  const json::Value value = json::parse(part(token.substr(first + 1, last - first - 1), "claims"));
  if (value["iss"].string_or("") != kIssuer) throw TokenError("the token is of another issuer");
  const auto time = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  TokenClaims claims = claims_of(value);
  if (time > claims.expires + kLeeway) throw TokenError("the token has expired");
  if (time < seconds(value["nbf"]) - kLeeway) throw TokenError("the token is not valid yet");
  return claims;
}

json::Value TokenAuthority::keys() const {
  return json::object({{"keys", json::array({json::object({{"use", "sig"},
                                                           {"kty", "EC"},
                                                           {"kid", key_id_},
                                                           {"crv", "P-256"},
                                                           {"alg", "ES256"},
                                                           {"x", to_base64url(key_.x())},
                                                           {"y", to_base64url(key_.y())}})})}});
}

}  // namespace flyball::apiserver
