#include "flyball/base/quiet_write.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>

#include <unistd.h>

namespace flyball {
namespace {

// The signal is held back, and taken out of the queue when it came by us.
class WithoutSigpipe {
 public:
  WithoutSigpipe() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutSigpipe() {
    const timespec now{};
    const int number = errno;
    if (::sigismember(&before_, SIGPIPE) == 0) ::sigtimedwait(&pipe_, nullptr, &now);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = number;
  }
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

}  // namespace

long write_quietly(int fd, std::string_view bytes) noexcept {
  const WithoutSigpipe quiet;
  return ::write(fd, bytes.data(), bytes.size());
}

}  // namespace flyball
