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
  // Before the stream is used: bytes are counted there.
  void count(const Counter& received, const Counter& sent);
  [[noreturn]] void fail(const char* what) const override;

 private:
  Clock& clock_;
  Descriptor fd_;
  const std::string peer_;
  const Waker reader_waker_;
  std::optional<Waker> writer_waker_;  // used by the writing thread alone; few ever have to wait
  std::optional<Counter> received_;
  std::optional<Counter> sent_;
  std::atomic<Duration> idle_timeout_ = Duration::zero();
};

}  // namespace flyball::net::detail
