// HttpServer: answers HTTP/1.1 requests, one thread per connection, over TCP or TLS.
//
//   HttpServer server(clock, {.port = 8080}, [](const Request& request, ResponseWriter& writer) {
//     writer.send({.body = "hello from " + request.target});
//   });
//   ...
//   server.stop(clock.after(10s));       // finishes what is under way, then ends
//
// The handler runs on the connection's thread, with the whole request read. It answers once: send() for a whole answer,
// or begin(), write() ... for one that goes on (a watch), or take_over() for another protocol (a WebSocket). A handler
// that waits for something passes writer.stop() on: it stops when the client has gone or the server no longer waits for
// it. An exception out of the handler is a 500 and a line in the log; after begin() it cuts the connection, so that the
// client does not take a part for the whole.
//
// Requests on one connection are answered in their order; a client may send the next one early.
//
// Thread-safety: stop() and the getters may be called from any thread but the handler's; a ResponseWriter is used by
// the handler's thread, stop() tokens by any. Lifetime: the destructor stops at once and waits for the handlers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/net/http.hpp"
#include "flyball/net/http_parser.hpp"
#include "flyball/net/socket.hpp"
#include "flyball/net/stream.hpp"
#include "flyball/net/tls.hpp"

namespace flyball::net {

namespace detail {
class ClientWatch;
class HttpServerState;
}  // namespace detail

class ResponseWriter {
 public:
  ResponseWriter(const ResponseWriter&) = delete;
  ResponseWriter& operator=(const ResponseWriter&) = delete;

  // The whole answer. Content-Length is set.
  void send(Response response);

  // The head of an answer that goes on; `response.body` is its first piece. Sent at once, as is every piece.
  void begin(Response response);
  void write(std::string_view piece);
  // The end; comes by itself when the handler returns.
  void end(const Headers& trailers = {});

  // Answers 101 (or whatever the head says) and hands the connection over: what it speaks from here on is the handler's
  // business. The stream begins with what the client sent ahead, has no idle timeout, and lives until the handler
  // returns, which closes the connection.
  Stream& take_over(const Response& head);

  // Stops when the client has gone, when the server ends, and at the end of the request. After take_over() a client
  // that has gone is seen by reading: it may have sent its last words before.
  Stop stop();
  const std::string& peer() const noexcept { return stream_.peer(); }
  // Of the client's certificate.
  PeerIdentity identity() const { return stream_.identity(); }

 private:
  friend class detail::HttpServerState;
  enum class State { kNothing, kBegun, kDone };
  ResponseWriter(Stream& stream, std::string& ahead, const Request& request, detail::ClientWatch& watch,
                 const Stop& server, bool keep_alive);
  ~ResponseWriter();

  Stream& stream_;
  std::string& ahead_;  // what was read behind the request
  const Request& request_;
  detail::ClientWatch& watch_;
  const Stop server_;
  StopSource gone_;
  std::uint64_t watched_ = 0;      // 0: not yet
  std::unique_ptr<Stream> taken_;  // null: not taken over
  State state_ = State::kNothing;
  bool keep_alive_;
  bool chunked_ = false;
};

struct HttpServerOptions {
  std::string address = "127.0.0.1";  // numeric; "0.0.0.0" or "::" for everybody
  std::uint16_t port = 0;             // 0: a free one
  std::optional<TlsServerOptions> tls = {};
  HttpLimits limits = {.body_bytes = 16U << 20U};
  std::size_t connections = 256;                      // at once; more wait to be accepted
  Duration head_timeout = std::chrono::seconds(10);   // from the first byte of a request to the end of its headers
  Duration body_timeout = std::chrono::seconds(60);   // for the whole body
  Duration write_timeout = std::chrono::seconds(60);  // without the client taking a byte
  Duration kept_for = std::chrono::seconds(120);      // between requests
  Logger log = {};
  Metrics* metrics = nullptr;  // connections, TLS handshakes and bytes are counted there; outlives the server
};

class HttpServer {
 public:
  using Handler = std::function<void(const Request&, ResponseWriter&)>;

  // Listens when it returns. Throws NetError when it cannot.
  HttpServer(Clock& clock, HttpServerOptions options, Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Answers those who come to this one, too. Not after stop().
  void also_listen(std::unique_ptr<Listener> listener);

  std::uint16_t port() const noexcept;
  // "http://127.0.0.1:4711"
  std::string url() const;
  std::size_t connections() const;

  // Accepts nobody any more, lets requests that have begun finish until the deadline, then stops them and waits for
  // their handlers. True when all finished by themselves.
  bool stop(TimePoint deadline);

 private:
  std::unique_ptr<detail::HttpServerState> state_;
};

}  // namespace flyball::net
