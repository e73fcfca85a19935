#include "flyball/client/retry.hpp"

#include <algorithm>

namespace flyball::client {

bool may_retry(const Refusal& refusal, bool repeatable) {
  switch (refusal.details.reason == Reason::Unknown ? reason_from_code(refusal.details.code) : refusal.details.reason) {
    // Both say that nothing was done.
    case Reason::TooManyRequests:
    case Reason::ServerTimeout: return true;
    // With Retry-After it comes from a server that did not begin; a bare one may be a proxy that lost the answer.
    case Reason::ServiceUnavailable: return repeatable || refusal.details.retry_after.has_value();
    case Reason::Timeout: return repeatable;
    default: break;
  }
  // A gateway between us and the server.
  if (refusal.details.code == 502) return repeatable && !refusal.status;
  return refusal.details.code >= 500 && repeatable && refusal.details.retry_after.has_value();
}

bool may_retry(net::NetError::Kind fault, bool repeatable) {
  using Kind = net::NetError::Kind;
  switch (fault) {
    // Nothing was sent.
    case Kind::kLookup:
    case Kind::kConnect:
    case Kind::kProxy: return true;
    // A certificate that is wrong now is wrong in a second.
    case Kind::kTls: return false;
    case Kind::kTimeout:
    case Kind::kReset:
    case Kind::kSystem: return repeatable;
  }
  return false;
}

Duration pause_after(const RetryPolicy& policy, int tries, std::optional<std::chrono::seconds> asked, Random& random) {
  if (asked) return random.jitter(*asked, 0.1);
  Duration pause = policy.first;
  for (int i = 1; i < tries && pause < policy.longest; ++i) pause *= 2;
  return random.jitter(std::min(pause, policy.longest), policy.jitter);
}

}  // namespace flyball::client
