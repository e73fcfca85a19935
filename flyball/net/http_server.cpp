#include "flyball/net/http_server.hpp"

#include <algorithm>
#include <list>
#include <span>
#include <utility>
#include <vector>

#include "flyball/base/condition.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/net/detail/client_watch.hpp"
#include "flyball/net/detail/net_counters.hpp"
#include "flyball/net/detail/tcp_stream.hpp"
#include "flyball/net/socket.hpp"
#include "flyball/net/url.hpp"

namespace flyball::net {
namespace detail {

using namespace std::chrono_literals;

constexpr Duration kAcceptAgain = 100ms;

class HttpServerState {
 public:
  HttpServerState(Clock& clock, HttpServerOptions options, HttpServer::Handler handler)
      : clock_(clock),
        options_(std::move(options)),
        handler_(std::move(handler)),
        counters_(options_.metrics ? std::make_unique<NetCounters>(*options_.metrics, "server") : nullptr),
        first_(std::make_unique<Listener>(clock, options_.address, options_.port)),
        port_(first_->port()),
        tls_(options_.tls ? std::make_unique<TlsServer>(clock, *options_.tls) : nullptr),
        drain_(end_.stop()),
        ended_(end_.stop()),
        drained_(drain_.stop()),
        watch_(clock),
        changed_(clock) {
    also_listen(std::move(first_));
  }

  ~HttpServerState() { stop(clock_.now()); }

  void also_listen(std::unique_ptr<Listener> listener) {
    MutexLock lock(mutex_);
    Listener& at = *listeners_.emplace_back(std::move(listener));
    ++accepting_;
    acceptors_.emplace_back(clock_, "http accept", [this, &at] { accept_all(at); });
  }

  std::uint16_t port() const noexcept { return port_; }
  bool secure() const noexcept { return tls_ != nullptr; }
  const std::string& address() const noexcept { return options_.address; }

  std::size_t connections() const {
    MutexLock lock(mutex_);
    return running_;
  }

  bool stop(TimePoint deadline) {
    drain_.request_stop("the server is ending");
    MutexLock lock(mutex_);
    // The acceptors end by the stop. Closed, a port refuses at once instead of letting clients wait for an answer.
    changed_.wait_until(mutex_, kNever, {}, [&]() FLYBALL_REQUIRES(mutex_) { return accepting_ == 0; });
    listeners_.clear();
    const auto idle = [&]() FLYBALL_REQUIRES(mutex_) { return running_ == 0; };
    const bool in_time = changed_.wait_until(mutex_, deadline, {}, idle);
    end_.request_stop("the server has ended");
    changed_.wait_until(mutex_, kNever, {}, idle);
    std::list<Worker> workers = std::move(workers_);
    workers_.clear();
    lock.unlock();
    workers.clear();
    return in_time;
  }

 private:
  struct Worker {
    std::unique_ptr<Thread> thread = {};
    bool finished = false;
  };
  // What is known of one connection between requests.
  struct Session {
    std::unique_ptr<Stream> stream;
    TcpStream* tcp;  // below `stream`, or the same
    std::string ahead = {};
    std::unique_ptr<char[]> buffer = {};  // NOLINT(modernize-avoid-c-arrays): not filled, and not there while unused
    bool said_last_word = false;          // an answer after which no other follows

    std::span<char> room() {
      constexpr std::size_t kRoom = std::size_t{16} << 10U;
      if (buffer == nullptr) buffer = std::make_unique_for_overwrite<char[]>(kRoom);  // NOLINT: as above
      return {buffer.get(), kRoom};
    }
  };

  void accept_all(Listener& listener) {
    const Stop stop = drain_.stop();
    while (!stop.stopped()) {
      try {
        while (wait_for_room(stop)) start(listener.accept(stop));
      } catch (const Stopped&) {  // NOLINT(bugprone-empty-catch): the server was told to
      } catch (const Error& error) {
        // Out of descriptors, most likely: when connections end there are some again.
        options_.log.error("cannot accept connections; trying again", "error", error.what());
        pause_until(clock_, clock_.after(kAcceptAgain), stop);
      }
    }
    MutexLock lock(mutex_);
    --accepting_;
    changed_.notify_all();
  }

