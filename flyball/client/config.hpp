// Config: which server, as whom, in which namespace. Loading one (kubeconfig.hpp, in_cluster.hpp) and using one
// (http_transport.hpp) meet here; a program that knows everything itself fills it in.
//
//   Config config{.server = net::Url::parse("https://10.0.0.1:6443"), .tls = {.ca_file = "ca.crt"}};
//   config.credentials = bearer_token(Secret("..."));
//
// Thread-safety: a value; Credentials may be used from any thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flyball/base/secret.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/net/http.hpp"
#include "flyball/net/proxy.hpp"
#include "flyball/net/tls.hpp"
#include "flyball/net/url.hpp"

namespace flyball::client {

// A client certificate that credentials brought along (an exec plugin's), as PEM texts.
struct ClientCertificate {
  std::string certificate;
  Secret key;
  friend bool operator==(const ClientCertificate&, const ClientCertificate&) = default;
};

// What proves who we are, request by request: a token, a token file, an exec plugin, OIDC, a password.
class Credentials {
 public:
  Credentials() = default;
  Credentials(const Credentials&) = delete;
  Credentials& operator=(const Credentials&) = delete;
  virtual ~Credentials() = default;

  // Adds what proves it (an Authorization header), fetching or refreshing it first where that is due. Throws Error that
  // says which command, file or server failed.
  virtual void authorize(net::Headers& headers, const Stop& stop) = 0;
  // For the handshake; none for most.
  virtual std::optional<ClientCertificate> certificate(const Stop& /*stop*/) { return std::nullopt; }
  // The server did not accept a request with these headers (401). True when another try may do better, because other
  // credentials are at hand already or will be fetched for it.
  virtual bool rejected(const net::Headers& /*sent*/) { return false; }
};

// Act as somebody else, if the server lets us.
struct Impersonation {
  std::string user = {};
  std::string uid = {};
  std::vector<std::string> groups = {};
  std::map<std::string, std::vector<std::string>> extra = {};
};

struct Config {
  net::Url server;  // may have a path, below which the API lives
  net::TlsClientOptions tls = {};
  net::ProxyRules proxy = {};
  std::shared_ptr<Credentials> credentials = {};  // none: only the certificate in `tls`, if any
  Impersonation impersonate = {};
  std::string namespace_ = "default";  // where a key without a namespace lies
  std::string user_agent = {};         // empty: default_user_agent() of http_transport.hpp
  bool compression = true;             // ask for gzip
  std::string source = {};             // where it came from, for errors: "context \"kind\" of ~/.kube/config"
};

}  // namespace flyball::client
