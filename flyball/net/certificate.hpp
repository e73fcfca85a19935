// Certificates made here: a small authority for tests, for `flyball dev` and for webhooks that have no cert-manager.
// Keys are EC P-256.
//
//   const auto ca = CertificateAuthority::make({.common_name = "flyball dev", .from = clock.wall_now()});
//   const KeyPair server = ca.issue({.common_name = "api", .names = {"localhost", "127.0.0.1"}, .from =
//   clock.wall_now()}); const KeyPair admin = ca.issue({.common_name = "admin", .organizations = {"system:masters"},
//   .from = ..., .server = false});
//
// Thread-safety: values; a const authority may issue from any thread. Lifetime: nothing refers to anything.
#pragma once

#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/secret.hpp"

namespace flyball::net {

// A certificate and the key that belongs to it, both as PEM text.
struct KeyPair {
  std::string certificate;
  Secret key;
};

struct CertificateOptions {
  std::string common_name;                      // of a client: the user, to Kubernetes
  std::vector<std::string> organizations = {};  // of a client: the groups
  std::vector<std::string> names = {};          // what a server may be called: DNS names and IP addresses
  WallTime from;                                // valid from an hour before this, for clocks that differ
  Duration valid_for = std::chrono::hours(24 * 365);
  bool server = true;  // may be used by a server
  bool client = true;  // may be used by a client
};

class CertificateAuthority {
 public:
  static CertificateAuthority make(const CertificateOptions& options);
  // Throws InputError when the texts are not a certificate and its key.
  explicit CertificateAuthority(KeyPair pair);

  KeyPair issue(const CertificateOptions& options) const;
  // What those who should trust this authority are given.
  const std::string& certificate() const noexcept { return pair_.certificate; }
  const KeyPair& pair() const noexcept { return pair_; }

 private:
  KeyPair pair_;
};

// What a certificate says of itself; the first one when the PEM text has several.
struct CertificateFacts {
  std::string common_name;
  std::vector<std::string> organizations;
  std::vector<std::string> names;  // DNS names and IP addresses
  std::string issuer;              // common name
  WallTime not_before;
  WallTime not_after;
};
// Throws InputError when the text is no certificate.
CertificateFacts read_certificate(const std::string& pem);

}  // namespace flyball::net