  bool wait_for_room(const Stop& stop) {
    std::list<Worker> finished;  // joined here, outside the lock
    MutexLock lock(mutex_);
    const bool room =
        changed_.wait(mutex_, stop, [&]() FLYBALL_REQUIRES(mutex_) { return running_ < options_.connections; });
    for (auto worker = workers_.begin(); worker != workers_.end();) {
      const auto next = std::next(worker);
      if (worker->finished) finished.splice(finished.end(), workers_, worker);
      worker = next;
    }
    lock.unlock();
    return room;
  }

  void start(std::unique_ptr<Stream> stream) {
    MutexLock lock(mutex_);
    ++running_;
    Worker& worker = workers_.emplace_back();
    // std::function wants what it holds to be copyable.
    auto plain = std::make_shared<std::unique_ptr<Stream>>(std::move(stream));
    try {
      worker.thread = std::make_unique<Thread>(clock_, "http", [this, &worker, plain] {
        serve(std::move(*plain));
        MutexLock done(mutex_);
        worker.finished = true;
        --running_;
        changed_.notify_all();
      });
    } catch (const std::exception& error) {
      workers_.pop_back();
      --running_;
      options_.log.error("turned a connection away: no thread for it", "error", error.what());
    }
  }

  void serve(std::unique_ptr<Stream> plain) {
    const std::string peer = plain->peer();
    try {
      auto* tcp = dynamic_cast<TcpStream*>(plain.get());
      Session session{.stream = std::move(plain), .tcp = tcp};
      read_until(session, &ended_);
      if (counters_) {
        counters_->opened.add();
        count_bytes(*session.stream, *counters_);
      }
      if (tls_ != nullptr) session.stream = secure(std::move(session.stream));
      session.stream->set_idle_timeout(options_.write_timeout);
      while (serve_one(session)) {
      }
      if (session.said_last_word) linger(session);
    } catch (const Error& error) {
      options_.log.debug("a connection ended", "peer", peer, "error", error.what());
    }
  }

  std::unique_ptr<Stream> secure(std::unique_ptr<Stream> plain) {
    try {
      auto stream = tls_->accept(std::move(plain), within(options_.head_timeout));
      if (counters_) counters_->handshakes.add();
      return stream;
    } catch (const Error&) {
      if (counters_) counters_->failed_handshakes.add();
      throw;
    }
  }

  static void read_until(Session& session, const StopDescriptor* shared) {
    if (session.tcp != nullptr) session.tcp->read_until(shared);
  }

  Stop within(Duration time) { return end_.stop().with_deadline(clock_, clock_.after(time)); }

  // True when another request may follow.
  bool serve_one(Session& session) {
    if (session.ahead.empty() && !wait_for_request(session)) return false;
    HttpParser parser(HttpParser::Kind::kRequest, options_.limits);
    Request& request = parser.request();
    try {
      const Stop head_stop = within(options_.head_timeout);
      while (!parser.head_done()) feed(parser, session, request.body, head_stop);
      const bool waits = same_name(request.headers.get("Expect"), "100-continue");
      if (waits && !parser.done() && session.ahead.empty())
        session.stream->write("HTTP/1.1 100 Continue\r\n\r\n", head_stop);
      const Stop body_stop = within(options_.body_timeout);
      while (!parser.done()) feed(parser, session, request.body, body_stop);
    } catch (const ProtocolError& error) {
      if (parser.untouched()) return false;
      refuse(session, error.status(), error.what());
      return false;
    } catch (const Stopped& stopped) {
      if (stopped.deadline_passed()) refuse(session, 408, "the request did not come in time");
      return false;
    }
    return answer(session, request, parser.keep_alive());
  }

  // Between requests: false when none comes in time, or the server ends.
  bool wait_for_request(Session& session) {
    try {
      const Stop stop = drain_.stop().with_deadline(clock_, clock_.after(options_.kept_for));
      session.stream->set_idle_timeout({});
      read_until(session, &drained_);
      const std::size_t n = session.stream->read(session.room(), stop);
      read_until(session, &ended_);
      session.stream->set_idle_timeout(options_.write_timeout);
      session.ahead.assign(session.buffer.get(), n);
      return n > 0;
    } catch (const Stopped&) {
      return false;
    }
  }

