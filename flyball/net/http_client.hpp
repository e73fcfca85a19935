// HttpClient: requests to servers, over connections that are kept and used again.
//
//   HttpClient http(clock, {.tls = {.ca_file = "ca.crt"}});
//   const Response response = http.send(Url::parse("https://localhost:6443/version"), {}, stop);
//
//   auto stream = http.open(url, {}, stop, {.idle_timeout = 60s});       // a watch: the body as it comes
//   for (std::string piece; !(piece = stream->read(stop)).empty();) use(piece);
//
// The path and query come from the Url; Host, Content-Length and Accept-Encoding are added, gzip is unpacked. Answers
// are answers, whatever their status; redirects are not followed. Errors: NetError for the connection, ProtocolError
// for a peer that does not speak HTTP/1.1, Stopped at the stop or its deadline. A request without a deadline still
// ends: when nothing comes for the idle timeout.
//
// A kept connection that turns out dead before anything was answered is replaced once, if the method may be repeated
// (GET, HEAD, OPTIONS, PUT, DELETE).
//
// Thread-safety: the client may be used from any thread; a ResponseStream by one at a time.
// Lifetime: the client outlives its streams, the clock outlives the client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/net/http.hpp"
#include "flyball/net/http_parser.hpp"
#include "flyball/net/proxy.hpp"
#include "flyball/net/socket.hpp"
#include "flyball/net/stream.hpp"
#include "flyball/net/tls.hpp"
#include "flyball/net/upgrade.hpp"
#include "flyball/net/url.hpp"

namespace flyball::net {

namespace detail {
class Inflater;
struct NetCounters;

// A connection with what was read ahead on it.
struct Connection {
  std::unique_ptr<Stream> stream;
  std::string ahead;
  std::uint64_t tls_generation = 0;
  TimePoint idle_since = {};
  bool used = false;      // it has carried an answer before
  bool answered = false;  // something has come back for the request under way
};
}  // namespace detail

struct HttpClientOptions {
  TlsClientOptions tls = {};
  ProxyRules proxy = {};
  TlsClientOptions proxy_tls = {};  // for https:// proxies: whom to trust as one, and who we are to it
  Duration connect_timeout = std::chrono::seconds(30);          // name, TCP, proxy and TLS together
  Duration idle_timeout = std::chrono::seconds(60);             // without progress of a request; zero: for ever
  std::size_t kept_per_origin = 8;                              // idle connections
  Duration kept_for = std::chrono::seconds(60);                 // how long an idle connection is kept
  HttpLimits limits = {.body_bytes = std::uint64_t{1} << 30U};  // of send(); open() has no limit of the body
  Logger log = {};
  Metrics* metrics = nullptr;  // connections, TLS handshakes and bytes are counted there; outlives the client's streams
};

struct OpenOptions {
  Duration idle_timeout = Duration(-1);  // negative: the client's
  // A body of unknown length: called until it returns nothing; sent in chunks. Request::body must be empty.
  std::function<std::string(const Stop&)> body = {};
};

class HttpClient;

// An answer whose body is still coming. Read to its end, its connection is kept; destroyed before, it is closed.
class ResponseStream {
 public:
  ~ResponseStream();
  ResponseStream(const ResponseStream&) = delete;
  ResponseStream& operator=(const ResponseStream&) = delete;

  // Status and headers; trailers after the end.
  const Response& head() const noexcept { return head_; }
  // The next piece, as soon as there is one; empty at the end. After Stopped it may be called again.
  std::string read(const Stop& stop);

 private:
  friend class HttpClient;
  ResponseStream(HttpClient& client, std::string key, detail::Connection connection, HttpParser parser,
                 std::string about, std::uint64_t limit);
  void take(std::string& piece);

  HttpClient& client_;
  const std::string key_;    // of the pool
  const std::string about_;  // "GET https://...", for errors
  const std::string peer_;   // for errors
  detail::Connection connection_;
  HttpParser parser_;
  Response head_;
  std::unique_ptr<detail::Inflater> inflater_;
  std::vector<char> buffer_;
  bool ended_ = false;
};

class HttpClient {
 public:
  explicit HttpClient(Clock& clock, HttpClientOptions options = {});
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // The whole answer.
  Response send(const Url& url, Request request, const Stop& stop);
  // The answer's head; the body as it comes.
  std::unique_ptr<ResponseStream> open(const Url& url, Request request, const Stop& stop,
                                       const OpenOptions& options = {});
  // Asks for another protocol, with the Connection and Upgrade headers of the request. After 101 the connection is the
  // caller's, without an idle timeout; any other answer comes whole, in `head`.
  Upgraded upgrade(const Url& url, Request request, const Stop& stop);

  // Idle connections that are kept now.
  std::size_t kept() const;
  void close_kept();

 private:
  friend class ResponseStream;

  std::unique_ptr<ResponseStream> start(const Url& url, Request request, const Stop& stop, const OpenOptions& options,
                                        std::uint64_t limit);
  static Response read_whole(ResponseStream& stream, const Stop& stop);
  void complete(const Url& url, Request& request, const OpenOptions& options) const;
  // Sends and reads the head. Sets `connection.answered` once anything came back.
  HttpParser exchange(detail::Connection& connection, const Request& request, const std::string& head,
                      const OpenOptions& options, const HttpLimits& limits, const Stop& stop);
  HttpParser read_head(detail::Connection& connection, const Request& request, const HttpLimits& limits,
                       const Stop& stop);
  detail::Connection take_kept(const std::string& key);
  detail::Connection connect(const Url& url, const Stop& stop);
  detail::Connection try_connect(const Url& url, const Url* proxy, const Stop& stop);
  void through_proxy(std::unique_ptr<Stream>& stream, const Url& proxy, const Url& url, const Stop& stop);
  std::unique_ptr<Stream> secure(TlsClient& tls, std::unique_ptr<Stream> plain, const Url& url, const Stop& stop);
  void keep(const std::string& key, detail::Connection connection);

  // Constant after construction.
  Clock& clock_;
  const HttpClientOptions options_;
  const std::unique_ptr<const detail::NetCounters> counters_;  // null without metrics

  Resolver resolver_;
  TlsClient tls_;
  TlsClient proxy_tls_;

  mutable Mutex mutex_;
  std::map<std::string, std::vector<detail::Connection>> kept_ FLYBALL_GUARDED_BY(mutex_);  // by origin
};

}  // namespace flyball::net
