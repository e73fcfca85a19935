#include "flyball/net/spdy.hpp"

#include <utility>

namespace flyball::net {
namespace {

constexpr std::size_t kPiece = std::size_t{32} << 10U;

class StreamWire final : public SpdyWire {
 public:
  explicit StreamWire(Stream& stream) : stream_(stream) {}
  std::string read(const Stop& stop) override {
    std::string piece(kPiece, '\0');
    piece.resize(stream_.read(piece, stop));
    return piece;
  }
  void write(std::string_view bytes, const Stop& stop) override { stream_.write(bytes, stop); }
  void close(const Stop& /*stop*/) override { stream_.close(); }

 private:
  Stream& stream_;
};

class SocketWire final : public SpdyWire {
 public:
  explicit SocketWire(WebSocket& socket) : socket_(socket) {}
  std::string read(const Stop& stop) override {
    while (auto message = socket_.read(stop)) {
      if (!message->data.empty()) return std::move(message->data);
    }
    return {};
  }
  void write(std::string_view bytes, const Stop& stop) override { socket_.write_binary(bytes, stop); }
  void close(const Stop& stop) override { socket_.close(stop); }

 private:
  WebSocket& socket_;
};

}  // namespace

std::unique_ptr<SpdyWire> spdy_over(Stream& stream) { return std::make_unique<StreamWire>(stream); }
std::unique_ptr<SpdyWire> spdy_over(WebSocket& socket) { return std::make_unique<SocketWire>(socket); }

std::optional<SpdyEvent> SpdyConnection::next(const Stop& stop) {
  while (true) {
    std::optional<SpdyEvent> event;
    taken_ += reader_.feed(std::string_view(ahead_).substr(taken_), event);
    if (!event) {
      taken_ = 0;
      ahead_ = wire_->read(stop);
      if (ahead_.empty()) return std::nullopt;
      continue;
    }
    if (event->kind == SpdyKind::go_away) return std::nullopt;
    if (event->kind != SpdyKind::ping) return event;
    // Odd numbers are the client's; ours, of which there are none, would be even.
    send([&](SpdyWriter&) { return SpdyWriter::ping(event->stream); }, stop);
  }
}

void SpdyConnection::send(const std::function<std::string(SpdyWriter&)>& frame, const Stop& stop) {
  {
    MutexLock lock(mutex_);
    turn_.wait(mutex_, stop, [&]() FLYBALL_REQUIRES(mutex_) { return !writing_; });
    stop.throw_if_stopped();
    writing_ = true;
  }
  const auto pass_on = [&] {
    {
      MutexLock lock(mutex_);
      writing_ = false;
    }
    turn_.notify_all();
  };
  try {
    wire_->write(frame(writer_), stop);
  } catch (...) {
    pass_on();
    throw;
  }
  pass_on();
}

void SpdyConnection::open(std::uint32_t stream, const SpdyHeaders& headers, const Stop& stop) {
  send([&](SpdyWriter& writer) { return writer.syn_stream(stream, headers); }, stop);
}

void SpdyConnection::accept(std::uint32_t stream, const Stop& stop) {
  send([&](SpdyWriter& writer) { return writer.syn_reply(stream, {}); }, stop);
}

void SpdyConnection::refuse(std::uint32_t stream, const Stop& stop) {
  send([&](SpdyWriter&) { return SpdyWriter::reset(stream, kSpdyRefused); }, stop);
}

void SpdyConnection::write(std::uint32_t stream, std::string_view bytes, const Stop& stop) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kPiece);
    send([&](SpdyWriter&) { return SpdyWriter::data(stream, piece); }, stop);
    bytes.remove_prefix(piece.size());
  }
}

void SpdyConnection::finish(std::uint32_t stream, const Stop& stop) {
  send([&](SpdyWriter&) { return SpdyWriter::data(stream, "", true); }, stop);
}

void SpdyConnection::close(const Stop& stop) {
  // No GOAWAY: spdystream takes the end of the connection for the end of all streams, and reads to it.
  wire_->close(stop);
}

}  // namespace flyball::net
