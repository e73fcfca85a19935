// The TCP stream, for those in this room who need more of it than Stream shows: TLS drives its descriptor.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "flyball/base/metrics.hpp"
#include "flyball/net/detail/layer.hpp"
#include "flyball/net/detail/wait.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::net::detail {

class TcpStream final : public Layer {
 public:
  // `fd` is connected and non-blocking.
  TcpStream(Clock& clock, Descriptor fd, std::string peer);

  std::size_t read(std::span<char> into, const Stop& stop) override;
  void write(std::string_view bytes, const Stop& stop) override;
  void close() noexcept override;
  void set_idle_timeout(Duration timeout) noexcept override { idle_timeout_ = timeout; }
  void shutdown() noexcept override;
  bool has_input_or_end() const noexcept override;
  int descriptor() const noexcept override { return fd_.get(); }
  const std::string& peer() const noexcept override { return peer_; }

  ssize_t try_read(std::span<char> into) noexcept override;
  ssize_t try_write(std::string_view bytes) noexcept override;
  void wait(Side side, short events, const Stop& stop) override;
  // From here on reads are given only stops that are requested through this one, and share its descriptor; null: any
  // stop again. For servers, where a second descriptor per connection would halve the number of clients.
  void read_until(const StopDescriptor* shared) noexcept { shared_ = shared; }
  // Before the stream is used: bytes are counted there.
  void count(const Counter& received, const Counter& sent);
  [[noreturn]] void fail(const char* what) const override;

 private:
  bool wait_until(Side side, short events, TimePoint idle, const Stop& stop);

  Clock& clock_;
  Descriptor fd_;
  const std::string peer_;
  const StopDescriptor* shared_ = nullptr;  // used by the reading thread alone, as is the next
  std::optional<Waker> waker_;              // made when it first has to wait
  std::optional<Counter> received_;
  std::optional<Counter> sent_;
  std::atomic<Duration> idle_timeout_ = Duration::zero();
};

}  // namespace flyball::net::detail
