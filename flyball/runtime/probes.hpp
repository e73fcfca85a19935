// ProbeServer: /healthz and /readyz for Kubernetes' probes, /metrics for Prometheus.
//
//   Checks live;                                             // a failing one makes Kubernetes restart the pod
//   Checks ready;                                            // a failing one keeps traffic and rollouts away
//   ready.add("watch-pods", [&] { return watch.alive() ? "" : "no word from the server for 2m"; });
//   ProbeServer server(clock, live, ready, metrics, {.address = "0.0.0.0", .port = 8081});
//
// As Kubernetes' own servers answer: "ok", or 500 and the list of checks, each with its reason. `?verbose` lists them
// always, `?exclude=name` leaves one out, `/readyz/name` asks for one alone. /livez is /healthz by its newer name.
//
// Thread-safety: all members may be called from any thread; checks run on the server's threads.
// Lifetime: clock, checks and metrics outlive the server; what a check uses outlives the check.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/net/http_server.hpp"

namespace flyball::runtime {

// Named questions with a yes or a reason.
class Checks {
 public:
  // Empty when all is well, else what is wrong. Must be quick: Kubernetes waits a second. One that throws is wrong.
  using Check = std::function<std::string()>;
  struct Result {
    std::string name;
    std::string problem;  // empty: well
  };

  // Replaces one of the same name.
  void add(std::string name, Check check);
  void remove(const std::string& name);
  bool contains(const std::string& name) const;

  // All of them, by name.
  std::vector<Result> ask() const;
  bool pass() const;

 private:
  mutable Mutex mutex_;
  std::map<std::string, Check> checks_ FLYBALL_GUARDED_BY(mutex_);
};

struct ProbeServerOptions {
  std::string address = "127.0.0.1";  // numeric; "0.0.0.0" or "::" for everybody
  std::uint16_t port = 0;             // 0: a free one
  bool probes = true;                 // /healthz, /livez, /readyz
  bool metrics = true;                // /metrics
  Logger log = {};
};

class ProbeServer {
 public:
  // Listens when it returns. Throws NetError when it cannot.
  ProbeServer(Clock& clock, const Checks& live, const Checks& ready, const Metrics& metrics,
              ProbeServerOptions options = {});

  std::uint16_t port() const noexcept { return server_.port(); }
  std::string url() const { return server_.url(); }
  // As HttpServer::stop.
  bool stop(TimePoint deadline) { return server_.stop(deadline); }

 private:
  net::Response answer(const net::Request& request) const;
  net::Response probe(const Checks& checks, std::string_view endpoint, std::string_view rest,
                      std::string_view query) const;

  // Constant after construction.
  const Checks& live_;
  const Checks& ready_;
  const Metrics& metrics_;
  const ProbeServerOptions options_;

  net::HttpServer server_;  // last: its threads use all of the above
};

}  // namespace flyball::runtime
