// Registry: pushes images to a registry and pulls them, as the OCI distribution specification says.
//
//   Registry registry(clock, {.logins = &logins});
//   registry.push(image, Reference::parse("registry.example.com/shop/web:1"), stop);
//   const Image image = registry.pull(Reference::parse("localhost:5000/shop/web:1"), stop);
//
// HTTPS, but for the own machine (localhost, 127.x, ::1) and with `plain_http`. Blobs the registry has are not sent
// again; large ones go in pieces. What it asks for, Basic or a Bearer token, is answered with the login for its host,
// or without one where it lets everybody in.
//
// Errors: Error with the registry's own words and what to do; net's errors for the connection; Stopped.
//
// Thread-safety: one thread at a time. Lifetime: clock and logins outlive it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

#include "flyball/base/clock.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/image/challenge.hpp"
#include "flyball/image/image.hpp"
#include "flyball/image/login.hpp"
#include "flyball/image/reference.hpp"
#include "flyball/net/http_client.hpp"

namespace flyball::image {

struct RegistryOptions {
  const Logins* logins = nullptr;  // null: nobody
  bool plain_http = false;
  net::TlsClientOptions tls = {};
  std::size_t piece = std::size_t{16} << 20U;             // of an upload; smaller blobs go whole
  std::function<void(const std::string&)> progress = {};  // a line for each step
};

class Registry {
 public:
  Registry(Clock& clock, RegistryOptions options);

  // The manifest's digest.
  std::string push(const Image& image, const Reference& to, const Stop& stop);
  Image pull(const Reference& from, const Stop& stop);

 private:
  struct Ask {
    std::string method = "GET";
    net::Headers headers = {};
    std::string body = {};
  };
  net::Url url(const Reference& about, const std::string& rest) const;
  // With the login the registry asks for. `scope` is what the token is for: "pull" or "pull,push".
  net::Response send(const net::Url& url, const Reference& about, const std::string& scope, const Ask& ask,
                     const Stop& stop);
  bool log_in(const Challenge& challenge, const Reference& about, const std::string& scope, const Stop& stop);
  std::string fetch_token(const Challenge& challenge, const std::string& scope, const std::optional<Login>& login,
                          const Stop& stop);
  void push_blob(const std::string& bytes, const std::string& digest, const Reference& to, const Stop& stop);
  std::string pull_blob(const Descriptor& blob, const Reference& from, const Stop& stop);
  std::string pull_manifest(const Reference& from, const std::string& version, std::string& type, const Stop& stop);
  net::Response follow(net::Url at, net::Response response, const Stop& stop);
  void say(const std::string& line) const;

  const RegistryOptions options_;
  net::HttpClient http_;
  std::map<std::string, std::string> authorization_;  // by host, repository and scope
};

}  // namespace flyball::image
