// Engine: sends requests, and stays with them until they are answered: deadline, retries, rate limit, log line, metrics
// and warnings of every request of a client. The verbs are built on it (objects.hpp), and so is `client.raw()`.
//
//   const Answer answer = engine.send({.verb = "get", .request = {.target = "/version"}, .repeatable = true}, stop);
//
// Errors: ApiError when the server refuses, net::NetError when it cannot be reached or does not answer within the
// client's timeout, Stopped at the caller's own stop or deadline.
//
// Thread-safety: all members may be called from any thread. Lifetime: transport, clock, random and metrics outlive it.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "flyball/base/clock.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/client/client_options.hpp"
#include "flyball/client/transport.hpp"

namespace flyball::client {

struct Call {
  std::string verb = {};  // as RBAC and the metrics name it: "get", "list", "create", …
  net::Request request = {};
  bool repeatable = false;         // twice is as good as once
  bool busy_is_an_answer = false;  // 429 is for the caller: an eviction that a disruption budget forbids for now
};

struct Answer {
  net::Response response = {};
  std::string about = {};    // "GET /api/v1/pods?limit=500", for messages
  bool sent_before = false;  // an earlier try may have done it already
};

class Engine {
 public:
  Engine(std::shared_ptr<Transport> transport, Clock& clock, Random& random, ClientOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // The answer, when it is no refusal.
  Answer send(const Call& call, const Stop& stop);
  // The answer, whatever it is.
  Answer exchange(const Call& call, const Stop& stop);
  // The answer's head, its body to be read. Tried once.
  std::unique_ptr<BodyStream> open(const Call& call, const Stop& stop, const OpenOptions& options = {});

  const ClientOptions& options() const noexcept { return options_; }
  Clock& clock() const noexcept { return clock_; }
  Random& random() const noexcept { return random_; }
  Transport& transport() const noexcept { return *transport_; }
  const std::shared_ptr<Transport>& shared_transport() const noexcept { return transport_; }

  // Whether to speak protobuf with what serves that API group, and that it turned out not to.
  bool speaks_protobuf(std::string_view group) const;
  void no_protobuf(const std::string& group);

 private:
  struct Instruments;
  struct Try;

  Try attempt(const Call& call, int tries, const Stop& stop);
  void note(const Call& call, int tries, std::string_view code, Duration took, std::size_t bytes,
            std::string_view problem);
  void surface_warnings(const net::Headers& headers, std::string_view about);
  void keep_rate(const Stop& stop);

  // Constant after construction.
  const std::shared_ptr<Transport> transport_;
  Clock& clock_;
  Random& random_;
  const ClientOptions options_;
  const std::unique_ptr<Instruments> instruments_;

  mutable Mutex mutex_;
  TimePoint rate_next_ FLYBALL_GUARDED_BY(mutex_) = {};  // when the next request is due, were there no burst
  std::set<std::string, std::less<>> without_protobuf_ FLYBALL_GUARDED_BY(mutex_);
  std::set<std::string, std::less<>> warned_ FLYBALL_GUARDED_BY(mutex_);
};

// A request target as it may stand in logs and errors: what is secret by its name, or long, is left out.
std::string loggable_target(std::string_view target);

// The texts of an answer's Warning headers.
std::vector<std::string> warnings_in(const net::Headers& headers);

}  // namespace flyball::client
