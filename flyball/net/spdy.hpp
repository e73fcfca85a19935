// SpdyConnection: many streams over one connection (SPDY/3.1), as kubectl's port-forward and older exec speak it. For
// both ends.
//
//   SpdyConnection spdy(clock, spdy_over(writer.take_over(head)));            // or over a WebSocket's messages
//   while (const auto event = spdy.next(stop)) {                              // nothing: the peer has gone
//     if (event->kind == SpdyKind::syn_stream) spdy.accept(event->stream, stop);
//     if (event->kind == SpdyKind::data) spdy.write(event->stream, event->data, stop);         // echo
//     if (event->last) spdy.finish(event->stream, stop);
//   }
//
// next() answers pings. There is no flow control for each stream: the libraries at the other end (moby/spdystream) know
// none and never open a window, so the connection's own is all there is. Who does not read holds up all streams, as it
// does there.
//
// Errors: SpdyError for a peer that speaks something else, NetError and WebSocketError for the connection, Stopped at
// the stop.
//
// Thread-safety: one thread calls next(), any number write. Lifetime: the clock, and what is below the wire, outlive
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "flyball/base/clock.hpp"
#include "flyball/base/condition.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/net/spdy_frame.hpp"
#include "flyball/net/stream.hpp"
#include "flyball/net/websocket.hpp"

namespace flyball::net {

// Bytes both ways, whatever carries them.
class SpdyWire {
 public:
  SpdyWire() = default;
  SpdyWire(const SpdyWire&) = delete;
  SpdyWire& operator=(const SpdyWire&) = delete;
  virtual ~SpdyWire() = default;

  // Empty: the peer closed.
  virtual std::string read(const Stop& stop) = 0;
  virtual void write(std::string_view bytes, const Stop& stop) = 0;
  // Ends our half.
  virtual void close(const Stop& stop) = 0;
};

std::unique_ptr<SpdyWire> spdy_over(Stream& stream);
std::unique_ptr<SpdyWire> spdy_over(WebSocket& socket);

class SpdyConnection {
 public:
  SpdyConnection(Clock& clock, std::unique_ptr<SpdyWire> wire) : wire_(std::move(wire)), turn_(clock) {}

  // A new stream, data that came on one, or its end by a reset; nothing after the peer has said goodbye or is gone.
  std::optional<SpdyEvent> next(const Stop& stop);

  // A stream of ours: a client's have odd numbers, each larger than the one before.
  void open(std::uint32_t stream, const SpdyHeaders& headers, const Stop& stop);
  // Says yes to a stream of the peer's.
  void accept(std::uint32_t stream, const Stop& stop);
  void refuse(std::uint32_t stream, const Stop& stop);
  void write(std::uint32_t stream, std::string_view bytes, const Stop& stop);
  // We write nothing more on it.
  void finish(std::uint32_t stream, const Stop& stop);
  // Goodbye: nothing is written any more. Read on until the peer has gone, too.
  void close(const Stop& stop);

 private:
  void send(const std::function<std::string(SpdyWriter&)>& frame, const Stop& stop);

  // Constant after construction.
  const std::unique_ptr<SpdyWire> wire_;

  // Used by the reading thread alone.
  SpdyReader reader_;
  std::string ahead_;
  std::size_t taken_ = 0;  // of what is ahead

  Mutex mutex_;
  Condition turn_;
  bool writing_ FLYBALL_GUARDED_BY(mutex_) = false;  // somebody has the turn
  SpdyWriter writer_;                                // whoever has the turn uses it
};

}  // namespace flyball::net
