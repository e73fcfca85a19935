#include "flyball/net/descriptor.hpp"

#include <array>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "flyball/base/quiet_write.hpp"
#include "flyball/net/detail/wait.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::net {
namespace {

constexpr std::size_t kPiece = std::size_t{32} << 10U;

}  // namespace

OwnedDescriptor& OwnedDescriptor::operator=(OwnedDescriptor&& other) noexcept {
  if (this == &other) return *this;
  reset();
  fd_ = other.release();
  return *this;
}

void OwnedDescriptor::reset() noexcept {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

DescriptorPair make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw NetError(NetError::Kind::kSystem, "cannot make a pipe: " + std::generic_category().message(errno) +
                                                "; is the limit of open files (ulimit -n) reached?");
  }
  return {.read = OwnedDescriptor(ends[0]), .write = OwnedDescriptor(ends[1])};
}

void set_non_blocking(int fd) noexcept { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

bool write_all(Clock& clock, int fd, std::string_view bytes, const Stop& stop) {
  std::optional<detail::Waker> waker;
  while (!bytes.empty()) {
    const long written = write_quietly(fd, bytes);
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return false;
    if (!waker) waker.emplace();
    detail::wait_ready(clock, fd, POLLOUT, *waker, kNever, stop);
  }
  return true;
}

std::optional<std::string> read_some(int fd) {
  std::string piece(kPiece, '\0');
  while (true) {
    const ssize_t got = ::read(fd, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return std::nullopt;
    // A terminal whose program is gone says so with an error.
    piece.resize(static_cast<std::size_t>(got < 0 ? 0 : got));
    return piece;
  }
}

DescriptorWait::DescriptorWait(Clock& clock)
    : clock_(clock), stopped_(std::make_unique<detail::Waker>()), woken_(std::make_unique<detail::Waker>()) {}

DescriptorWait::~DescriptorWait() = default;

void DescriptorWait::until_ready(std::vector<pollfd>& fds, const Stop& stop, TimePoint deadline) {
  fds.push_back({.fd = woken_->descriptor(), .events = POLLIN, .revents = 0});
  fds.push_back({});
  detail::wait_ready(clock_, fds, *stopped_, deadline, stop);
  fds.pop_back();
  woken_->clear();
  fds.pop_back();
}

void DescriptorWait::wake() noexcept { woken_->wake(); }

}  // namespace flyball::net
