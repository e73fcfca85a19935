// When a request is sent again, and after which pause.
//
//   RetryPolicy policy{.attempts = 3, .longest = 5s};
//   client::Client client(transport, clock, random, {.retry = policy});
//
// Sent again is only what cannot do harm twice: a request that may be repeated (get, list, replace, delete, apply, a
// merge patch), or any request of which it is certain that nothing was done: the server was not reached, or it said so
// (429, 503 with Retry-After, ServerTimeout). The pause the server asks for is kept; without one it doubles from try to
// try. Everything ends at the caller's deadline: a pause that would pass it is not begun.
//
// Thread-safety: pure functions.
#pragma once

#include <optional>

#include "flyball/base/clock.hpp"
#include "flyball/base/random.hpp"
#include "flyball/client/refusal.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::client {

struct RetryPolicy {
  int attempts = 8;                                 // tries of a request that the server answered, the first too
  int connection_attempts = 4;                      // tries of one that it did not
  Duration first = std::chrono::milliseconds(100);  // pause after the first try
  Duration longest = std::chrono::seconds(10);      // pauses grow no longer than that
  double jitter = 0.5;                              // each is made longer by up to this part
};

// Whether that answer allows the same request again.
bool may_retry(const Refusal& refusal, bool repeatable);
// The same for a connection that could not be made, or that broke.
bool may_retry(net::NetError::Kind fault, bool repeatable);

// After try number `tries` (from 1).
Duration pause_after(const RetryPolicy& policy, int tries, std::optional<std::chrono::seconds> asked, Random& random);

}  // namespace flyball::client
