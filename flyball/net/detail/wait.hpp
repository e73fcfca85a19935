// Waiting for descriptors with a stop, a deadline and the injected clock.
#pragma once

#include <span>

#include <poll.h>

#include "flyball/base/clock.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/net/descriptor.hpp"

namespace flyball::net::detail {

using Descriptor = OwnedDescriptor;

// Wakes a poll() from another thread.
class Waker {
 public:
  Waker();
  void wake() const noexcept;
  void clear() const noexcept;
  int descriptor() const noexcept { return event_.get(); }

 private:
  Descriptor event_;
};

// A descriptor that is readable from the moment a stop is requested, for good: any number of threads wait with it.
class StopDescriptor {
 public:
  explicit StopDescriptor(const Stop& stop) : callback_(stop, [this] { waker_.wake(); }) {}
  int descriptor() const noexcept { return waker_.descriptor(); }

 private:
  const Waker waker_;
  const StopCallback callback_;
};

// Waits until one of `fds` is ready: true. False when `idle_deadline` passed. Throws Stopped when the stop or its own
// deadline comes first. The last of `fds` belongs to the waker, which is used for the stop.
bool wait_ready(Clock& clock, std::span<pollfd> fds, const Waker& waker, TimePoint idle_deadline, const Stop& stop);
// The same, for one descriptor.
bool wait_ready(Clock& clock, int fd, short events, const Waker& waker, TimePoint idle_deadline, const Stop& stop);
// The same, without a waker of one's own: `stop` is requested by nobody but the stop that `shared` is of, or one above
// it.
bool wait_ready(Clock& clock, int fd, short events, const StopDescriptor& shared, TimePoint idle_deadline,
                const Stop& stop);

}  // namespace flyball::net::detail
