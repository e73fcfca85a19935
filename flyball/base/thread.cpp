#include "flyball/base/thread.hpp"

#include <utility>

#include <pthread.h>

namespace flyball {

Thread::Thread(Clock& clock, std::string name, std::function<void()> body)
    : done_(clock), participant_(std::make_unique<Participant>(clock, name)) {
  thread_ = std::thread([this, name = std::move(name), body = std::move(body)]() noexcept {
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());  // the kernel keeps 15 bytes
    participant_->bind();
    body();
    {
      MutexLock lock(mutex_);
      finished_ = true;
      done_.notify_all();
    }
    participant_.reset();
  });
}

void Thread::join() {
  if (!thread_.joinable()) return;
  {
    MutexLock lock(mutex_);
    done_.wait(mutex_, Stop(), [&]() FLYBALL_REQUIRES(mutex_) { return finished_; });
  }
  thread_.join();
}

}  // namespace flyball
