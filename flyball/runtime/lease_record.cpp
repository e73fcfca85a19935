#include "flyball/runtime/detail/lease_record.hpp"

#include <chrono>
#include <utility>

namespace flyball::runtime::detail {
namespace {

using std::chrono::seconds;

std::int32_t whole_seconds(Duration d) { return static_cast<std::int32_t>(std::chrono::floor<seconds>(d).count()); }

}  // namespace

std::string holder_of(const Lease& lease) { return lease.spec.holderIdentity.value_or(""); }

Duration duration_of(const Lease& lease, Duration otherwise) {
  if (!lease.spec.leaseDurationSeconds) return otherwise;
  return seconds(*lease.spec.leaseDurationSeconds);
}

Lease first_lease(const std::string& in_namespace, const std::string& name, const LeaseTerms& terms, WallTime now) {
  return {.metadata = {.name = name, .namespace_ = in_namespace},
          .spec = {.holderIdentity = terms.identity,
                   .leaseDurationSeconds = whole_seconds(terms.duration),
                   .acquireTime = now,
                   .renewTime = now,
                   .leaseTransitions = 0}};
}

Lease taken(Lease stored, const LeaseTerms& terms, WallTime now) {
  if (holder_of(stored) != terms.identity) {
    stored.spec.leaseTransitions = stored.spec.leaseTransitions.value_or(0) + 1;
    stored.spec.acquireTime = now;
  }
  stored.spec.holderIdentity = terms.identity;
  stored.spec.leaseDurationSeconds = whole_seconds(terms.duration);
  stored.spec.renewTime = now;
  return stored;
}

Lease released(Lease stored, WallTime now) {
  stored.spec.holderIdentity = "";
  stored.spec.leaseDurationSeconds = 1;  // the least that is allowed
  stored.spec.acquireTime = now;
  stored.spec.renewTime = now;
  return stored;
}

}  // namespace flyball::runtime::detail
