#include "flyball/net/websocket_frame.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "flyball/base/text.hpp"

namespace flyball::net {
namespace {

constexpr std::size_t kControlBytes = 125;

unsigned byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

[[noreturn]] void refuse(const std::string& what) { throw WebSocketError(close_code::kProtocolError, what); }

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value = value << 8U | byte_at(bytes, i);
  return value;
}

void append_big_endian(std::string& out, std::uint64_t value, unsigned bytes) {
  for (unsigned i = bytes; i-- > 0;) out += static_cast<char>(value >> (8 * i) & 255U);
}

// `from` is how many bytes of the payload came before these.
void apply_mask(char* data, std::size_t size, const FrameMask& mask, std::uint64_t from) {
  std::array<char, 8> turned{};
  for (std::size_t i = 0; i < turned.size(); ++i) turned[i] = mask[(from + i) % 4];
  std::uint64_t word = 0;
  std::memcpy(&word, turned.data(), sizeof word);
  std::size_t at = 0;
  for (; at + sizeof word <= size; at += sizeof word) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, data + at, sizeof eight);
    eight ^= word;
    std::memcpy(data + at, &eight, sizeof eight);
  }
  for (std::size_t i = 0; at + i < size; ++i) data[at + i] = static_cast<char>(data[at + i] ^ turned[i]);
}

bool is_utf8(const std::string& text) { return valid_utf8(text) == text; }

}  // namespace

bool is_close_code(unsigned code) noexcept {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
}

std::size_t FrameReader::feed(std::string_view input, std::optional<WebSocketEvent>& event) {
  event.reset();
  std::size_t taken = 0;
  while (!event) {
    if (!in_payload_) {
      if (taken == input.size()) break;
      head_ += input[taken++];
      if (head_.size() == 2) check_first_bytes();
      if (head_.size() < head_size()) continue;
      begin_payload();
    }
    const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size() - taken));
    take_payload(input.substr(taken, n));
    taken += n;
    if (left_ > 0) break;
    event = end_frame();
  }
  return taken;
}

std::size_t FrameReader::head_size() const noexcept {
  if (head_.size() < 2) return 2;
  const unsigned length = byte_at(head_, 1) & 127U;
  return 2 + (length == 127 ? 8U : length == 126 ? 2U : 0U) + (role_ == WebSocketRole::kServer ? 4U : 0U);
}

void FrameReader::check_first_bytes() {
  const unsigned first = byte_at(head_, 0);
  const unsigned second = byte_at(head_, 1);
  if ((first & 0x70U) != 0) refuse("a frame has reserved bits set, which no extension was agreed on for");
  const unsigned opcode = first & 15U;
  if ((opcode > 2 && opcode < 8) || opcode > 10) refuse("a frame has the unknown opcode " + std::to_string(opcode));
  opcode_ = static_cast<Opcode>(opcode);
  last_ = (first & 128U) != 0;
  const bool masked = (second & 128U) != 0;
  if (masked && role_ == WebSocketRole::kClient) refuse("the server masks its frames, which only clients do");
  if (!masked && role_ == WebSocketRole::kServer) refuse("the client does not mask its frames");
  if (is_control() && !last_) refuse("a control frame is fragmented");
  if (is_control() && (second & 127U) > kControlBytes) refuse("a control frame has more than 125 bytes");
  if (opcode_ == Opcode::kContinuation && !in_message_) refuse("a continuation comes without a message to continue");
  if (!is_control() && opcode_ != Opcode::kContinuation && in_message_) {
    refuse("a new message begins before the last fragment of the one before it");
  }
}

