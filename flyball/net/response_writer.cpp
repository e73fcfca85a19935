#include <cassert>
#include <utility>

#include "flyball/net/detail/ahead_stream.hpp"
#include "flyball/net/detail/client_watch.hpp"
#include "flyball/net/http_server.hpp"

namespace flyball::net {

ResponseWriter::ResponseWriter(Stream& stream, std::string& ahead, const Request& request, detail::ClientWatch& watch,
                               const Stop& server, bool keep_alive)
    : stream_(stream),
      ahead_(ahead),
      request_(request),
      watch_(watch),
      server_(server),
      gone_(server),
      keep_alive_(keep_alive) {}

ResponseWriter::~ResponseWriter() {
  if (watched_ != 0) watch_.remove(watched_);
  gone_.request_stop("the request has ended");
}

Stop ResponseWriter::stop() {
  // Only for those who ask: most handlers are done before the client could go.
  if (watched_ == 0 && taken_ == nullptr) watched_ = watch_.add(stream_.descriptor(), gone_);
  return gone_.stop();
}

namespace {

constexpr std::size_t kLargestJoined = std::size_t{64} << 10U;

bool has_no_body(const Request& request, int status) {
  return request.method == "HEAD" || status < 200 || status == 204 || status == 304;
}

}  // namespace

void ResponseWriter::send(Response response) {
  assert(state_ == State::kNothing && "a request is answered once");
  response.headers.remove("Transfer-Encoding");
  if (!has_no_body(request_, response.status) || request_.method == "HEAD") {
    response.headers.set("Content-Length", std::to_string(response.body.size()));
  }
  if (!keep_alive_) response.headers.set("Connection", "close");
  std::string text;
  append_head(text, response);
  state_ = State::kDone;
  const bool body = !has_no_body(request_, response.status);
  // One write for most answers; a large body is not copied for it.
  const bool joined = body && response.body.size() <= kLargestJoined;
  if (joined) text += response.body;
  stream_.write(text, server_);
  if (body && !joined) stream_.write(response.body, server_);
}

void ResponseWriter::begin(Response response) {
  assert(state_ == State::kNothing && "a request is answered once");
  response.headers.remove("Content-Length");
  const bool no_body = has_no_body(request_, response.status);
  chunked_ = request_.minor_version == 1 && !no_body;
  // HTTP/1.0 knows no chunks: the body ends with the connection.
  if (request_.minor_version == 0 && !no_body) keep_alive_ = false;
  if (chunked_) response.headers.set("Transfer-Encoding", "chunked");
  if (!keep_alive_) response.headers.set("Connection", "close");
  std::string text;
  append_head(text, response);
  state_ = no_body ? State::kDone : State::kBegun;
  stream_.write(text, server_);
  if (!response.body.empty()) write(response.body);
}

Stream& ResponseWriter::take_over(const Response& head) {
  assert(state_ == State::kNothing && "a request is answered once");
  if (watched_ != 0) watch_.remove(std::exchange(watched_, 0));
  std::string text;
  append_head(text, head);
  state_ = State::kDone;
  keep_alive_ = false;
  stream_.write(text, server_);
  stream_.set_idle_timeout({});
  taken_ = std::make_unique<detail::AheadStream>(stream_, std::exchange(ahead_, {}));
  return *taken_;
}

void ResponseWriter::write(std::string_view piece) {
  assert(state_ != State::kNothing && "begin() comes before write()");
  if (state_ == State::kDone || piece.empty()) return;
  if (!chunked_) return stream_.write(piece, gone_.stop());
  std::string text;
  append_chunk(text, piece);
  stream_.write(text, gone_.stop());
}

void ResponseWriter::end(const Headers& trailers) {
  if (state_ != State::kBegun) return;
  state_ = State::kDone;
  if (!chunked_) return;
  std::string text;
  append_last_chunk(text, trailers);
  stream_.write(text, server_);
}

}  // namespace flyball::net
