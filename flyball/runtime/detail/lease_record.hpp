// What stands in the Lease of an election, as client-go writes and reads it. Private to the room.
//
//   client.replace(taken(lease, terms, clock.wall_now()));
//
// The moments in it are for people: nobody's clock is compared with anybody else's.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "flyball/base/clock.hpp"
#include "flyball/kube/coordination/v1.hpp"

namespace flyball::runtime::detail {

using kube::coordination::v1::Lease;

struct LeaseTerms {
  std::string identity = {};
  Duration duration = {};
};

// Empty when nobody does.
std::string holder_of(const Lease& lease);
// What it says itself; `otherwise` when it does not.
Duration duration_of(const Lease& lease, Duration otherwise);

// A new one, held by us.
Lease first_lease(const std::string& in_namespace, const std::string& name, const LeaseTerms& terms, WallTime now);
// The stored one, held by us from now on; still, when we held it already.
Lease taken(Lease stored, const LeaseTerms& terms, WallTime now);
// Held by nobody.
Lease released(Lease stored, WallTime now);

}  // namespace flyball::runtime::detail