void FrameReader::begin_payload() {
  std::string_view rest = std::string_view(head_).substr(2);
  const unsigned length = byte_at(head_, 1) & 127U;
  const std::size_t wide = length == 127 ? 8U : length == 126 ? 2U : 0U;
  left_ = wide == 0 ? length : big_endian(rest.substr(0, wide));
  if (wide == 8 && left_ >> 63U != 0) refuse("the length of a frame has its highest bit set");
  if ((wide == 8 && left_ <= 0xFFFF) || (wide == 2 && left_ <= kControlBytes)) {
    refuse("the length of a frame is not written in the fewest bytes");
  }
  if (role_ == WebSocketRole::kServer) rest.substr(wide).copy(mask_.data(), mask_.size());
  if (!is_control() && left_ > message_bytes_ - message_.size()) {
    throw WebSocketError(close_code::kTooBig,
                         "a message is longer than the " + std::to_string(message_bytes_) + " bytes we take");
  }
  done_ = 0;
  head_.clear();
  in_payload_ = true;
}

void FrameReader::take_payload(std::string_view bytes) {
  std::string& into = is_control() ? control_ : message_;
  const std::size_t before = into.size();
  into += bytes;
  if (role_ == WebSocketRole::kServer) apply_mask(into.data() + before, bytes.size(), mask_, done_);
  done_ += bytes.size();
  left_ -= bytes.size();
}

std::optional<WebSocketEvent> FrameReader::end_frame() {
  in_payload_ = false;
  if (is_control()) return end_control();
  if (!in_message_) message_kind_ = opcode_;
  in_message_ = !last_;
  if (in_message_) return std::nullopt;
  if (message_kind_ == Opcode::kText && !is_utf8(message_)) {
    throw WebSocketError(close_code::kBadData, "a text message is not UTF-8");
  }
  return WebSocketEvent{.kind = message_kind_, .payload = std::exchange(message_, {})};
}

std::optional<WebSocketEvent> FrameReader::end_control() {
  std::string payload = std::exchange(control_, {});
  if (opcode_ != Opcode::kClose) return WebSocketEvent{.kind = opcode_, .payload = std::move(payload)};
  if (payload.empty()) return WebSocketEvent{.kind = opcode_, .code = close_code::kNone};
  if (payload.size() == 1) refuse("a close frame has half a code");
  const auto code = static_cast<std::uint16_t>(big_endian(std::string_view(payload).substr(0, 2)));
  if (!is_close_code(code)) refuse("a close frame has the code " + std::to_string(code) + ", which nobody may send");
  payload.erase(0, 2);
  if (!is_utf8(payload)) throw WebSocketError(close_code::kBadData, "the reason in a close frame is not UTF-8");
  return WebSocketEvent{.kind = opcode_, .payload = std::move(payload), .code = code};
}

void append_frame(std::string& out, Opcode opcode, std::string_view payload, const std::optional<FrameMask>& mask,
                  bool last) {
  const unsigned masked = mask ? 128U : 0U;
  out.reserve(out.size() + payload.size() + 14);
  out += static_cast<char>((last ? 128U : 0U) | static_cast<unsigned>(opcode));
  if (payload.size() <= kControlBytes) {
    out += static_cast<char>(masked | payload.size());
  } else if (payload.size() <= 0xFFFF) {
    out += static_cast<char>(masked | 126U);
    append_big_endian(out, payload.size(), 2);
  } else {
    out += static_cast<char>(masked | 127U);
    append_big_endian(out, payload.size(), 8);
  }
  if (mask) out.append(mask->data(), mask->size());
  const std::size_t before = out.size();
  out += payload;
  if (mask) apply_mask(out.data() + before, payload.size(), *mask, 0);
}

std::string close_payload(std::uint16_t code, std::string_view reason) {
  if (!is_close_code(code)) {
    throw InputError({}, "",
                     "a WebSocket cannot be closed with the code " + std::to_string(code) +
                         "; 1000 is the normal one, 3000 to 4999 are free to use");
  }
  std::string out;
  append_big_endian(out, code, 2);
  const std::string text = valid_utf8(reason);
  std::size_t size = std::min(text.size(), kControlBytes - 2);
  // Not in the middle of a character: the byte after the cut must not continue one.
  while (size < text.size() && (byte_at(text, size) & 0xC0U) == 0x80U) --size;
  out.append(text, 0, size);
  return out;
}

}  // namespace flyball::net
