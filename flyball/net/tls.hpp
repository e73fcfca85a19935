// TLS over a TCP stream, for both ends.
//
//   TlsClient tls(clock, {.ca_file = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt"});
//   auto stream = tls.connect(connect_tcp(...), "kubernetes.default.svc", stop);
//
//   TlsServer tls(clock, {.certificate_file = "tls.crt", .key_file = "tls.key"});
//   auto stream = tls.accept(listener.accept(stop), stop);
//
// A connection that is returned is verified: the certificate chains to a CA that is trusted, is valid now and has the
// name (or IP address) that was asked for among its names. Files are looked at before every handshake and read again
// when they changed; files that cannot be used (half written, key and certificate not yet a pair) leave what was read
// before in force, with a warning in the log.
//
// TLS 1.2 and later. Thread-safety: all members may be called from any thread. Lifetime: the clock outlives both; they
// may be gone before their streams.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/secret.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/net/stream.hpp"

struct ssl_ctx_st;

namespace flyball::net {

namespace detail {

// A TLS context made from options and files, and made again when the files change.
class TlsContext {
 public:
  using Contents = std::vector<std::string>;  // of the files, in order; empty for a path that is empty
  using Make = std::function<std::shared_ptr<ssl_ctx_st>(const Contents&)>;

  // With `later` the context is made at its first use and not here, where errors are seen earlier.
  TlsContext(std::vector<std::string> paths, Logger log, Make make, bool later = false);
  std::shared_ptr<ssl_ctx_st> current();
  // Goes up with every change that was taken over.
  std::uint64_t generation();

 private:
  void refresh() FLYBALL_REQUIRES(mutex_);

  // Constant after construction.
  const std::vector<std::string> paths_;
  const Logger log_;
  const Make make_;

  Mutex mutex_;
  std::vector<std::string> stamps_ FLYBALL_GUARDED_BY(mutex_);
  Contents contents_ FLYBALL_GUARDED_BY(mutex_);
  std::shared_ptr<ssl_ctx_st> context_ FLYBALL_GUARDED_BY(mutex_);
  std::uint64_t generation_ FLYBALL_GUARDED_BY(mutex_) = 0;
};

}  // namespace detail

struct TlsClientOptions {
  // Whom to trust: these CAs, as PEM text or file; without both the system's roots.
  std::string ca = {};
  std::string ca_file = {};
  // Who we are, as PEM text or files; without both nobody.
  std::string certificate = {};
  std::string certificate_file = {};
  Secret key = {};
  std::string key_file = {};
  std::string server_name = {};  // the name to ask for and to verify, instead of the host
  bool insecure = false;         // trust anybody: for a moment's test, never for good
  Logger log = {};
};

class TlsClient {
 public:
  // Throws InputError when texts or files cannot be used.
  TlsClient(Clock& clock, TlsClientOptions options);

  // Throws NetError (kTls) with what is wrong with the peer's certificate, Stopped at the stop.
  std::unique_ptr<Stream> connect(std::unique_ptr<Stream> plain, const std::string& host, const Stop& stop);
  // Goes up when changed files were taken over: connections made before use the old ones.
  std::uint64_t generation() { return context_.generation(); }

 private:
  Clock& clock_;
  const TlsClientOptions options_;
  detail::TlsContext context_;
};

struct TlsServerOptions {
  std::string certificate = {};  // as PEM text or files, with the intermediates after it
  std::string certificate_file = {};
  Secret key = {};
  std::string key_file = {};
  // CAs of client certificates; without both none is asked for.
  std::string client_ca = {};
  std::string client_ca_file = {};
  bool require_client_certificate = false;
  Logger log = {};
};

class TlsServer {
 public:
  TlsServer(Clock& clock, TlsServerOptions options);
  std::unique_ptr<Stream> accept(std::unique_ptr<Stream> plain, const Stop& stop);
  std::uint64_t generation() { return context_.generation(); }

 private:
  Clock& clock_;
  const TlsServerOptions options_;
  detail::TlsContext context_;
};

}  // namespace flyball::net
