#include "flyball/net/detail/wait.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <utility>

#include <sys/eventfd.h>
#include <unistd.h>

#include "flyball/net/stream.hpp"

namespace flyball::net::detail {
namespace {

using namespace std::chrono_literals;

// A clock that is not the machine's own can pass a deadline while poll() sleeps, and has no way to wake it.
constexpr Duration kLookAgain = 5ms;

int poll_timeout(const Clock& clock, TimePoint end) {
  Duration wait = 24h;
  if (end != kNever) wait = std::clamp<Duration>(end - clock.now(), 0ns, wait);
  if (dynamic_cast<const RealClock*>(&clock) == nullptr) wait = std::min(wait, kLookAgain);
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(wait).count());
}

// The last of `fds` only wakes.
bool poll_until(Clock& clock, std::span<pollfd> fds, const Waker* to_clear, TimePoint idle_deadline, const Stop& stop) {
  const TimePoint end = std::min(idle_deadline, stop.deadline());
  while (true) {
    stop.throw_if_stopped();
    int ready = 0;
    {
      const OutsideScope outside(clock);
      ready = ::poll(fds.data(), fds.size(), poll_timeout(clock, end));
    }
    if (ready < 0 && errno != EINTR) {
      throw NetError(NetError::Kind::kSystem, std::string("poll failed: ") + std::generic_category().message(errno));
    }
    if (ready > 0 && fds.back().revents != 0) {
      if (to_clear != nullptr) to_clear->clear();
      --ready;
    }
    if (ready > 0) return true;
    stop.throw_if_stopped();
    if (clock.now() >= idle_deadline) return false;
  }
}

}  // namespace

Waker::Waker() : event_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (event_.get() >= 0) return;
  throw NetError(NetError::Kind::kSystem, std::string("cannot make an event descriptor: ") +
                                              std::generic_category().message(errno) +
                                              "; is the limit of open files (ulimit -n) reached?");
}

void Waker::wake() const noexcept {
  const std::uint64_t one = 1;
  // Full means that it is awake already.
  [[maybe_unused]] const auto written = ::write(event_.get(), &one, sizeof one);
}

void Waker::clear() const noexcept {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto taken = ::read(event_.get(), &count, sizeof count);
}

bool wait_ready(Clock& clock, std::span<pollfd> fds, const Waker& waker, TimePoint idle_deadline, const Stop& stop) {
  const StopCallback wake_on_stop(stop, [&waker] { waker.wake(); });
  fds.back() = {.fd = waker.descriptor(), .events = POLLIN, .revents = 0};
  return poll_until(clock, fds, &waker, idle_deadline, stop);
}

bool wait_ready(Clock& clock, int fd, short events, const Waker& waker, TimePoint idle_deadline, const Stop& stop) {
  std::array<pollfd, 2> fds{{{.fd = fd, .events = events, .revents = 0}, {}}};
  return wait_ready(clock, fds, waker, idle_deadline, stop);
}

bool wait_ready(Clock& clock, int fd, short events, const StopDescriptor& shared, TimePoint idle_deadline,
                const Stop& stop) {
  std::array<pollfd, 2> fds{
      {{.fd = fd, .events = events, .revents = 0}, {.fd = shared.descriptor(), .events = POLLIN, .revents = 0}}};
  return poll_until(clock, fds, nullptr, idle_deadline, stop);
}

}  // namespace flyball::net::detail
