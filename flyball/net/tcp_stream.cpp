#include "flyball/net/detail/tcp_stream.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "flyball/base/text.hpp"

namespace flyball::net::detail {

TcpStream::TcpStream(Clock& clock, Descriptor fd, std::string peer)
    : clock_(clock), fd_(std::move(fd)), peer_(std::move(peer)) {
  const int yes = 1;
  // Requests and answers are written whole: waiting for more to send with them only delays.
  ::setsockopt(fd_.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  // A peer that is gone without a word is found also where silence is allowed (a log that is followed).
  const int idle_seconds = 30;
  const int again_seconds = 10;
  const int tries = 6;
  ::setsockopt(fd_.get(), SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
  ::setsockopt(fd_.get(), IPPROTO_TCP, TCP_KEEPIDLE, &idle_seconds, sizeof idle_seconds);
  ::setsockopt(fd_.get(), IPPROTO_TCP, TCP_KEEPINTVL, &again_seconds, sizeof again_seconds);
  ::setsockopt(fd_.get(), IPPROTO_TCP, TCP_KEEPCNT, &tries, sizeof tries);
}

void TcpStream::count(const Counter& received, const Counter& sent) {
  received_ = received;
  sent_ = sent;
}

ssize_t TcpStream::try_read(std::span<char> into) noexcept {
  while (true) {
    const ssize_t n = ::recv(fd_.get(), into.data(), into.size(), 0);
    if (n > 0 && received_) received_->add(static_cast<std::uint64_t>(n));
    if (n >= 0 || errno != EINTR) return n;
  }
}

ssize_t TcpStream::try_write(std::string_view bytes) noexcept {
  while (true) {
    const ssize_t n = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n > 0 && sent_) sent_->add(static_cast<std::uint64_t>(n));
    if (n >= 0 || errno != EINTR) return n;
  }
}

std::size_t TcpStream::read(std::span<char> into, const Stop& stop) {
  while (true) {
    stop.throw_if_stopped();
    const ssize_t n = try_read(into);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EAGAIN) fail("reading");
    wait(Side::kReader, POLLIN, stop);
  }
}

void TcpStream::write(std::string_view bytes, const Stop& stop) {
  while (!bytes.empty()) {
    stop.throw_if_stopped();
    const ssize_t n = try_write(bytes);
    if (n >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      wait(Side::kWriter, POLLOUT, stop);
    } else {
      fail("writing");
    }
  }
}

// Few writers ever have to wait, and those not often: they keep no descriptor for it.
bool TcpStream::wait_until(Side side, short events, TimePoint idle, const Stop& stop) {
  if (side == Side::kWriter) return wait_ready(clock_, fd_.get(), events, Waker(), idle, stop);
  if (shared_ != nullptr) return wait_ready(clock_, fd_.get(), events, *shared_, idle, stop);
  if (!waker_) waker_.emplace();
  return wait_ready(clock_, fd_.get(), events, *waker_, idle, stop);
}

void TcpStream::wait(Side side, short events, const Stop& stop) {
  const Duration timeout = idle_timeout_;
  const TimePoint idle = timeout > Duration::zero() ? clock_.after(timeout) : kNever;
  if (wait_until(side, events, idle, stop)) return;
  const bool reading = (events & POLLIN) != 0;
  throw NetError(NetError::Kind::kTimeout,
                 peer_ + (reading ? ": no byte came for " : ": the peer took no byte for ") + duration_text(timeout) +
                     (reading ? "; the peer is silent or the network between is gone"
                              : "; the peer has stopped reading or the network between is gone"));
}

// Only our half: with SHUT_RDWR, bytes of the peer that nobody read would turn into a reset that overtakes our last
// words.
void TcpStream::close() noexcept { ::shutdown(fd_.get(), SHUT_WR); }

void TcpStream::shutdown() noexcept { ::shutdown(fd_.get(), SHUT_RDWR); }

bool TcpStream::has_input_or_end() const noexcept {
  pollfd state{.fd = fd_.get(), .events = POLLIN | POLLRDHUP, .revents = 0};
  return ::poll(&state, 1, 0) != 0;
}

void TcpStream::fail(const char* what) const {
  const int error = errno;
  if (error == ETIMEDOUT) {
    throw NetError(
        NetError::Kind::kTimeout,
        peer_ + ": " + what + " failed: the peer does not answer any more; it or the network between is gone");
  }
  const bool reset = error == ECONNRESET || error == EPIPE || error == ECONNABORTED;
  std::string text = peer_ + ": " + what + " failed: ";
  text += reset ? "the peer broke the connection off" : std::generic_category().message(error);
  throw NetError(reset ? NetError::Kind::kReset : NetError::Kind::kSystem, text);
}

}  // namespace flyball::net::detail
