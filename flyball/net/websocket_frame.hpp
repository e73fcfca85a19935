// WebSocket on the wire (RFC 6455): frames read from bytes that arrive in pieces of any size, and frames as bytes.
// Most people want WebSocket (websocket.hpp).
//
//   FrameReader reader(WebSocketRole::kClient, 1 << 20);
//   std::optional<WebSocketEvent> event;
//   input.remove_prefix(reader.feed(input, event));        // stops after one event
//   if (event) use(*event);
//
// Fragments are put together; control frames between them come out as they come in. What the RFC forbids is refused:
// reserved bits and opcodes, a wrong mask, a length in more bytes than it needs, long or fragmented control frames, a
// text that is not UTF-8, a close code nobody may send.
//
// Thread-safety: one thread at a time. Lifetime: holds no reference to what it was fed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "flyball/base/error.hpp"

namespace flyball::net {

enum class WebSocketRole { kClient, kServer };  // which end we are: a client's frames are masked, a server's are not

enum class Opcode : std::uint8_t { kContinuation = 0, kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10 };

// Why a connection is closed: section 7.4 of the RFC.
namespace close_code {
inline constexpr std::uint16_t kNormal = 1000;
inline constexpr std::uint16_t kGoingAway = 1001;
inline constexpr std::uint16_t kProtocolError = 1002;
inline constexpr std::uint16_t kUnsupported = 1003;
inline constexpr std::uint16_t kNone = 1005;  // the peer gave none; never sent
inline constexpr std::uint16_t kBadData = 1007;
inline constexpr std::uint16_t kPolicy = 1008;
inline constexpr std::uint16_t kTooBig = 1009;
inline constexpr std::uint16_t kInternalError = 1011;
}  // namespace close_code

// May stand in a close frame.
bool is_close_code(unsigned code) noexcept;

// The peer does not speak WebSocket as we understand it, or goes past a limit.
class WebSocketError : public Error {
 public:
  WebSocketError(std::uint16_t code, const std::string& what) : Error(what), code_(code) {}
  // What we close the connection with: 1002, 1007 or 1009.
  std::uint16_t code() const noexcept { return code_; }

 private:
  std::uint16_t code_;
};

// One whole message, or a control frame.
struct WebSocketEvent {
  Opcode kind = Opcode::kText;  // never kContinuation
  std::string payload = {};     // of a close: the reason
  std::uint16_t code = 0;       // of a close
  friend bool operator==(const WebSocketEvent&, const WebSocketEvent&) = default;
};

class FrameReader {
 public:
  // `role` is our end. Messages past `message_bytes` are refused.
  FrameReader(WebSocketRole role, std::uint64_t message_bytes) : role_(role), message_bytes_(message_bytes) {}

  // Takes bytes up to the end of one event; says how many it took. Throws WebSocketError; the reader is of no use after
  // that.
  std::size_t feed(std::string_view input, std::optional<WebSocketEvent>& event);
  // Nothing has come of a frame or a message that is not whole yet.
  bool between_messages() const noexcept { return head_.empty() && !in_payload_ && !in_message_; }

 private:
  bool is_control() const noexcept { return (static_cast<unsigned>(opcode_) & 8U) != 0; }
  std::size_t head_size() const noexcept;
  void check_first_bytes();
  void begin_payload();
  void take_payload(std::string_view bytes);
  std::optional<WebSocketEvent> end_frame();
  std::optional<WebSocketEvent> end_control();

  // Constant after construction.
  WebSocketRole role_;
  std::uint64_t message_bytes_;

  std::string head_;         // what has come of the frame's head
  bool in_payload_ = false;  // the head is done
  bool last_ = false;        // of the message
  Opcode opcode_ = Opcode::kText;
  std::array<char, 4> mask_ = {};
  std::uint64_t left_ = 0;  // of the payload
  std::uint64_t done_ = 0;  // of the payload
  std::string control_;
  bool in_message_ = false;  // a first fragment has come, and not yet the last
  Opcode message_kind_ = Opcode::kText;
  std::string message_;
};

using FrameMask = std::array<char, 4>;

// Appends one frame. A client gives a mask that nobody can guess; a server none.
void append_frame(std::string& out, Opcode opcode, std::string_view payload, const std::optional<FrameMask>& mask,
                  bool last = true);
// The payload of a close frame. Throws InputError for a code that may not be sent; the reason is cut to what fits.
std::string close_payload(std::uint16_t code, std::string_view reason);

}  // namespace flyball::net
