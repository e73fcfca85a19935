// A stream that begins with bytes which were read already: what came behind an HTTP head.
#pragma once

#include <memory>
#include <string>

#include "flyball/net/stream.hpp"

namespace flyball::net::detail {

class AheadStream final : public Stream {
 public:
  AheadStream(std::unique_ptr<Stream> stream, std::string ahead);
  // Of a stream that somebody else owns and that outlives this one.
  AheadStream(Stream& stream, std::string ahead);

  std::size_t read(std::span<char> into, const Stop& stop) override;
  void write(std::string_view bytes, const Stop& stop) override { stream_.write(bytes, stop); }
  void close() noexcept override { stream_.close(); }
  void set_idle_timeout(Duration timeout) noexcept override { stream_.set_idle_timeout(timeout); }
  void shutdown() noexcept override { stream_.shutdown(); }
  bool has_input_or_end() const noexcept override { return !ahead_.empty() || stream_.has_input_or_end(); }
  int descriptor() const noexcept override { return stream_.descriptor(); }
  const std::string& peer() const noexcept override { return stream_.peer(); }
  PeerIdentity identity() const override { return stream_.identity(); }

 private:
  const std::unique_ptr<Stream> owned_;
  Stream& stream_;
  std::string ahead_;  // used by the reading thread alone
};

}  // namespace flyball::net::detail
