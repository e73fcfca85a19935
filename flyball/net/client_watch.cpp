#include "flyball/net/detail/client_watch.hpp"

#include <vector>

namespace flyball::net::detail {

ClientWatch::ClientWatch(Clock& clock) : clock_(clock), thread_(clock, "client watch", [this] { run(); }) {}

ClientWatch::~ClientWatch() {
  stop_.request_stop("the server has ended");
  thread_.join();
}

std::uint64_t ClientWatch::add(int fd, const StopSource& gone) {
  MutexLock lock(mutex_);
  const std::uint64_t id = next_++;
  clients_.emplace(id, Client{fd, gone});
  changed_.wake();
  return id;
}

void ClientWatch::remove(std::uint64_t id) {
  MutexLock lock(mutex_);
  clients_.erase(id);
  changed_.wake();
}

void ClientWatch::run() {
  const Stop stop = stop_.stop();
  while (!stop.stopped()) {
    std::vector<pollfd> fds{{.fd = changed_.descriptor(), .events = POLLIN, .revents = 0}};
    std::vector<std::uint64_t> ids;
    {
      MutexLock lock(mutex_);
      changed_.clear();
      for (const auto& [id, client] : clients_) {
        fds.push_back({.fd = client.fd, .events = POLLRDHUP, .revents = 0});
        ids.push_back(id);
      }
    }
    fds.emplace_back();  // for the stop
    try {
      wait_ready(clock_, fds, waker_, kNever, stop);
    } catch (const Stopped&) {
      return;
    }
    // Whoever was removed meanwhile is not found any more, even if the number of its descriptor is used again.
    std::vector<StopSource> gone;
    {
      MutexLock lock(mutex_);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto found = fds[i + 1].revents != 0 ? clients_.find(ids[i]) : clients_.end();
        if (found == clients_.end()) continue;
        gone.push_back(found->second.gone);
        clients_.erase(found);
      }
    }
    for (StopSource& source : gone) source.request_stop("the client has gone");
  }
}

}  // namespace flyball::net::detail
