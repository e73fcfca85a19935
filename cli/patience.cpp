#include "cli/patience.hpp"

#include <algorithm>

#include "flyball/base/condition.hpp"
#include "flyball/base/mutex.hpp"

namespace flyball::cli {

bool wait_until(Clock& clock, Duration patience, const std::function<bool()>& holds, Duration pause) {
  const TimePoint end = clock.after(patience);
  Mutex mutex;
  Condition never(clock);
  while (!holds()) {
    if (clock.now() >= end) return false;
    const MutexLock lock(mutex);
    never.wait_until(mutex, std::min(end, clock.after(pause)), Stop(), [] { return false; });
  }
  return true;
}

}  // namespace flyball::cli
