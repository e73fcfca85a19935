#include "flyball/cluster/node/relay.hpp"

#include <array>
#include <cerrno>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace flyball::cluster::node {
namespace {

constexpr std::size_t kMostWaiting = std::size_t{256} << 10U;
constexpr std::size_t kPiece = 65536;

bool again() { return errno == EAGAIN || errno == EINTR || errno == EINPROGRESS || errno == ENOTCONN; }

}  // namespace

Relay::~Relay() {
  for (const Side& side : sides_) ::close(side.fd);
}

void Relay::add_to(std::vector<pollfd>& polls) {
  for (std::size_t i = 0; i < 2; ++i) {
    Side& side = sides_[i];
    const Side& other = sides_[1 - i];
    short events = 0;
    if (!side.ended && side.waiting.size() < kMostWaiting) events |= POLLIN;
    if (!other.waiting.empty()) events |= POLLOUT;
    side.at = polls.size();
    polls.push_back({.fd = side.fd, .events = events, .revents = 0});
  }
}

bool Relay::act(const std::vector<pollfd>& polls) {
  for (Side& side : sides_) {
    const short seen = polls[side.at].revents;
    if ((seen & POLLNVAL) != 0) return false;
    if (!side.ended && (seen & (POLLIN | POLLHUP | POLLERR)) != 0 && !read(side)) return false;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (!write(sides_[i], sides_[1 - i])) return false;
  }
  return !sides_[0].told || !sides_[1].told;
}

bool Relay::read(Side& from) {
  std::array<char, kPiece> piece{};
  while (from.waiting.size() < kMostWaiting) {
    const ssize_t got = ::recv(from.fd, piece.data(), piece.size(), MSG_DONTWAIT);
    if (got > 0) {
      from.waiting.append(piece.data(), static_cast<std::size_t>(got));
      continue;
    }
    if (got < 0) return again();
    from.ended = true;
    return true;
  }
  return true;
}

bool Relay::write(Side& from, Side& to) {
  while (!from.waiting.empty()) {
    const ssize_t sent = ::send(to.fd, from.waiting.data(), from.waiting.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) return again();
    from.waiting.erase(0, static_cast<std::size_t>(sent));
  }
  if (from.ended && !from.told) {
    ::shutdown(to.fd, SHUT_WR);
    from.told = true;
  }
  return true;
}

}  // namespace flyball::cluster::node
