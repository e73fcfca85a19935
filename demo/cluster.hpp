// What the demo needs of a cluster: an API server of our own over HTTPS, the operator on its threads, and a person.
#pragma once

#include <functional>
#include <memory>

#include <flyball/apiserver/server.hpp>
#include <flyball/base/condition.hpp>
#include <flyball/base/metrics.hpp>
#include <flyball/base/thread.hpp>
#include <flyball/client/client.hpp>
#include <flyball/runtime/operator_run.hpp>

namespace demo {

class Cluster {
 public:
  explicit Cluster(flyball::Operator& op)
      : server_(clock_),
        person_(flyball::Client::connect(server_.config(), clock_, random_, {.field_manager = "person"})),
        operator_client_(flyball::Client::connect(server_.config(), clock_, random_, {.field_manager = op.name()})),
        run_(op, operator_client_, clock_, random_, {.metrics = &metrics_}) {
    install(op);
    thread_ = std::make_unique<flyball::Thread>(clock_, "operator", [this] { run_.run(stop_.stop()); });
  }
  ~Cluster() { stop_.request_stop("the demo ends"); }

  const flyball::Client& person() const { return person_; }
  flyball::OperatorRun& run() { return run_; }
  std::string url() const { return server_.url(); }
  std::string metrics() const { return metrics_.text(); }

  // Looks again and again until it holds; false after ten seconds.
  bool becomes(const std::function<bool()>& holds) {
    const flyball::TimePoint end = clock_.after(std::chrono::seconds(10));
    while (!holds()) {
      if (clock_.now() >= end) return false;
      flyball::pause_until(clock_, clock_.after(std::chrono::milliseconds(2)), {});
    }
    return true;
  }
  flyball::TimePoint now() const { return clock_.now(); }

 private:
  void install(const flyball::Operator& op) {
    for (const auto& definition : op.definitions()) {
      person_.dynamic({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}).create(definition);
    }
    person_.mapper().forget();
  }

  flyball::RealClock clock_;
  flyball::Random random_ = flyball::Random::from_os();
  flyball::Metrics metrics_;
  flyball::apiserver::Server server_;
  flyball::Client person_;
  flyball::Client operator_client_;
  flyball::OperatorRun run_;
  flyball::StopSource stop_;
  std::unique_ptr<flyball::Thread> thread_;
};

}  // namespace demo
