#include "flyball/net/http_client.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "flyball/net/detail/ahead_stream.hpp"
#include "flyball/net/detail/gzip.hpp"
#include "flyball/net/detail/net_counters.hpp"
#include "flyball/net/detail/tunnel.hpp"

namespace flyball::net {
namespace {

constexpr std::size_t kReadBytes = 64 * 1024;
constexpr int kInterimAnswers = 32;

bool may_repeat(const Request& request, const OpenOptions& options) {
  constexpr std::array<std::string_view, 5> kMethods = {"GET", "HEAD", "OPTIONS", "PUT", "DELETE"};
  return !options.body && std::find(kMethods.begin(), kMethods.end(), request.method) != kMethods.end();
}

bool is_secure(const Url& url) { return url.scheme == "https"; }
bool is_socks(const Url& proxy) { return proxy.scheme == "socks5" || proxy.scheme == "socks5h"; }

}  // namespace

HttpClient::HttpClient(Clock& clock, HttpClientOptions options)
    : clock_(clock),
      options_(std::move(options)),
      counters_(options_.metrics ? std::make_unique<detail::NetCounters>(*options_.metrics, "client") : nullptr),
      resolver_(clock),
      tls_(clock, options_.tls),
      proxy_tls_(clock, options_.proxy_tls) {}

HttpClient::~HttpClient() = default;

Response HttpClient::send(const Url& url, Request request, const Stop& stop) {
  return read_whole(*start(url, std::move(request), stop, {}, options_.limits.body_bytes), stop);
}

Upgraded HttpClient::upgrade(const Url& url, Request request, const Stop& stop) {
  const auto answer = start(url, std::move(request), stop, {}, options_.limits.body_bytes);
  if (answer->head().status != 101) return {.head = read_whole(*answer, stop)};
  detail::Connection& connection = answer->connection_;
  connection.stream->set_idle_timeout({});
  return {.head = answer->head(),
          .stream = std::make_unique<detail::AheadStream>(std::move(connection.stream), std::move(connection.ahead))};
}

Response HttpClient::read_whole(ResponseStream& stream, const Stop& stop) {
  std::string body;
  for (std::string piece; !(piece = stream.read(stop)).empty();) {
    if (body.empty()) {
      body = std::move(piece);
    } else {
      body += piece;
    }
  }
  Response response = stream.head();
  response.body = std::move(body);
  return response;
}

std::unique_ptr<ResponseStream> HttpClient::open(const Url& url, Request request, const Stop& stop,
                                                 const OpenOptions& options) {
  return start(url, std::move(request), stop, options, UINT64_MAX);
}

std::unique_ptr<ResponseStream> HttpClient::start(const Url& url, Request request, const Stop& stop,
                                                  const OpenOptions& options, std::uint64_t limit) {
  if (url.scheme != "http" && url.scheme != "https") {
    throw InputError({}, "", "cannot send a request to " + url.text() + ": only http:// and https:// are spoken here");
  }
  complete(url, request, options);
  std::string head;
  append_head(head, request);  // before connecting: what cannot be sent needs no connection
  const std::string key = url.origin();
  const std::string about = request.method + " " + url.text();
  HttpLimits limits = options_.limits;
  limits.body_bytes = limit;
  detail::Connection connection = take_kept(key);
  while (true) {
    if (connection.stream == nullptr) connection = connect(url, stop);
    connection.stream->set_idle_timeout(options.idle_timeout < Duration::zero() ? options_.idle_timeout
                                                                                : options.idle_timeout);
    connection.answered = false;
    try {
      HttpParser parser = exchange(connection, request, head, options, limits, stop);
      return std::unique_ptr<ResponseStream>(
          new ResponseStream(*this, key, std::move(connection), std::move(parser), about, limit));
    } catch (const ProtocolError& error) {
      if (connection.answered || !connection.used || !may_repeat(request, options)) {
        throw ProtocolError(about + ": " + connection.stream->peer() + ": " + error.what(), error.status());
      }
    } catch (const NetError& error) {
      const bool gone = error.kind() == NetError::Kind::kReset;
      if (!gone || connection.answered || !connection.used || !may_repeat(request, options)) throw;
    }
    // The server closed a kept connection just as we used it. Others kept beside it are most likely gone too.
    options_.log.debug("a kept connection was dead; connecting anew", "request", about);
    connection = {};
  }
}

void HttpClient::complete(const Url& url, Request& request, const OpenOptions& options) const {
  const Url* proxy = options_.proxy.find(url);
  const bool absolute = proxy != nullptr && !is_secure(url) && !is_socks(*proxy);
  request.target = absolute ? url.text() : url.target();
  request.minor_version = 1;
  if (!request.headers.contains("Host")) request.headers.set("Host", url.host_header());
  if (!request.headers.contains("Accept-Encoding")) request.headers.set("Accept-Encoding", "gzip");
  if (absolute) {
    if (std::string words = detail::proxy_authorization(*proxy); !words.empty()) {
      request.headers.set("Proxy-Authorization", words);
    }
  }
  request.headers.remove("Content-Length");
  request.headers.remove("Transfer-Encoding");
  if (options.body) {
    request.headers.set("Transfer-Encoding", "chunked");
  } else if (!request.body.empty() || request.method == "POST" || request.method == "PUT" ||
             request.method == "PATCH") {
    request.headers.set("Content-Length", std::to_string(request.body.size()));
  }
}

// NOLINTNEXTLINE(readability-function-size): all of it is one exchange
HttpParser HttpClient::exchange(detail::Connection& connection, const Request& request, const std::string& head,
                                const OpenOptions& options, const HttpLimits& limits, const Stop& stop) {
  Stream& stream = *connection.stream;
  try {
    // Small ones in one packet; large ones are not copied.
    if (request.body.size() < kReadBytes) {
      stream.write(head + request.body, stop);
    } else {
      stream.write(head, stop);
      stream.write(request.body, stop);
    }
    while (options.body) {
      std::string text;
      const std::string piece = options.body(stop);
      if (piece.empty()) append_last_chunk(text);
      append_chunk(text, piece);
      stream.write(text, stop);
      if (piece.empty()) break;
    }
  } catch (const NetError& error) {
    if (error.kind() != NetError::Kind::kReset) throw;
    // A server that wants no more of the body answers and closes: its answer says more than our failed write.
    try {
      return read_head(connection, request, limits, stop);
    } catch (const Error&) {
      if (stop.stopped()) throw;
    }
    throw;
  }
  return read_head(connection, request, limits, stop);
}

HttpParser HttpClient::read_head(detail::Connection& connection, const Request& request, const HttpLimits& limits,
                                 const Stop& stop) {
  std::vector<char> buffer(16 * 1024);
  for (int interim = 0; interim < kInterimAnswers; ++interim) {
    HttpParser parser(HttpParser::Kind::kResponse, limits);
    std::string body;
    while (!parser.head_done()) {
      if (connection.ahead.empty()) {
        const std::size_t n = connection.stream->read(buffer, stop);
        if (n == 0) parser.end_of_input();
        connection.ahead.assign(buffer.data(), n);
        connection.answered = true;
      }
      connection.ahead.erase(0, parser.feed(connection.ahead, body));
    }
    const int status = parser.response().status;
    // "100 Continue" and its kin come before the answer; 101 is one.
    if (status < 200 && status != 101) continue;
    if (request.method == "HEAD") parser.expect_no_body();
    return parser;
  }
  throw ProtocolError("the server sends interim answers (1xx) without end");
}

detail::Connection HttpClient::take_kept(const std::string& key) {
  MutexLock lock(mutex_);
  std::vector<detail::Connection>& kept = kept_[key];
  while (!kept.empty()) {
    detail::Connection connection = std::move(kept.back());
    kept.pop_back();
    const bool fresh = clock_.now() - connection.idle_since < options_.kept_for &&
                       connection.tls_generation == tls_.generation() && !connection.stream->has_input_or_end();
    if (!fresh) continue;
    if (counters_) counters_->reused.add();
    return connection;
  }
  return {};
}

detail::Connection HttpClient::connect(const Url& url, const Stop& stop) {
  const Stop bounded = stop.with_deadline(clock_, clock_.after(options_.connect_timeout));
  const Url* proxy = options_.proxy.find(url);
  try {
    detail::Connection connection = try_connect(url, proxy, bounded);
    if (counters_) counters_->opened.add();
    return connection;
  } catch (const Stopped&) {
    if (counters_) counters_->failed.add();
    stop.throw_if_stopped();
    throw NetError(NetError::Kind::kTimeout,
                   "cannot connect to " + url.origin() + (proxy == nullptr ? "" : " through " + proxy->origin()) +
                       ": no connection within the connect timeout; is a firewall dropping the packets?");
  } catch (const Error&) {
    if (counters_) counters_->failed.add();
    throw;
  }
}

detail::Connection HttpClient::try_connect(const Url& url, const Url* proxy, const Stop& stop) {
  const Url& first = proxy == nullptr ? url : *proxy;
  detail::Connection connection;
  connection.tls_generation = tls_.generation();
  connection.stream = connect_tcp(clock_, resolver_, first.host, first.effective_port(), stop);
  if (counters_) detail::count_bytes(*connection.stream, *counters_);
  if (proxy != nullptr) through_proxy(connection.stream, *proxy, url, stop);
  if (is_secure(url)) connection.stream = secure(tls_, std::move(connection.stream), url, stop);
  return connection;
}

void HttpClient::through_proxy(std::unique_ptr<Stream>& stream, const Url& proxy, const Url& url, const Stop& stop) {
  if (is_socks(proxy)) return detail::open_socks_tunnel(*stream, proxy, url, stop);
  if (proxy.scheme != "http" && proxy.scheme != "https") {
    throw NetError(NetError::Kind::kProxy,
                   "the proxy " + proxy.text() + " cannot be used: http://, https:// and socks5:// can");
  }
  if (is_secure(proxy)) stream = secure(proxy_tls_, std::move(stream), proxy, stop);
  if (is_secure(url)) detail::open_http_tunnel(*stream, proxy, url, stop);
}

std::unique_ptr<Stream> HttpClient::secure(TlsClient& tls, std::unique_ptr<Stream> plain, const Url& url,
                                           const Stop& stop) {
  try {
    auto stream = tls.connect(std::move(plain), url.host, stop);
    if (counters_) counters_->handshakes.add();
    return stream;
  } catch (const Error&) {
    if (counters_) counters_->failed_handshakes.add();
    throw;
  }
}

void HttpClient::keep(const std::string& key, detail::Connection connection) {
  connection.used = true;
  connection.idle_since = clock_.now();
  MutexLock lock(mutex_);
  std::vector<detail::Connection>& kept = kept_[key];
  if (kept.size() < options_.kept_per_origin) kept.push_back(std::move(connection));
}

std::size_t HttpClient::kept() const {
  MutexLock lock(mutex_);
  std::size_t count = 0;
  for (const auto& [key, connections] : kept_) count += connections.size();
  return count;
}

void HttpClient::close_kept() {
  MutexLock lock(mutex_);
  kept_.clear();
}

ResponseStream::ResponseStream(HttpClient& client, std::string key, detail::Connection connection, HttpParser parser,
                               std::string about, std::uint64_t limit)
    : client_(client),
      key_(std::move(key)),
      about_(std::move(about)),
      peer_(connection.stream->peer()),
      connection_(std::move(connection)),
      parser_(std::move(parser)),
      head_(parser_.response()) {
  if (!parser_.has_body() || !same_name(head_.headers.get("Content-Encoding"), "gzip")) return;
  inflater_ = std::make_unique<detail::Inflater>(limit);
  head_.headers.remove("Content-Encoding");
  head_.headers.remove("Content-Length");
}

ResponseStream::~ResponseStream() = default;

std::string ResponseStream::read(const Stop& stop) {
  std::string piece;
  try {
    while (!ended_) {
      take(piece);
      if (!piece.empty() || ended_) break;
      if (buffer_.empty()) buffer_.resize(kReadBytes);
      // NOLINTNEXTLINE(clang-analyzer-cplusplus.Move): take() gives the connection away only when the body has ended
      const std::size_t n = connection_.stream->read(buffer_, stop);
      if (n == 0) parser_.end_of_input();
      connection_.ahead.assign(buffer_.data(), n);
    }
  } catch (const ProtocolError& error) {
    throw ProtocolError(about_ + ": " + peer_ + ": " + error.what(), error.status());
  }
  return piece;
}

// Moves what was read ahead through the parser, and at the end of the body gives the connection back.
void ResponseStream::take(std::string& piece) {
  std::string packed;
  std::string& body = inflater_ ? packed : piece;
  std::string_view ahead = connection_.ahead;
  while (!ahead.empty() && !parser_.done()) ahead.remove_prefix(parser_.feed(ahead, body));
  connection_.ahead.erase(0, connection_.ahead.size() - ahead.size());
  if (inflater_) inflater_->feed(packed, piece);
  if (!parser_.done()) return;
  if (inflater_) inflater_->finish();
  ended_ = true;
  head_.trailers = parser_.response().trailers;
  // Bytes after the end belong to no request of ours: not a peer to trust with the next one.
  if (parser_.keep_alive() && connection_.ahead.empty() && head_.status != 101) {
    client_.keep(key_, std::move(connection_));
  }
}

}  // namespace flyball::net
