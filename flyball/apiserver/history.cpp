#include "flyball/apiserver/history.hpp"

namespace flyball::apiserver {

void forget_old(World& world) {
  const TimePoint now = world.clock.now();
  Revision oldest = 0;
  {
    World::History& history = world.history;
    const MutexLock lock(history.mutex);
    if (now - history.marked < world.options.history) return;
    // What was the latest one period ago is the oldest from now on.
    oldest = history.revision;
    history.revision = world.store.revision();
    history.marked = now;
  }
  if (oldest > world.store.oldest()) world.store.compact(oldest);
}

}  // namespace flyball::apiserver
