// Descriptors of pipes, terminals and sockets that other parts of a program hand over: owned, waited for with a stop,
// written without SIGPIPE.
//
//   OwnedDescriptor in(fd);                                 // closed with its owner
//   set_non_blocking(in.get());
//   if (!write_all(clock, in.get(), "hello\n", stop)) …     // whoever read it has gone
//
//   DescriptorWait wait(clock);
//   std::vector<pollfd> fds{{.fd = out, .events = POLLIN, .revents = 0}};
//   wait.until_ready(fds, stop);                            // or until wait.wake()
//   const auto piece = read_some(out);                      // nothing: not yet; empty: the end
//
// Thread-safety: wake() from any thread, the rest of one object by one thread at a time. A thread that waits here
// counts as outside to a manual clock. Lifetime: the clock outlives what it is given to.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/stop.hpp"

struct pollfd;  // NOLINT(readability-identifier-naming): of the system

namespace flyball::net {

namespace detail {
class Waker;
}

class OwnedDescriptor {
 public:
  OwnedDescriptor() = default;
  explicit OwnedDescriptor(int fd) noexcept : fd_(fd) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept : fd_(other.release()) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept;
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  ~OwnedDescriptor() { reset(); }

  explicit operator bool() const noexcept { return fd_ >= 0; }
  int get() const noexcept { return fd_; }
  int release() noexcept { return std::exchange(fd_, -1); }
  void reset() noexcept;

 private:
  int fd_ = -1;
};

struct DescriptorPair {
  OwnedDescriptor read = {};
  OwnedDescriptor write = {};
};

// Both ends are closed when another program is started. Throws NetError.
DescriptorPair make_pipe();
void set_non_blocking(int fd) noexcept;

// Waits while a non-blocking descriptor takes nothing. False when its other end is gone. Throws Stopped.
bool write_all(Clock& clock, int fd, std::string_view bytes, const Stop& stop);
// What a non-blocking descriptor has now: nothing when it has nothing yet, empty at its end and when it broke.
std::optional<std::string> read_some(int fd);

class DescriptorWait {
 public:
  explicit DescriptorWait(Clock& clock);
  ~DescriptorWait();
  DescriptorWait(const DescriptorWait&) = delete;
  DescriptorWait& operator=(const DescriptorWait&) = delete;

  // Until one of them is ready, somebody has called wake(), or the deadline. Throws Stopped.
  void until_ready(std::vector<pollfd>& fds, const Stop& stop, TimePoint deadline = kNever);
  void wake() noexcept;

 private:
  Clock& clock_;
  std::unique_ptr<detail::Waker> stopped_;
  std::unique_ptr<detail::Waker> woken_;
};

}  // namespace flyball::net
