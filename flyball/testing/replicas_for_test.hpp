// Replicas: several replicas of one operator that compete for a lease, one server, one clock, one thread.
//
//   Replicas all;
//   Replica& a = all.add("a");
//   all.settle();                                        // a leads
//   a.crash();
//   all.advance(15s);
//
// The operator keeps a Secret for each ConfigMap, with what it says and who wrote it. Every write that arrives at the
// server is looked at there: if the lease is then not the writer's, there were two (`intruders`).
//
// Thread-safety: one thread. Lifetime: owns everything.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "flyball/base/manual_clock.hpp"
#include "flyball/client/write_guard.hpp"
#include "flyball/kube/coordination/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/runtime/context.hpp"
#include "flyball/runtime/operator.hpp"
#include "flyball/runtime/operator_run.hpp"
#include "flyball/testing/faults.hpp"
#include "flyball/testing/server.hpp"

namespace flyball::testing {

class Replicas;

// What arrives at the server, of one replica.
class Arrivals final : public client::Transport {
 public:
  Arrivals(Replicas& all, client::Transport& to, std::string identity)
      : all_(all), to_(to), identity_(std::move(identity)) {}

  net::Response send(net::Request request, const Stop& stop) override;
  std::unique_ptr<client::BodyStream> open(net::Request request, const Stop& stop,
                                           const client::OpenOptions& options) override;

 private:
  Replicas& all_;
  client::Transport& to_;
  const std::string identity_;
};

class Replica {
 public:
  Replica(Replicas& all, std::string identity, Random* order);

  bool runs() const { return run != nullptr; }
  bool leads() const { return runs() && run->leads(); }
  // One thing; false when there is nothing to do, or nobody to do it.
  bool step();
  TimePoint next_due() const { return runs() && !paused && !busy ? run->next_due() : kNever; }
  void crash() { run.reset(); }
  void end() {
    run->end();
    run.reset();
  }

  const std::string identity;
  CapturingSink sink;
  Logger log;
  Metrics metrics;
  Arrivals arrivals;
  FaultyTransport transport;
  client::Client client;
  runtime::Operator op{"replicas"};
  std::unique_ptr<runtime::OperatorRun> run;
  bool paused = false;     // as by SIGSTOP
  bool busy = false;       // in the middle of a step
  std::string ended = {};  // what it ended with
};

class Replicas {
 public:
  explicit Replicas(std::uint64_t seed = 1) : random(seed), server(clock, {.seed = seed}) { me.bind(); }

  // Begins at once.
  Replica& add(const std::string& identity, Random* order = nullptr) {
    return *replicas.emplace_back(std::make_unique<Replica>(*this, identity, order));
  }

  // All of them, until nobody has anything to do now.
  void settle() {
    while (step_all()) {
    }
  }
  // Everything that is due on the way happens at its time.
  void advance(Duration time) {
    const TimePoint end = clock.after(time);
    settle();
    while (clock.now() < end) {
      TimePoint due = end;
      for (const auto& one : replicas) due = std::min(due, one->next_due());
      // Due, and nothing done: it waits for something else.
      const Duration leap = due > clock.now() ? due - clock.now() : Duration(std::chrono::milliseconds(100));
      clock.jump(std::min<Duration>(leap, end - clock.now()));
      settle();
    }
  }

  std::optional<kube::coordination::v1::Lease> lease() {
    return server.client().find<kube::coordination::v1::Lease>({"default", "office"});
  }
  std::string holder() {
    const auto now = lease();
    return now ? now->spec.holderIdentity.value_or("") : "";
  }
  std::vector<std::string> leaders() const {
    std::vector<std::string> all;
    for (const auto& one : replicas) {
      if (one->leads()) all.push_back(one->identity);
    }
    return all;
  }
  void make_map(const std::string& name, const std::string& text) {
    server.client().create(
        kube::core::v1::ConfigMap{.metadata = {.name = name, .namespace_ = "default"}, .data = {{"text", text}}});
  }
  void edit_map(const std::string& name, const std::string& text) {
    server.client().edit<kube::core::v1::ConfigMap>({"default", name}, [&](auto& map) { map.data["text"] = text; });
  }
  // "hello by a"; empty when there is none.
  std::string secret(const std::string& name) {
    const auto found = server.client().find<kube::core::v1::Secret>({"default", name});
    return found ? found->metadata.annotations.at("text") + " by " + found->metadata.annotations.at("writer") : "";
  }

