// What commands that serve until they are told to end have in common.
//
//   const EndSignals signals;          // before any thread exists, so that none of them is interrupted
//   allow_many_files();
//   ... serve ...
//   signals.wait();                    // SIGINT or SIGTERM
//
// Thread-safety: one thread.
#pragma once

#include <csignal>

namespace flyball::cli {

class EndSignals {
 public:
  EndSignals();
  void wait() const;

 private:
  sigset_t signals_ = {};
};

// Each client takes a file or two, and shells give few by default.
void allow_many_files();

}  // namespace flyball::cli
