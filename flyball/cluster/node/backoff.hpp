// Backoff: how long something that fails again and again has to wait: at first not at all, then 10 s, 20 s, … 5 min.
//
//   if (backoff.waits(ended, now)) return;        // CrashLoopBackOff
//   backoff.next(ended, now);                     // and it is started
//
// What went well for ten minutes begins anew. The arithmetic is the kubelet's.
//
// Thread-safety: a value.
#pragma once

#include <cstdint>
#include <optional>

#include "flyball/kube/time.hpp"

namespace flyball::cluster::node {

class Backoff {
 public:
  static constexpr std::int64_t kFirst = 10;
  static constexpr std::int64_t kMost = 300;

  // Whether what ended then still has to wait now.
  bool waits(kube::Time ended, kube::Time now) const { return known(ended) && now < until(ended); }
  // When it need no longer.
  kube::Time until(kube::Time ended) const { return kube::Time::from_unix(ended.unix_seconds() + seconds_); }
  // Once more.
  void next(kube::Time ended, kube::Time now) {
    seconds_ = !known(ended) ? kFirst : seconds_ * 2 > kMost ? kMost : seconds_ * 2;
    tried_ = now;
  }
  std::int64_t seconds() const { return seconds_; }

 private:
  bool known(kube::Time ended) const { return tried_ && ended.unix_seconds() - tried_->unix_seconds() <= 2 * kMost; }

  std::int64_t seconds_ = 0;
  std::optional<kube::Time> tried_ = {};
};

}  // namespace flyball::cluster::node
