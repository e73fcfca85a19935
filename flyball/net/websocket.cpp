#include "flyball/net/websocket.hpp"

#include <utility>

#include <openssl/rand.h>

#include "flyball/base/text.hpp"
#include "flyball/net/detail/ahead_stream.hpp"
#include "flyball/net/websocket_handshake.hpp"

namespace flyball::net {
namespace {

constexpr std::size_t kReadBytes = 16 * 1024;

// A page in a browser must not be able to guess what its bytes look like on the wire: proxies were fooled that way.
FrameMask random_mask() {
  FrameMask mask{};
  if (RAND_bytes(reinterpret_cast<unsigned char*>(mask.data()), static_cast<int>(mask.size())) != 1) {
    throw Error("OpenSSL has no random bytes to give");
  }
  return mask;
}

}  // namespace

std::unique_ptr<WebSocket> WebSocket::connect(Clock& clock, HttpClient& http, const Url& url, Request request,
                                              const Stop& stop, const WebSocketOptions& options) {
  const WebSocketHandshake handshake(options.protocols);
  handshake.add_to(request.headers);
  Upgraded upgraded = http.upgrade(url, std::move(request), stop);
  try {
    std::string protocol = handshake.check(upgraded.head);
    return std::make_unique<WebSocket>(clock, std::move(upgraded.stream), WebSocketRole::kClient, std::move(protocol),
                                       options);
  } catch (const ProtocolError& error) {
    throw ProtocolError(url.text() + ": " + error.what(), error.status());
  }
}

std::unique_ptr<WebSocket> WebSocket::accept(Clock& clock, const Request& request, ResponseWriter& writer,
                                             const WebSocketOptions& options) {
  Response answer = answer_websocket_handshake(request, options.protocols);
  if (answer.status != 101) {
    writer.send(std::move(answer));
    return nullptr;
  }
  std::string protocol(answer.headers.get("Sec-WebSocket-Protocol"));
  auto stream = std::make_unique<detail::AheadStream>(writer.take_over(answer), "");
  return std::make_unique<WebSocket>(clock, std::move(stream), WebSocketRole::kServer, std::move(protocol), options);
}

WebSocket::WebSocket(Clock& clock, std::unique_ptr<Stream> stream, WebSocketRole role, std::string protocol,
                     const WebSocketOptions& options)
    : clock_(clock),
      stream_(std::move(stream)),
      role_(role),
      protocol_(std::move(protocol)),
      ping_every_(options.ping_every),
      reader_(role, options.message_bytes),
      buffer_(kReadBytes),
      turn_(clock) {}

WebSocket::~WebSocket() = default;

std::optional<WebSocket::Message> WebSocket::read(const Stop& stop) {
  while (!peer_closed_) {
    WebSocketEvent event = next_event(stop);
    switch (event.kind) {
      case Opcode::kPing: answer(Opcode::kPong, event.payload, stop); break;
      case Opcode::kClose:
        peer_closed_ = true;
        peer_code_ = event.code;
        peer_reason_ = std::move(event.payload);
        try {
          answer(Opcode::kClose, peer_code_ == close_code::kNone ? "" : close_payload(peer_code_, ""), stop);
        } catch (const NetError&) {  // NOLINT(bugprone-empty-catch): it has said its last word and may be gone
        }
        break;
      case Opcode::kText:
      case Opcode::kBinary: return Message{.text = event.kind == Opcode::kText, .data = std::move(event.payload)};
      default: break;
    }
  }
  return std::nullopt;
}

WebSocketEvent WebSocket::next_event(const Stop& stop) {
  try {
    std::optional<WebSocketEvent> event;
    while (!event) {
      if (from_ == to_) receive(stop);
      from_ += reader_.feed({buffer_.data() + from_, to_ - from_}, event);
    }
    return std::move(*event);
  } catch (const WebSocketError& error) {
    try {
      answer(Opcode::kClose, close_payload(error.code(), error.what()), stop);
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): telling the peer is a courtesy
    }
    stream_->close();
    throw WebSocketError(error.code(), peer() + ": " + error.what());
  }
}

void WebSocket::receive(const Stop& stop) {
  const bool watched = ping_every_ > Duration::zero();
  for (bool pinged = false;; pinged = true) {
    try {
      const Stop patience = watched ? stop.with_deadline(clock_, clock_.after(ping_every_)) : stop;
      from_ = 0;
      to_ = 0;
      to_ = stream_->read(buffer_, patience);
      if (to_ > 0) return;
    } catch (const Stopped&) {
      stop.throw_if_stopped();
      if (!pinged) answer(Opcode::kPing, "", stop);
      // After a pause of this process the answer may be here although its time is up.
      if (!pinged || stream_->has_input_or_end()) continue;
      throw NetError(NetError::Kind::kTimeout,
                     peer() + ": nothing came for " + duration_text(2 * ping_every_) +
                         ", not even an answer to our ping; the peer or the network between is gone");
    }
    throw NetError(NetError::Kind::kReset,
                   peer() + ": the connection ended without the WebSocket's goodbye; what came may not be all");
  }
}

void WebSocket::send(Opcode opcode, std::string_view payload, const Stop& stop) {
  std::string text = frame(opcode, payload);
  MutexLock lock(mutex_);
  turn_.wait(mutex_, stop, [&]() FLYBALL_REQUIRES(mutex_) { return !writing_; });
  stop.throw_if_stopped();
  if (opcode == Opcode::kClose && (broken_ || closing_)) return;
  if (broken_) throw NetError(NetError::Kind::kReset, peer() + ": the WebSocket broke while something was sent");
  if (closing_) throw NetError(NetError::Kind::kReset, peer() + ": the WebSocket is closed; nothing can be sent");
  writing_ = true;
  closing_ = opcode == Opcode::kClose;
  lock.unlock();
  write_and_pass_on(std::move(text), stop);
}

void WebSocket::answer(Opcode opcode, std::string_view payload, const Stop& stop) {
  std::string text = frame(opcode, payload);
  MutexLock lock(mutex_);
  if (broken_ || closing_) return;
  closing_ = opcode == Opcode::kClose;
  if (writing_) {
    // The latest pong stands for those before it; our own ping is not worth losing one for.
    if (opcode == Opcode::kPing && !left_control_.empty()) return;
    (closing_ ? left_close_ : left_control_) = std::move(text);
    return;
  }
  writing_ = true;
  lock.unlock();
  write_and_pass_on(std::move(text), stop);
}

void WebSocket::write_and_pass_on(std::string frame, const Stop& stop) {
  try {
    while (!frame.empty()) {
      stream_->write(frame, stop);
      MutexLock lock(mutex_);
      frame = std::exchange(left_control_, {}) + std::exchange(left_close_, {});
      writing_ = !frame.empty();
    }
  } catch (...) {
    MutexLock lock(mutex_);
    broken_ = true;
    writing_ = false;
    turn_.notify_all();
    throw;
  }
  turn_.notify_all();
}

void WebSocket::close(const Stop& stop, std::uint16_t code, std::string_view reason) {
  send(Opcode::kClose, close_payload(code, reason), stop);
}

std::string WebSocket::frame(Opcode opcode, std::string_view payload) const {
  std::string text;
  append_frame(text, opcode, payload,
               role_ == WebSocketRole::kClient ? std::optional<FrameMask>(random_mask()) : std::nullopt);
  return text;
}

}  // namespace flyball::net
