// Thread: a named thread that takes part in the clock and is joined before it is gone. There are no detached threads.
//
//   StopSource stop;
//   Thread worker(clock, "worker", [&, token = stop.stop()] { work_until(token); });
//   ...
//   stop.request_stop("shutting down");
//   worker.join();                     // the destructor does it too
//
// An exception that leaves the body ends the program: catch it where you know what to do.
//
// Thread-safety: join from one thread at a time. Lifetime: the clock and what the body uses outlive the thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "flyball/base/clock.hpp"
#include "flyball/base/condition.hpp"

namespace flyball {

class Thread {
 public:
  Thread(Clock& clock, std::string name, std::function<void()> body);
  ~Thread() { join(); }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  void join();

 private:
  // Joining waits through the clock first: a manual clock must see the joiner rest.
  Mutex mutex_;
  Condition done_;
  bool finished_ FLYBALL_GUARDED_BY(mutex_) = false;

  std::unique_ptr<Participant> participant_;
  std::thread thread_;
};

}  // namespace flyball
