#include "flyball/runtime/leader_election_options.hpp"

#include <cstdint>
#include <limits>

#include "flyball/base/error.hpp"
#include "flyball/base/text.hpp"
#include "flyball/kube/names.hpp"

namespace flyball::runtime {

void LeaderElectionTimes::check(const Names& names) const {
  using std::chrono::seconds;
  if (retry_period <= Duration::zero()) {
    throw InputError({}, names.retry_period, duration_text(retry_period) + " is no time; the usual is 2s");
  }
  // It stands in the Lease as a number of seconds, and others would wait for less than we count on.
  if (lease_duration % seconds(1) != Duration::zero() ||
      lease_duration > seconds(std::numeric_limits<std::int32_t>::max())) {
    throw InputError({}, names.lease_duration, duration_text(lease_duration) + " is not a number of whole seconds");
  }
  if (lease_duration <= renew_deadline) {
    throw InputError({}, names.lease_duration,
                     duration_text(lease_duration) + " is not above the " + names.renew_deadline + " of " +
                         duration_text(renew_deadline) +
                         ": a leader that cannot renew has to stop before another one begins");
  }
  const auto shortest = std::chrono::duration_cast<Duration>(retry_period * kJitter);
  if (renew_deadline <= shortest) {
    throw InputError({}, names.renew_deadline,
                     duration_text(renew_deadline) + " is not above 1.2 times the " + names.retry_period + " of " +
                         duration_text(retry_period) + ": one renewal that fails would end the leadership");
  }
}

void LeaderElectionOptions::check() const {
  times.check();
  if (const auto wrong = kube::names::dns1123_subdomain(name); !wrong.empty()) {
    throw InputError({}, "name", "\"" + name + "\" cannot be the name of a Lease: " + wrong.front());
  }
  if (namespace_.empty()) throw InputError({}, "namespace", "in which namespace is the Lease " + name + "?");
  if (identity.empty()) throw InputError({}, "identity", "who competes for the Lease " + name + "?");
}

}  // namespace flyball::runtime
