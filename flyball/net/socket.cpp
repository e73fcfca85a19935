#include "flyball/net/socket.hpp"

#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "flyball/net/detail/tcp_stream.hpp"
#include "flyball/net/url.hpp"

namespace flyball::net {
namespace {

using detail::Descriptor;

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  sockaddr* get() noexcept { return reinterpret_cast<sockaddr*>(&storage); }
};

SocketAddress socket_address(const std::string& numeric, std::uint16_t port) {
  SocketAddress address;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (::inet_pton(AF_INET, numeric.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    address.size = sizeof *v4;
  } else if (::inet_pton(AF_INET6, numeric.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    address.size = sizeof *v6;
  } else {
    throw InputError({}, "", "\"" + numeric + "\" is no IP address; write one such as 127.0.0.1 or ::1");
  }
  return address;
}

// All attempts to reach one peer: some under way, some failed, the rest still to come.
class Race {
 public:
  Race(Clock& clock, std::string host, std::uint16_t port, std::vector<std::string> addresses)
      : clock_(clock), host_(std::move(host)), port_(port), addresses_(std::move(addresses)) {}

  std::unique_ptr<Stream> run(const Stop& stop, Duration stagger) {
    while (true) {
      stop.throw_if_stopped();
      const bool more = next_ < addresses_.size();
      if (running_.empty() && !more) fail();
      if (more && begin(addresses_[next_++])) return won(running_.size() - 1);
      if (running_.empty()) continue;
      if (auto winner = wait(stop, next_ < addresses_.size() ? clock_.after(stagger) : kNever)) return won(*winner);
    }
  }

 private:
  struct Attempt {
    Descriptor fd;
    std::string address;
  };

  // True when it is connected at once.
  bool begin(const std::string& address) {
    SocketAddress target = socket_address(address, port_);
    Descriptor fd(::socket(target.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (fd.get() < 0) {
      note(address, errno);
      return false;
    }
    const int result = ::connect(fd.get(), target.get(), target.size);
    if (result != 0 && errno != EINPROGRESS) {
      note(address, errno);
      return false;
    }
    running_.push_back({std::move(fd), address});
    return result == 0;
  }

  // The attempt that succeeded; none when one failed or it is time for the next.
  std::optional<std::size_t> wait(const Stop& stop, TimePoint until) {
    std::vector<pollfd> fds;
    fds.reserve(running_.size() + 1);
    for (const Attempt& attempt : running_) fds.push_back({.fd = attempt.fd.get(), .events = POLLOUT, .revents = 0});
    fds.emplace_back();
    if (!detail::wait_ready(clock_, fds, waker_, until, stop)) return std::nullopt;
    for (std::size_t i = running_.size(); i-- > 0;) {
      if (fds[i].revents == 0) continue;
      int error = 0;
      socklen_t size = sizeof error;
      ::getsockopt(running_[i].fd.get(), SOL_SOCKET, SO_ERROR, &error, &size);
      if (error == 0) return i;
      note(running_[i].address, error);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return std::nullopt;
  }

  std::unique_ptr<Stream> won(std::size_t index) {
    Attempt& attempt = running_[index];
    std::string peer = host_and_port(host_, port_);
    if (attempt.address != host_) peer += " (" + attempt.address + ")";
    return std::make_unique<detail::TcpStream>(clock_, std::move(attempt.fd), std::move(peer));
  }

  void note(const std::string& address, int error) {
    if (!problems_.empty()) problems_ += "; ";
    if (address != host_) problems_ += address + ": ";
    problems_ +=
        error == ECONNREFUSED ? "connection refused, nothing listens there" : std::generic_category().message(error);
  }

  [[noreturn]] void fail() const {
    throw NetError(NetError::Kind::kConnect, "cannot connect to " + host_and_port(host_, port_) + ": " + problems_);
  }

  Clock& clock_;
  const std::string host_;
  const std::uint16_t port_;
  const std::vector<std::string> addresses_;
  detail::Waker waker_;
  std::size_t next_ = 0;
  std::vector<Attempt> running_;
  std::string problems_;
};

std::string address_text(const SocketAddress& address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address.storage.ss_family == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(&address.storage);
    ::inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
    return host_and_port(text, ntohs(v4->sin_port));
  }
  const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&address.storage);
  ::inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text);
  return host_and_port(text, ntohs(v6->sin6_port));
}

std::uint16_t port_of(SocketAddress& address) {
  return ntohs(address.storage.ss_family == AF_INET ? reinterpret_cast<sockaddr_in*>(&address.storage)->sin_port
                                                    : reinterpret_cast<sockaddr_in6*>(&address.storage)->sin6_port);
}

}  // namespace

std::unique_ptr<Stream> connect_tcp(Clock& clock, Resolver& resolver, const std::string& host, std::uint16_t port,
                                    const Stop& stop, const ConnectOptions& options) {
  Race race(clock, host, port, resolver.resolve(host, stop));
  auto stream = race.run(stop, options.stagger);
  stream->set_idle_timeout(options.idle_timeout);
  return stream;
}

Listener::Listener(Clock& clock, const std::string& address, std::uint16_t port) : clock_(clock), fd_(-1) {
  SocketAddress here = socket_address(address, port);
  Descriptor fd(::socket(here.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int yes = 1;
  // A server that is started again takes its port back while old connections still fade.
  const bool listens = fd.get() >= 0 && ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
                       ::bind(fd.get(), here.get(), here.size) == 0 && ::listen(fd.get(), 512) == 0 &&
                       ::getsockname(fd.get(), here.get(), &here.size) == 0;
  if (!listens) {
    const int error = errno;
    throw NetError(NetError::Kind::kSystem,
                   "cannot listen on " + host_and_port(address, port) + ": " + std::generic_category().message(error) +
                       (error == EADDRINUSE ? "; another program has the port, or the last one has not ended" : ""));
  }
  port_ = port_of(here);
  fd_ = fd.release();
}

Listener::Listener(Clock& clock, int fd) : clock_(clock), fd_(fd) {
  SocketAddress here;
  here.size = sizeof here.storage;
  if (::getsockname(fd, here.get(), &here.size) == 0) port_ = port_of(here);
}

Listener::~Listener() { ::close(fd_); }

std::unique_ptr<Stream> Listener::accept(const Stop& stop) {
  const detail::Waker waker;
  while (true) {
    stop.throw_if_stopped();
    SocketAddress from;
    from.size = sizeof from.storage;
    Descriptor fd(::accept4(fd_, from.get(), &from.size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (fd.get() >= 0) return std::make_unique<detail::TcpStream>(clock_, std::move(fd), address_text(from));
    const int error = errno;
    if (error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS) {
      throw NetError(NetError::Kind::kSystem, std::string("cannot accept a connection: ") +
                                                  std::generic_category().message(error) +
                                                  "; raise the limit of open files (ulimit -n)");
    }
    // Everything else is about one peer that came and went.
    if (error == EAGAIN) detail::wait_ready(clock_, fd_, POLLIN, waker, kNever, stop);
  }
}

}  // namespace flyball::net
