// StopOnSignal: a program that ends in order when somebody presses Ctrl-C or Kubernetes sends SIGTERM.
//
//   int main() {
//     StopOnSignal signals;                       // first, before there are threads
//     serve(signals.stop());
//   }
//
// A second signal ends the program at once: whoever sends it has waited long enough.
//
// Thread-safety: stop() may be called from any thread. Lifetime: one at a time in a process.
#pragma once

#include <atomic>
#include <thread>

#include "flyball/base/stop.hpp"

namespace flyball {

class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  Stop stop() const { return source_.stop(); }

 private:
  void wait();

  StopSource source_;
  std::atomic<bool> ended_ = false;
  std::thread thread_;  // not a Thread: it waits for the outside, and for no clock
};

}  // namespace flyball