  ManualClock clock{{.auto_advance = true}};
  Participant me{clock, "test"};
  Random random;
  Server server;
  std::vector<std::string> writers;       // of what arrived, leases and events aside
  std::vector<std::string> intruders;     // what arrived from one that did not hold the lease
  bool refuse_watch = false;              // of leases
  std::function<void(Replica&)> in_pass;  // between the two writes of a pass
  std::function<void(runtime::Operator&, Replica&)> more;
  runtime::LeaderElectionTimes times = {};
  std::vector<std::unique_ptr<Replica>> replicas;

 private:
  bool step_all() {
    bool any = false;
    for (const auto& one : replicas) any = one->step() || any;
    return any;
  }
};

inline net::Response Arrivals::send(net::Request request, const Stop& stop) {
  const bool counts = client::may_write(request) && request.target.find("/leases") == std::string::npos &&
                      request.target.find("/events") == std::string::npos;
  if (counts) {
    all_.writers.push_back(identity_);
    const std::string holder = all_.holder();
    if (holder != identity_) {
      all_.intruders.push_back(identity_ + " while \"" + holder + "\" held the lease: " + request.method + " " +
                               request.target);
    }
  }
  return to_.send(std::move(request), stop);
}

inline std::unique_ptr<client::BodyStream> Arrivals::open(net::Request request, const Stop& stop,
                                                          const client::OpenOptions& options) {
  if (all_.refuse_watch && request.target.find("/leases") != std::string::npos) {
    // As a role without list and watch has it.
    request.target = "/api/v1/no-such-kind";
  }
  return to_.open(std::move(request), stop, options);
}

inline Replica::Replica(Replicas& all, std::string name, Random* order)
    : identity(std::move(name)),
      log(std::make_shared<LogCore>(all.clock, sink, LogCore::Options{.levels = "client=warn,debug"}), "testing"),
      arrivals(all, all.server.transport(), identity),
      transport(arrivals, all.clock, all.random),
      client(transport, all.clock, all.random, {.field_manager = "operator", .log = log.in_room("client")}) {
  namespace core = kube::core::v1;
  op.reconcile<core::ConfigMap>([this, &all](runtime::Context& ctx, core::ConfigMap& map) {
      const auto child = [&](const std::string& suffix) {
        return core::Secret{.metadata = {.name = map.metadata.name + suffix,
                                         .namespace_ = "default",
                                         .annotations = {{"text", map.data.at("text")}, {"writer", identity}}}};
      };
      ctx.apply(child("-first"));
      if (all.in_pass) all.in_pass(*this);
      ctx.apply(child(""));
    }).owns<core::Secret>();
  if (all.more) all.more(op, *this);
  run = std::make_unique<runtime::OperatorRun>(
      op, client, all.clock, all.random,
      runtime::OperatorRunOptions{
          .leader_election =
              runtime::LeaderElectionOptions{
                  .namespace_ = "default", .name = "office", .identity = identity, .times = all.times},
          .threads = false,
          .order = order,
          .log = log,
          .metrics = &metrics});
  run->start();
}

inline bool Replica::step() {
  if (!runs() || paused || busy) return false;
  busy = true;
  bool did = false;
  try {
    did = run->step({});
  } catch (const runtime::LeadershipLost& error) {
    ended = error.what();
    run.reset();
  }
  busy = false;
  return did;
}

}  // namespace flyball::testing
