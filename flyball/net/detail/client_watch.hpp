// One thread that looks after the clients of running handlers: when one hangs up, its request is stopped.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "flyball/base/mutex.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/net/detail/wait.hpp"

namespace flyball::net::detail {

class ClientWatch {
 public:
  explicit ClientWatch(Clock& clock);
  ~ClientWatch();
  ClientWatch(const ClientWatch&) = delete;
  ClientWatch& operator=(const ClientWatch&) = delete;

  // Stops `gone` when the peer of `fd` has closed. Remove it before the descriptor is closed.
  std::uint64_t add(int fd, const StopSource& gone);
  void remove(std::uint64_t id);

 private:
  struct Client {
    int fd;
    StopSource gone;
  };
  void run();
  // Ends the watch over it; nothing when there is none any more.
  std::optional<StopSource> take(std::uint64_t id) FLYBALL_REQUIRES(mutex_);

  Clock& clock_;
  const Descriptor epoll_;
  const Waker waker_;
  StopSource stop_;

  Mutex mutex_;
  std::unordered_map<std::uint64_t, Client> clients_ FLYBALL_GUARDED_BY(mutex_);
  std::uint64_t next_ FLYBALL_GUARDED_BY(mutex_) = 1;

  Thread thread_;  // last: it uses all of the above
};

}  // namespace flyball::net::detail
