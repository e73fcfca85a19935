#include "flyball/client/engine.hpp"

#include <algorithm>
#include <optional>

#include "flyball/base/condition.hpp"
#include "flyball/net/http_parser.hpp"

namespace flyball::client {

// Made once: looking a family up takes the registry's lock.
struct Engine::Instruments {
  explicit Instruments(Metrics* given) : Instruments(given, std::make_unique<Metrics>()) {}
  Instruments(Metrics* given, std::unique_ptr<Metrics> spare) : Instruments(given != nullptr ? *given : *spare) {
    if (given == nullptr) unread = std::move(spare);
  }
  explicit Instruments(Metrics& metrics)
      : requests(metrics.counter("flyball_client_requests_total",
                                 "Requests to the API server, each try of its own; code \"fault\" without an answer.",
                                 {"verb", "code"})),
        seconds(metrics.histogram("flyball_client_request_seconds", "How long each try of a request took.", {"verb"})),
        retries(metrics.counter("flyball_client_retries_total", "Requests that were sent again.", {"verb"})) {}

  std::unique_ptr<Metrics> unread = {};  // of a client that was given no registry
  Family<Counter> requests;
  Family<Histogram> seconds;
  Family<Counter> retries;
};

// How one try ended: with an answer, or without.
struct Engine::Try {
  std::optional<net::Response> response = {};
  std::optional<net::NetError> fault = {};
};

namespace {

std::string about(const net::Request& request) { return request.method + " " + loggable_target(request.target); }

double seconds_of(Duration d) { return std::chrono::duration<double>(d).count(); }

bool may_have_arrived(const net::NetError& fault) { return !may_retry(fault.kind(), false); }

[[noreturn]] void fail_at_timeout(const std::string& about, Duration timeout, int tries) {
  throw net::NetError(net::NetError::Kind::kTimeout, about + ": no answer within the client's timeout of " +
                                                         duration_text(timeout) +
                                                         (tries > 1 ? " and " + std::to_string(tries) + " tries" : ""));
}

// Some faults name the request already, some only the peer.
net::NetError with_request(const net::Request& request, const net::NetError& fault, int tries) {
  std::string text = fault.what();
  const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
  if (text.find(path) == std::string::npos) text = about(request) + ": " + text;
  if (tries > 1) text += " (tried " + std::to_string(tries) + " times)";
  return {fault.kind(), text};
}

}  // namespace

Engine::Engine(std::shared_ptr<Transport> transport, Clock& clock, Random& random, ClientOptions options)
    : transport_(std::move(transport)),
      clock_(clock),
      random_(random),
      options_(std::move(options)),
      instruments_(std::make_unique<Instruments>(options_.metrics)) {}

Engine::~Engine() = default;

Answer Engine::send(const Call& call, const Stop& stop) {
  Answer answer = exchange(call, stop);
  if (answer.response.status >= 400) throw ApiError(read_refusal(answer.response, answer.about).details);
  return answer;
}

Answer Engine::exchange(const Call& call, const Stop& caller) {
  // Who says how long to wait is taken at their word; nobody waits for ever by oversight.
  const bool bounded = options_.timeout > Duration::zero() && caller.deadline() == kNever;
  const Stop stop = bounded ? caller.with_deadline(clock_, clock_.after(options_.timeout)) : caller;
  const RetryPolicy& policy = options_.retry;
  Answer answer{.about = about(call.request)};
  for (int tries = 1;; ++tries) {
    Try one;
    try {
      keep_rate(stop);
      one = attempt(call, tries, stop);
    } catch (const Stopped&) {
      if (caller.stopped()) throw;
      fail_at_timeout(answer.about, options_.timeout, tries);
    }
    std::optional<std::chrono::seconds> asked;
    bool again = false;
    if (one.response) {
      answer.response = *std::move(one.response);
      if (answer.response.status < 400) return answer;
      const Refusal refusal = read_refusal(answer.response, answer.about);
      asked = refusal.details.retry_after;
      const bool busy = answer.response.status == 429 && call.busy_is_an_answer;
      again = !busy && tries < policy.attempts && may_retry(refusal, call.repeatable);
    } else {
      again = tries < policy.connection_attempts && may_retry(one.fault->kind(), call.repeatable);
    }
    const TimePoint next = clock_.after(pause_after(policy, tries, asked, random_));
    // Nobody would be there any more to take the answer.
    if (again && next >= stop.deadline()) again = false;
    if (!again && one.fault) throw with_request(call.request, *one.fault, tries);
    if (!again) return answer;
    answer.sent_before |= one.fault ? may_have_arrived(*one.fault) : answer.response.status >= 502;
    instruments_->retries.with({call.verb}).add();
    if (!pause_until(clock_, next, stop)) {
      caller.throw_if_stopped();
      fail_at_timeout(answer.about, options_.timeout, tries);
    }
  }
}

Engine::Try Engine::attempt(const Call& call, int tries, const Stop& stop) {
  const TimePoint begin = clock_.now();
  Try one;
  try {
    one.response = transport_->send(call.request, stop);
  } catch (const net::NetError& fault) {
    one.fault = fault;
  } catch (const net::ProtocolError& fault) {
    // An answer that was cut off or garbled: the request may have been done, as with a reset.
    one.fault = net::NetError(net::NetError::Kind::kReset, fault.what());
  } catch (const Error& error) {
    note(call, tries, "fault", clock_.now() - begin, 0, error.what());
    throw;
  }
  const Duration took = clock_.now() - begin;
  if (one.fault) {
    note(call, tries, "fault", took, 0, one.fault->what());
    return one;
  }
  note(call, tries, std::to_string(one.response->status), took, one.response->body.size(), {});
  surface_warnings(one.response->headers, about(call.request));
  return one;
}

std::unique_ptr<BodyStream> Engine::open(const Call& call, const Stop& stop, const OpenOptions& options) {
  keep_rate(stop);
  const TimePoint begin = clock_.now();
  std::unique_ptr<BodyStream> stream;
  try {
    stream = transport_->open(call.request, stop, options);
  } catch (const Error& error) {
    note(call, 1, "fault", clock_.now() - begin, 0, error.what());
    throw;
  }
  note(call, 1, std::to_string(stream->head().status), clock_.now() - begin, 0, {});
  surface_warnings(stream->head().headers, about(call.request));
  if (stream->head().status < 400) return stream;
  net::Response answer = stream->head();
  // A refusal is short; what goes on for ever is not one.
  constexpr std::size_t kLimit = std::size_t{1} << 20;
  for (std::string piece; answer.body.size() < kLimit && !(piece = stream->read(stop)).empty();) answer.body += piece;
  throw ApiError(read_refusal(answer, about(call.request)).details);
}

void Engine::note(const Call& call, int tries, std::string_view code, Duration took, std::size_t bytes,
                  std::string_view problem) {
  instruments_->requests.with({call.verb, code}).add();
  instruments_->seconds.with({call.verb}).observe(seconds_of(took));
  const Logger& log = options_.log;
  if (!log.enabled(LogLevel::debug)) return;
  const std::string target = loggable_target(call.request.target);
  const auto rounded = std::chrono::round<std::chrono::microseconds>(took);
  const Logger one = tries > 1 ? log.with("try", tries) : log;
  if (problem.empty()) {
    one.debug("request", "method", call.request.method, "target", target, "code", code, "took", rounded, "bytes",
              bytes);
  } else {
    one.debug("request failed", "method", call.request.method, "target", target, "took", rounded, "error", problem);
  }
}

void Engine::surface_warnings(const net::Headers& headers, std::string_view about) {
  constexpr std::size_t kRemembered = 1000;
  for (const std::string& text : warnings_in(headers)) {
    if (options_.on_warning) {
      options_.on_warning(text);
      continue;
    }
    {
      const MutexLock lock(mutex_);
      if (warned_.size() >= kRemembered) warned_.clear();
      if (!warned_.insert(text).second) continue;
    }
    options_.log.warn("the API server warns", "warning", text, "request", about);
  }
}

void Engine::keep_rate(const Stop& stop) {
  const RateLimit& limit = options_.rate_limit;
  if (limit.per_second <= 0) return;
  const auto interval = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(1.0 / limit.per_second));
  TimePoint begin;
  {
    const MutexLock lock(mutex_);
    const TimePoint now = clock_.now();
    rate_next_ = std::max(rate_next_, now);
    begin = rate_next_ - interval * (std::max(limit.burst, 1) - 1);
    rate_next_ += interval;
    if (begin <= now) return;
  }
  if (!pause_until(clock_, begin, stop)) stop.throw_if_stopped();
}

bool Engine::speaks_protobuf(std::string_view group) const {
  if (!options_.protobuf) return false;
  const MutexLock lock(mutex_);
  return !without_protobuf_.contains(group);
}

void Engine::no_protobuf(const std::string& group) {
  const MutexLock lock(mutex_);
  without_protobuf_.insert(group);
}

}  // namespace flyball::client
