#include "flyball/net/detail/client_watch.hpp"

#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/epoll.h>

#include "flyball/net/stream.hpp"

namespace flyball::net::detail {
namespace {

[[noreturn]] void fail(const char* what) {
  throw NetError(NetError::Kind::kSystem, std::string(what) + ": " + std::generic_category().message(errno));
}

Descriptor make_epoll() {
  Descriptor epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (epoll.get() < 0) fail("cannot look after clients");
  return epoll;
}

}  // namespace

ClientWatch::ClientWatch(Clock& clock)
    : clock_(clock), epoll_(make_epoll()), thread_(clock, "client watch", [this] { run(); }) {}

ClientWatch::~ClientWatch() {
  stop_.request_stop("the server has ended");
  thread_.join();
}

std::uint64_t ClientWatch::add(int fd, const StopSource& gone) {
  MutexLock lock(mutex_);
  const std::uint64_t id = next_++;
  epoll_event event{.events = EPOLLRDHUP, .data = {.u64 = id}};
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) fail("cannot look after a client");
  clients_.emplace(id, Client{fd, gone});
  return id;
}

void ClientWatch::remove(std::uint64_t id) {
  MutexLock lock(mutex_);
  take(id);
}

std::optional<StopSource> ClientWatch::take(std::uint64_t id) {
  const auto found = clients_.find(id);
  if (found == clients_.end()) return std::nullopt;
  StopSource gone = found->second.gone;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, found->second.fd, nullptr);
  clients_.erase(found);
  return gone;
}

void ClientWatch::run() {
  const Stop stop = stop_.stop();
  std::array<epoll_event, 64> events;
  while (!stop.stopped()) {
    try {
      wait_ready(clock_, epoll_.get(), POLLIN, waker_, kNever, stop);
    } catch (const Stopped&) {
      return;
    }
    const int ready = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), 0);
    // Whoever was removed meanwhile is not found any more, even if the number of its descriptor is used again.
    std::vector<StopSource> gone;
    {
      MutexLock lock(mutex_);
      for (int i = 0; i < ready; ++i) {
        if (auto source = take(events[static_cast<std::size_t>(i)].data.u64)) gone.push_back(std::move(*source));
      }
    }
    for (StopSource& source : gone) source.request_stop("the client has gone");
  }
}

}  // namespace flyball::net::detail
