#include "flyball/base/condition.hpp"

namespace flyball {

bool pause_until(Clock& clock, TimePoint deadline, const Stop& stop) {
  Mutex mutex;
  Condition never(clock);
  MutexLock lock(mutex);
  return never.wait_until(mutex, deadline, stop, [&] { return clock.now() >= deadline; });
}

}  // namespace flyball
