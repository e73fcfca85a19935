// ProbeCounter: what many answers to one probe mean. One answer changes nothing: it takes the threshold's number in a
// row.
//
//   ProbeCounter readiness(false);
//   readiness.count(true, probe);                          // one success, where successThreshold is 1
//   readiness.good();                                      // ready
//
// Thread-safety: a value.
#pragma once

#include <cstdint>

#include "flyball/kube/core/v1.hpp"

namespace flyball::cluster::node {

class ProbeCounter {
 public:
  explicit ProbeCounter(bool good) : good_(good) {}

  bool good() const { return good_; }
  // Failures in a row, as far as they have been counted.
  std::int32_t failures() const { return last_ ? 0 : row_; }

  // True when this answer reached its threshold.
  bool count(bool success, const kube::core::v1::Probe& probe) {
    row_ = success == last_ ? row_ + 1 : 1;
    last_ = success;
    if (row_ < (success ? at_least_one(probe.successThreshold) : at_least_one(probe.failureThreshold))) return false;
    good_ = success;
    return true;
  }

 private:
  static std::int32_t at_least_one(std::int32_t threshold) { return threshold < 1 ? 1 : threshold; }

  bool good_;
  bool last_ = true;
  std::int32_t row_ = 0;
};

}  // namespace flyball::cluster::node
