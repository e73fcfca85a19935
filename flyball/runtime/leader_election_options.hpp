// LeaderElectionOptions: which Lease is competed for, as whom, and how patiently.
//
//   LeaderElectionOptions options{.namespace_ = "shop-system", .name = "shop-operator", .identity = "shop-operator-0"};
//   options.times.renew_deadline = 20s;
//   options.times.check();                    // lease_duration: 15s is not above the renew_deadline of 20s: …
//
// Thread-safety: a value.
#pragma once

#include <chrono>
#include <string>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"

namespace flyball::runtime {

// The defaults are those of Kubernetes' own components and of controller-runtime.
struct LeaderElectionTimes {
  Duration lease_duration = std::chrono::seconds(15);  // others wait that long after the last renewal; whole seconds
  Duration renew_deadline = std::chrono::seconds(10);  // without a renewal for that long, the leader writes no more
  Duration retry_period = std::chrono::seconds(2);     // between two renewals, and between two looks of a standby

  // A standby looks after a retry period made longer by up to this part of it, so that not all look at once.
  static constexpr double kJitter = 1.2;

  // How the three are called in an error: the fields, or the flags they came from.
  struct Names {
    std::string lease_duration = "lease_duration";
    std::string renew_deadline = "renew_deadline";
    std::string retry_period = "retry_period";
  };
  // lease_duration > renew_deadline > retry_period * 1.2. Throws InputError, which names both and their values.
  void check() const { check(Names()); }
  void check(const Names& names) const;
};

struct LeaderElectionOptions {
  std::string namespace_ = {};  // of the Lease
  std::string name = {};        // of the Lease: the operator's
  std::string identity = {};    // this process, and no other: a pod's name and something drawn
  LeaderElectionTimes times = {};
  Logger log = {};
  Metrics* metrics = nullptr;  // leader_election_*

  // Throws InputError for what is missing, or cannot be.
  void check() const;
};

}  // namespace flyball::runtime
