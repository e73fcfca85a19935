// The metrics of a controller, under controller-runtime's names. Private to the room.
#pragma once

#include <optional>
#include <string>

#include "flyball/base/clock.hpp"
#include "flyball/base/metrics.hpp"

namespace flyball::runtime::detail {

enum class PassResult : std::uint8_t { success, requeue_after, error, terminal, interrupted };

class ControllerMetrics {
 public:
  // Null: none.
  ControllerMetrics(Metrics* metrics, const std::string& controller, double most_at_once);

  void began() const;
  void ended(PassResult result, Duration took, bool timed_out) const;

 private:
  struct All {
    Counter success;
    Counter requeue_after;
    Counter error;
    Counter errors;
    Counter terminal;
    Counter timeouts;
    Histogram seconds;
    Gauge active;
    Gauge most;
  };
  std::optional<All> all_;
};

}  // namespace flyball::runtime::detail
