// TokenBucket: at most so many a second over time, and so many at once after a rest.
//
//   TokenBucket bucket({.per_second = 10, .burst = 100});
//   if (bucket.try_take(clock.now())) send();
//   else pause_until(clock, bucket.next(), stop);
//
// Exact: it counts in nanoseconds, so that at next() there is a token, not almost one.
//
// Thread-safety: one thread at a time.
#pragma once

#include <algorithm>

#include "flyball/base/clock.hpp"
#include "flyball/client/client_options.hpp"

namespace flyball::runtime {

using client::RateLimit;

class TokenBucket {
 public:
  explicit TokenBucket(const RateLimit& limit)
      : interval_(limit.per_second > 0 ? static_cast<Duration::rep>(1e9 / limit.per_second) : 0),
        slack_(interval_ * static_cast<Duration::rep>(std::max(limit.burst, 1) - 1)) {}

  bool try_take(TimePoint now) {
    if (interval_ == Duration()) return true;
    if (now < next()) return false;
    full_at_ = std::max(full_at_, now) + interval_;
    return true;
  }
  // From when on there is a token.
  TimePoint next() const { return full_at_ == TimePoint::min() ? full_at_ : full_at_ - slack_; }
  // Whether every token is back.
  bool rested(TimePoint now) const { return now >= full_at_; }

 private:
  const Duration interval_;
  const Duration slack_;
  TimePoint full_at_ = TimePoint::min();  // when every token will be back
};

}  // namespace flyball::runtime