  static void feed(HttpParser& parser, Session& session, std::string& body, const Stop& stop) {
    if (session.ahead.empty()) {
      const std::size_t n = session.stream->read(session.room(), stop);
      if (n == 0) parser.end_of_input();
      session.ahead.assign(session.buffer.get(), n);
    }
    session.ahead.erase(0, parser.feed(session.ahead, body));
  }

  void refuse(Session& session, int status, const std::string& why) {
    Response response{
        .status = status, .headers = {{"Content-Type", "text/plain"}, {"Connection", "close"}}, .body = why + "\n"};
    response.headers.set("Content-Length", std::to_string(response.body.size()));
    std::string text;
    append_head(text, response);
    session.stream->write(text + response.body, within(options_.head_timeout));
    session.said_last_word = true;
    options_.log.debug("refused a request", "peer", session.stream->peer(), "status", status, "error", why);
  }

  bool answer(Session& session, const Request& request, bool keep_alive) {
    const bool last = !keep_alive || drain_.stop().stopped();
    session.buffer.reset();        // the answer may go on for hours
    read_until(session, nullptr);  // a handler that takes over reads with stops of its own
    ResponseWriter writer(*session.stream, session.ahead, request, watch_, end_.stop(), !last);
    try {
      handler_(request, writer);
      if (writer.state_ == ResponseWriter::State::kNothing) throw Error("the handler gave no answer");
      writer.end();
    } catch (const NetError&) {
      throw;  // the connection broke: nobody is there to be told
    } catch (const std::exception& error) {
      const bool stopped = dynamic_cast<const Stopped*>(&error) != nullptr;
      if (!stopped) {
        options_.log.error("a handler failed", "request", request.method + " " + request.target, "error", error.what());
      }
      if (writer.state_ != ResponseWriter::State::kNothing) {
        session.stream->shutdown();
        return false;
      }
      writer.send(
          {.status = stopped ? 503 : 500, .headers = {{"Content-Type", "text/plain"}}, .body = "the request failed\n"});
    }
    read_until(session, &ended_);
    // One that was told it may go on is not waited for.
    session.said_last_word = !writer.keep_alive_;
    return writer.keep_alive_;
  }

  // Our half is closed; the client's last bytes are read away for a moment, since closing on them would send a reset
  // that can overtake our answer.
  void linger(Session& session) {
    session.stream->close();
    const Stop stop = within(1s);
    for (int i = 0; i < 1024 && session.stream->read(session.room(), stop) > 0; ++i) {
    }
  }

  // Constant after construction.
  Clock& clock_;
  const HttpServerOptions options_;
  const HttpServer::Handler handler_;
  const std::unique_ptr<const NetCounters> counters_;  // null without metrics

  std::unique_ptr<Listener> first_;  // on its way to the others
  const std::uint16_t port_;
  const std::unique_ptr<TlsServer> tls_;
  StopSource end_;    // nothing goes on after this
  StopSource drain_;  // nothing new begins after this
  const StopDescriptor ended_;
  const StopDescriptor drained_;
  ClientWatch watch_;

  mutable Mutex mutex_;
  Condition changed_;
  std::vector<std::unique_ptr<Listener>> listeners_ FLYBALL_GUARDED_BY(mutex_);  // each is used by its acceptor alone
  std::size_t accepting_ FLYBALL_GUARDED_BY(mutex_) = 0;
  std::size_t running_ FLYBALL_GUARDED_BY(mutex_) = 0;
  std::list<Worker> workers_ FLYBALL_GUARDED_BY(mutex_);

  std::list<Thread> acceptors_;  // last: they use all of the above
};

}  // namespace detail

HttpServer::HttpServer(Clock& clock, HttpServerOptions options, Handler handler)
    : state_(std::make_unique<detail::HttpServerState>(clock, std::move(options), std::move(handler))) {}

HttpServer::~HttpServer() = default;

void HttpServer::also_listen(std::unique_ptr<Listener> listener) { state_->also_listen(std::move(listener)); }

std::uint16_t HttpServer::port() const noexcept { return state_->port(); }

std::string HttpServer::url() const {
  return (state_->secure() ? "https://" : "http://") + host_and_port(state_->address(), port());
}

std::size_t HttpServer::connections() const { return state_->connections(); }

bool HttpServer::stop(TimePoint deadline) { return state_->stop(deadline); }

}  // namespace flyball::net
