// WebSocket (RFC 6455): messages both ways over one connection, for both ends.
//
//   const auto socket = WebSocket::connect(clock, http, Url::parse("https://localhost/chat"), {}, stop);
//   socket->write_text("hello", stop);
//   while (const auto message = socket->read(stop)) use(message->data);      // nothing: the peer closed, in order
//
//   HttpServer server(clock, {}, [&](const Request& request, ResponseWriter& writer) {
//     const auto socket = WebSocket::accept(clock, request, writer);         // null: no handshake, and it is answered
//     while (socket) ...
//   });
//
// read() answers pings, puts fragments together and does its part of the closing handshake. When nothing has come for
// `ping_every` it pings, and when then nothing comes for as long again, the peer is gone: so somebody should always be
// reading. Messages are sent in one frame each: the Kubernetes servers take every fragment for a message.
//
// Errors: WebSocketError for a peer that breaks the rules (it is told, and the connection is closed), NetError for the
// connection, Stopped at the stop. A read that was stopped can be called again; a write that was stopped has left half
// a frame behind and nothing more can be written.
//
// Thread-safety: one thread reads, any number write and close. Lifetime: the clock outlives the socket; on the server's
// end it lives inside the handler.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/condition.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/net/http.hpp"
#include "flyball/net/http_client.hpp"
#include "flyball/net/http_server.hpp"
#include "flyball/net/stream.hpp"
#include "flyball/net/url.hpp"
#include "flyball/net/websocket_frame.hpp"

namespace flyball::net {

struct WebSocketOptions {
  // In the order we like them. A server that has some refuses clients that offer none of them.
  std::vector<std::string> protocols = {};
  std::uint64_t message_bytes = 16U << 20U;        // of one message from the peer
  Duration ping_every = std::chrono::seconds(30);  // of silence; zero: never, and silence is no error
};

class WebSocket {
 public:
  struct Message {
    bool text = false;  // else binary
    std::string data = {};
    friend bool operator==(const Message&, const Message&) = default;
  };

  // The client's end. `request` may bring headers. Throws ProtocolError, with the status, when the server refuses.
  static std::unique_ptr<WebSocket> connect(Clock& clock, HttpClient& http, const Url& url, Request request,
                                            const Stop& stop, const WebSocketOptions& options = {});
  // The server's end, inside a handler. Null for a request that is no handshake for us: it was answered with the
  // reason.
  static std::unique_ptr<WebSocket> accept(Clock& clock, const Request& request, ResponseWriter& writer,
                                           const WebSocketOptions& options = {});
  // After a handshake that was done elsewhere; `protocol` is what came out of it.
  WebSocket(Clock& clock, std::unique_ptr<Stream> stream, WebSocketRole role, std::string protocol,
            const WebSocketOptions& options = {});
  ~WebSocket();
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;

  // The next message; nothing after the peer has closed.
  std::optional<Message> read(const Stop& stop);
  void write_text(std::string_view text, const Stop& stop) { send(Opcode::kText, text, stop); }
  void write_binary(std::string_view bytes, const Stop& stop) { send(Opcode::kBinary, bytes, stop); }
  void ping(std::string_view bytes, const Stop& stop) { send(Opcode::kPing, bytes.substr(0, 125), stop); }
  // Begins the closing handshake, once: nothing can be written after it. Read on until the peer has closed, too.
  void close(const Stop& stop, std::uint16_t code = close_code::kNormal, std::string_view reason = {});
  // Breaks off, from any thread: whoever waits is woken.
  void shutdown() noexcept { stream_->shutdown(); }

  // The subprotocol that was agreed on; empty for none.
  const std::string& protocol() const noexcept { return protocol_; }
  const std::string& peer() const noexcept { return stream_->peer(); }
  // What the peer closed with; valid after read() gave nothing.
  std::uint16_t peer_close_code() const noexcept { return peer_code_; }
  const std::string& peer_close_reason() const noexcept { return peer_reason_; }

 private:
  WebSocketEvent next_event(const Stop& stop);
  // Fills the buffer, pinging a silent peer.
  void receive(const Stop& stop);
  void send(Opcode opcode, std::string_view payload, const Stop& stop);
  // From the reading thread, which must not wait for a writer: the peer may be waiting for us to read.
  void answer(Opcode opcode, std::string_view payload, const Stop& stop);
  // Writes the frame and what was left meanwhile, with the turn taken; gives the turn on.
  void write_and_pass_on(std::string frame, const Stop& stop);
  std::string frame(Opcode opcode, std::string_view payload) const;

  // Constant after construction.
  Clock& clock_;
  const std::unique_ptr<Stream> stream_;
  const WebSocketRole role_;
  const std::string protocol_;
  const Duration ping_every_;

  // Used by the reading thread alone.
  FrameReader reader_;
  std::vector<char> buffer_;
  std::size_t from_ = 0;  // of the buffer: where what was not yet fed begins
  std::size_t to_ = 0;
  std::uint16_t peer_code_ = 0;
  std::string peer_reason_;
  bool peer_closed_ = false;

  Mutex mutex_;
  Condition turn_;
  bool writing_ FLYBALL_GUARDED_BY(mutex_) = false;      // somebody has the turn
  bool closing_ FLYBALL_GUARDED_BY(mutex_) = false;      // our close frame is out, or left to whoever has the turn
  bool broken_ FLYBALL_GUARDED_BY(mutex_) = false;       // half a frame may be out
  std::string left_control_ FLYBALL_GUARDED_BY(mutex_);  // a frame left to whoever has the turn
  std::string left_close_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace flyball::net
