// HttpTransport: the Transport that speaks HTTP to the server a Config names, as whom it names.
//
//   HttpTransport transport(clock, config);
//   const net::Response answer = transport.send({.target = "/version"}, stop);
//
// It adds to each request what the Config knows and the caller does not: the path the API lives under, Authorization,
// impersonation, User-Agent. Headers the caller has set stay. An answer 401 goes back to the credentials; when they say
// that another try may do better there is one, and its answer is the answer.
//
// Errors are those of Transport, with where the Config came from: "cannot connect to 127.0.0.1:6443: refused (from
// context "kind" of /home/me/.kube/config)". Credentials that cannot be had throw Error.
//
// When credentials bring a new client certificate, requests from then on use new connections; open streams go on.
//
// Thread-safety: may be used from any thread. Lifetime: outlives its streams; the clock outlives the transport.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/client/config.hpp"
#include "flyball/client/transport.hpp"
#include "flyball/net/http_client.hpp"

namespace flyball::client {

// Of this library.
inline constexpr std::string_view kVersion = "0.1.0";

struct HttpTransportOptions {
  Duration connect_timeout = std::chrono::seconds(30);  // name, TCP, proxy and TLS together
  Duration idle_timeout = std::chrono::seconds(60);     // without progress of a request; zero: for ever
  std::size_t kept_connections = 8;                     // idle ones, kept for the next requests
  Logger log = {};
  Metrics* metrics = nullptr;  // connections, TLS handshakes and bytes are counted there
};

class HttpTransport final : public Transport {
 public:
  // Connects to nobody yet. Throws InputError when the Config cannot be used: a certificate that is none, a file that
  // is not there.
  HttpTransport(Clock& clock, Config config, HttpTransportOptions options = {});

  net::Response send(net::Request request, const Stop& stop) override;
  std::unique_ptr<BodyStream> open(net::Request request, const Stop& stop, const OpenOptions& options = {}) override;
  net::Upgraded upgrade(net::Request request, const Stop& stop) override;

  const Config& config() const noexcept { return config_; }

 private:
  std::shared_ptr<net::HttpClient> make_client(const std::optional<ClientCertificate>& certificate) const;
  // The one with the certificate that the credentials have now.
  std::shared_ptr<net::HttpClient> client_for_now(const Stop& stop);
  void dress(net::Headers& headers, const Stop& stop) const;
  // Does `attempt(client, request)`, which says the status of its answer, once more when that was 401 and there is
  // hope.
  template <class Attempt>
  void with_credentials(const net::Request& request, const Stop& stop, const Attempt& attempt);

  // Constant after construction.
  Clock& clock_;
  const Config config_;
  const HttpTransportOptions options_;
  const std::string user_agent_;

  Mutex mutex_;
  std::optional<ClientCertificate> certificate_ FLYBALL_GUARDED_BY(mutex_);
  std::shared_ptr<net::HttpClient> client_ FLYBALL_GUARDED_BY(mutex_);
};

// "memcached-operator/unknown (linux/amd64) flyball/0.1.0", for the program that runs. The server names the writer of a
// field after what stands before the first slash, unless the request says another name.
std::string default_user_agent();

}  // namespace flyball::client
