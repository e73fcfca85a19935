// Environment: an operator and an API server for a test, in one process, on one thread, in a time of its own.
//
//   TEST(Memcached, GetsADeployment) {
//     TestEnvironment env(setup);                               // setup(Operator&) declares, as main() does
//     env.apply(R"(
//       apiVersion: cache.example.com/v1alpha1
//       kind: Memcached
//       metadata: {name: sample}
//       spec: {size: 3})");
//     env.settle();                                             // the operator has done all it had to do
//     EXPECT_EQ(env.get<apps::Deployment>("sample").spec.replicas, 3);
//     env.advance(10min);                                       // timers fire, in order, in no time at all
//   }
//
// Nothing runs by itself: settle() and advance() run the operator, step by step, on the calling thread. With a seed the
// steps come in an order drawn from it, and faults may be drawn too: a failing test repeats exactly. The
// CustomResourceDefinitions of the operator's kinds are there; namespaces but "default" have to be made.
//
// Names without a namespace mean "default".
//
// Errors: settle() throws when the operator does not come to rest, with what it did last.
//
// Thread-safety: one thread. Lifetime: owns everything.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/log.hpp"
#include "flyball/base/manual_clock.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/random.hpp"
#include "flyball/kube/events/v1.hpp"
#include "flyball/runtime/object_name.hpp"
#include "flyball/runtime/operator.hpp"
#include "flyball/runtime/operator_run.hpp"
#include "flyball/testing/faults.hpp"
#include "flyball/testing/server.hpp"

namespace flyball::testing {

struct EnvironmentOptions {
  std::optional<std::uint64_t> seed = {};  // of the order of steps; none: a fixed order
  Faults faults = {};                      // what goes wrong between operator and server, drawn from the seed
  bool install = true;                     // the CustomResourceDefinitions of the operator's kinds
  bool start = true;                       // false: the operator begins with start()
  runtime::OperatorRunOptions run = {};    // threads, order, log and metrics are the environment's
  std::size_t most_steps = 100'000;        // that settle() takes before it gives up
};

class Environment {
 public:
  using Setup = std::function<void(runtime::Operator&)>;

  explicit Environment(const Setup& setup, EnvironmentOptions options = {});
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  // --- What a person does, with an administrator's rights

  // One or more YAML documents, as `kubectl apply --server-side`.
  void apply(std::string_view yaml);
  template <class T>
  T get(const runtime::ObjectName& name) {
    return client().template get<T>(complete<T>(name));
  }
  template <class T>
  std::optional<T> find(const runtime::ObjectName& name) {
    return client().template find<T>(complete<T>(name));
  }
  template <class T>
  std::vector<T> list(const client::ListOptions& options = {}) {
    std::vector<T> all;
    for (const T& object : client().template list<T>(options)) all.push_back(object);
    return all;
  }
  template <class T>
  T create(const T& object) {
    return client().create(object);
  }
  template <class T, class Change>
  T edit(const runtime::ObjectName& name, Change&& change) {
    return client().template edit<T>(complete<T>(name), std::forward<Change>(change));
  }
  template <class T, class Change>
  T edit_status(const runtime::ObjectName& name, Change&& change) {
    return client().template edit_status<T>(complete<T>(name), std::forward<Change>(change));
  }
  template <class T>
  // NOLINTNEXTLINE(readability-identifier-naming): Kubernetes' word is a keyword
  void delete_(const runtime::ObjectName& name) {
    client().template delete_<T>(complete<T>(name));
  }
  void make_namespace(const std::string& name);
  // What the garbage collector of a cluster does: objects of the kinds the operator knows go when all their owners are
  // gone. Gives how many went.
  std::size_t collect_garbage();
  client::Client& client() noexcept { return server_.client(); }

  // --- What time does

  // Runs the operator until it has nothing to do now.
  void settle();
  // Lets time pass; everything that is due on the way happens at its time.
  void advance(Duration time);
  // One step; false when there is nothing to do now.
  bool step();
  // With a seed, events of watches come now and then while a pass waits for the server. This is called then too: what
  // somebody else does in the middle of a pass.
  void set_meanwhile(std::function<void()> act) { meanwhile_ = std::move(act); }

  // The operator begins, with a new memory; one that runs is crashed first.
  void start();
  void start_if_down() {
    if (run_ == nullptr) start();
  }
  // It ends without a word, as by kill -9: what it had not written is lost.
  void crash();
  // It ends as at SIGTERM: what it had to say is written, and its lease is released.
  void end();

  // --- What can be asked

  // Reconciles every object once more and settles: the writes that changed something. None, for an operator that is
  // done.
  std::vector<runtime::RecordedWrite> writes_of_a_second_pass();
  // What the operator said, in the order it was said: "Normal Scaled: to 3".
  std::vector<std::string> events();
  // Why the object was reconciled, and what was done: the last passes over it.
  std::string explain(std::string_view controller, const runtime::ObjectName& name);
  // The lines of the log since the last call.
  std::string take_log() { return sink_.take(); }

  runtime::OperatorRun& run();
  runtime::Operator& op() noexcept { return operator_; }
  Server& server() noexcept { return server_; }
  FaultyTransport& transport() noexcept { return transport_; }
  ManualClock& clock() noexcept { return clock_; }
  Metrics& metrics() noexcept { return metrics_; }

 private:
  template <class T>
  static kube::ObjectKey complete(const runtime::ObjectName& name) {
    return name.in(client::resource_of<T>().namespaced ? "default" : "");
  }
  std::string what_it_did_last();
  void meanwhile();

  const EnvironmentOptions options_;
  ManualClock clock_;
  Participant me_;
  Random random_;
  Random order_;
  CapturingSink sink_;
  Logger log_;
  Metrics metrics_;
  Server server_;
  FaultyTransport transport_;
  client::Client client_;
  runtime::Operator operator_;
  std::function<void()> meanwhile_;
  std::unique_ptr<runtime::OperatorRun> run_;
};

}  // namespace flyball::testing

// After `using namespace flyball`, where `testing` would be GoogleTest's too.
namespace flyball {
using TestEnvironment = testing::Environment;
}  // namespace flyball
