#include "flyball/base/stop_on_signal.hpp"

#include <csignal>

#include <unistd.h>

namespace flyball {
namespace {

constexpr int kEndedBySignal = 128;

sigset_t signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

StopOnSignal::StopOnSignal() {
  const sigset_t set = signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::thread([this] { wait(); });
}

StopOnSignal::~StopOnSignal() {
  ended_ = true;
  pthread_kill(thread_.native_handle(), SIGINT);
  thread_.join();
}

void StopOnSignal::wait() {
  const sigset_t set = signals();
  while (true) {
    int signal = 0;
    sigwait(&set, &signal);
    if (ended_) return;
    if (source_.request_stop(signal == SIGINT ? "Ctrl-C" : "SIGTERM")) continue;
    _exit(kEndedBySignal + signal);
  }
}

}  // namespace flyball
