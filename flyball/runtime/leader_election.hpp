// LeaderElection: of several replicas of an operator one leads, by a Lease that it renews, as client-go does it: the
// two may compete for one Lease.
//
//   LeaderElection election(client, clock, random, {.namespace_ = "shop-system", .name = "shop", .identity = pod});
//   const Client writes = election.fence(client);          // throws NotLeading instead of writing when it must not
//   Thread electing(clock, "election", [&] { election.run(stop); });
//   if (election.wait_to_lead(stop)) work(writes, election.leadership());      // a Stop that comes when it is lost
//   election.release(end);                                 // another one begins at once
//
// Whether a Lease has run out is judged by when this process saw it change, on its own clock: what others write into it
// as time is for people. A standby also watches the Lease, so that a release wakes it; where it may not watch, it looks
// every retry period.
//
// Why there are no two writers: a renewal that began at T lets this process write until T + renew_deadline, by the
// fence in the client. Others saw it later than T, and wait for lease_duration, which is longer. The difference is the
// time that a write on its way may still take. A Lease that somebody deletes frees nobody from this wait, but for those
// who never saw it.
//
// Leadership that was lost does not come back: the process ends and starts again. step() is run() on somebody else's
// thread, one thing at a time.
//
// Thread-safety: run(), step(), next_due() and release() by one thread; the rest from any.
// Lifetime: clock, random and metrics outlive it; it outlives the clients that it fences.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "flyball/base/api_error.hpp"
#include "flyball/base/condition.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/client/client.hpp"
#include "flyball/kube/coordination/v1.hpp"
#include "flyball/runtime/leader_election_options.hpp"

namespace flyball::runtime {

// A write that was not sent: this process does not lead, or cannot be sure of it.
class NotLeading : public ApiError {
 public:
  explicit NotLeading(std::string message) : ApiError(Reason::Forbidden, std::move(message)) {}
};

// What ends an operator that led and leads no more.
class LeadershipLost : public Error {
 public:
  using Error::Error;
};

class LeaderElection {
 public:
  // Sends nothing yet. Throws InputError when the options cannot be.
  LeaderElection(const client::Client& client, Clock& clock, Random& random, LeaderElectionOptions options);
  LeaderElection(const LeaderElection&) = delete;
  LeaderElection& operator=(const LeaderElection&) = delete;

  // Competes, then renews, until the stop or until leadership is lost.
  void run(const Stop& stop);
  // One look, one renewal or one event of the watch; false when there is nothing to do now.
  bool step(const Stop& stop);
  TimePoint next_due() const;
  // Gives the Lease up, if it is ours. Nothing of ours may be on its way any more. False when others have to wait until
  // it has run out.
  bool release(const Stop& stop);

  // This process may write now.
  bool leads() const;
  // True when it leads; false at the stop.
  bool wait_to_lead(const Stop& stop);
  // Stopped when leadership is lost; the reason says why.
  Stop leadership() const { return lost_.stop(); }
  // Who does, as far as this process knows; empty: nobody.
  std::string holder() const;

  // The same client, which asks leads() before each write.
  client::Client fence(const client::Client& client) const;

  const LeaderElectionOptions& options() const noexcept { return options_; }

 private:
  using Lease = kube::coordination::v1::Lease;
  using Next = std::function<const client::WatchEvent*(client::Watch&)>;
  struct Instruments {
    Gauge status;
    Counter slow;
    Counter refused;
  };

  void attempt(const Stop& stop);
  void acquire(const client::Client& client);
  void renew(const client::Client& client);
  // Makes it ours, or keeps it; throws what the server says.
  void put(const client::Client& client, const std::optional<Lease>& stored);
  void lose(const std::string& why);
  void failed(const std::string& why);

  bool listen(const Next& next);
  void heard(const client::WatchEvent& event);
  void observe(const Lease& lease);
  // When the Lease that was seen last may be taken.
  TimePoint free_at() const;

  bool is_leading() const;
  TimePoint valid_until() const;
  void refuse_unless_leading(const net::Request& request) const;

  // Constant after construction.
  const client::Client client_;
  Clock& clock_;
  Random& random_;
  const LeaderElectionOptions options_;
  const kube::ObjectKey key_;
  const Logger log_;
  std::optional<Instruments> instruments_;

  // Of the thread that runs it.
  std::optional<Lease> observed_ = {};  // as it was seen last, or written
  TimePoint observed_at_ = {};          // when it was first seen like that
  TimePoint due_ = {};                  // the next look or renewal
  TimePoint deaf_until_ = {};           // the watch was refused
  std::optional<client::Watch> watch_ = {};
  std::string trouble_ = {};  // why the last look or renewal failed

  StopSource lost_;
  mutable Mutex mutex_;
  Condition changed_;
  bool leading_ FLYBALL_GUARDED_BY(mutex_) = false;
  TimePoint valid_until_ FLYBALL_GUARDED_BY(mutex_) = {};  // writes are allowed before it
  std::string holder_ FLYBALL_GUARDED_BY(mutex_) = {};
};

}  // namespace flyball::runtime
