// World: a server and an operator beside it, for the cases of the behaviour suite. There are two, one to a program: the
// embedded server on one thread in virtual time, and the real kube-apiserver with an operator of many threads. Each
// case is written once and holds in both.
//
//   world->declare([](Operator& op) { op.reconcile<Box>(reconcile); });
//   world->start();
//   world->person().create(Box{.metadata = {.name = "one"}});
//   world->settle();                                             // the operator has seen it and has done its work
//   world->until("it was tried again", [&] { return tries > 3; });  // for what takes time
//
// Thread-safety: the thread of the test. Lifetime: the case.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/metrics.hpp"
#include "flyball/client/client.hpp"
#include "flyball/runtime/operator.hpp"
#include "flyball/runtime/operator_run.hpp"

namespace flyball::behaviour {

struct WorldOptions {
  std::vector<std::string> namespaces = {};  // of the operator; empty: the namespace of the case
  bool install = true;                       // the CustomResourceDefinitions
  bool leader_election = false;              // for the lease "office" in the namespace of the case, as "first"
};

// Of leases in the cases: short, since people wait for them.
inline constexpr runtime::LeaderElectionTimes kLeaseTimes{.lease_duration = std::chrono::seconds(4),
                                                          .renew_deadline = std::chrono::seconds(2),
                                                          .retry_period = std::chrono::milliseconds(250)};

class World {
 public:
  using Setup = std::function<void(Operator&)>;

  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  virtual ~World() = default;

  // What the operator is; once for each case.
  virtual void declare(const Setup& setup, WorldOptions options = {}) = 0;
  // It begins; after stop() again, with a new memory.
  virtual void start() = 0;
  virtual void stop() = 0;
  // A second replica of the same operator, "second", with threads of its own where the first has them. It is never cut
  // off, and ends with the case.
  virtual void start_second() = 0;
  // The first replica ends as at SIGTERM.
  virtual void end_first() = 0;
  // What the first replica ended with by itself; empty while it has not.
  virtual std::string first_ended_with() = 0;

  // Somebody else than the operator, who may do everything; names without a namespace are in that of the case.
  virtual const Client& person() = 0;
  virtual const std::string& ns() const = 0;
  // Another namespace of this case alone.
  virtual std::string make_namespace(const std::string& name) = 0;
  virtual void install(const json::Value& definition) = 0;

  // The operator works in these, from now on.
  virtual void set_namespaces(std::vector<std::string> namespaces) = 0;

  // Until the operator knows everything there is and does nothing more at once.
  virtual void settle() = 0;
  // Lets it do so many things; where it has threads of its own, it does what it likes anyway.
  virtual void go_on(std::size_t steps) = 0;
  // For what comes in its time; throws when it does not.
  virtual void until(const std::string& what, const std::function<bool()>& is_so) = 0;

  // The operator's connections break, and there are no new ones, until connect_again(). A person still has theirs.
  virtual void cut_off() = 0;
  virtual void connect_again() = 0;
  // The server knows nothing any more but how things are now: watches from before get 410.
  virtual void forget_the_past() = 0;
  // Nobody is there, for anybody.
  virtual void server_down() = 0;
  virtual void server_up() = 0;
  // Time passes: as much as is said in virtual time and at night (FLYBALL_NIGHTLY), none where people wait for it.
  virtual void wait(Duration time) = 0;

  virtual OperatorRun& run() = 0;
  virtual const Metrics& metrics() = 0;
};

// The one of this program. The seed is of the order in which things happen, where that can be chosen.
std::unique_ptr<World> make_world(std::optional<std::uint64_t> seed = {});
// How often a case that draws its course by lot is to be tried: a server in the same process is quick.
std::size_t tries_of_chance();

}  // namespace flyball::behaviour
