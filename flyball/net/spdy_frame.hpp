// SPDY/3.1 on the wire, as much of it as Kubernetes' streams use: frames read from bytes that arrive in pieces of any
// size, and frames as bytes. Those who want streams want SpdyConnection (spdy.hpp).
//
//   SpdyReader reader;
//   std::optional<SpdyEvent> event;
//   input.remove_prefix(reader.feed(input, event));        // stops after one event
//   if (event) use(*event);
//
//   SpdyWriter writer;
//   connection.write(writer.syn_reply(stream, {}));
//
// Data comes out as it comes in, not frame by frame: nothing large is ever held. Headers are packed with one zlib
// stream for each direction of a connection, so frames with headers must be written in the order they were made.
//
// Errors: SpdyError for what is no SPDY/3, or beyond a limit; the reader is of no use after that.
//
// Thread-safety: one thread at a time. Lifetime: holds no reference to what it was fed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/base/error.hpp"

namespace flyball::net {

class SpdyError : public Error {
 public:
  using Error::Error;
};

using SpdyHeaders = std::vector<std::pair<std::string, std::string>>;  // names in lower case

enum class SpdyKind : std::uint8_t { syn_stream, syn_reply, reset, ping, go_away, headers, data };

struct SpdyEvent {
  SpdyKind kind = SpdyKind::data;
  std::uint32_t stream = 0;  // of a ping: its number
  bool last = false;         // the peer sends nothing more on this stream
  std::uint32_t status = 0;  // of a reset
  SpdyHeaders headers = {};
  std::string data = {};
  friend bool operator==(const SpdyEvent&, const SpdyEvent&) = default;

  // The first of that name; empty without one.
  std::string_view header(std::string_view name) const noexcept;
};

class SpdyReader {
 public:
  SpdyReader();
  ~SpdyReader();
  SpdyReader(const SpdyReader&) = delete;
  SpdyReader& operator=(const SpdyReader&) = delete;

  // Takes bytes up to the end of one event; says how many it took. What matters to nobody (SETTINGS, WINDOW_UPDATE) is
  // read over.
  std::size_t feed(std::string_view input, std::optional<SpdyEvent>& event);

 private:
  struct Unpacker;
  std::size_t take_head(std::string_view input);
  std::size_t take_data(std::string_view input, std::optional<SpdyEvent>& event);
  std::size_t take_control(std::string_view input, std::optional<SpdyEvent>& event);
  std::optional<SpdyEvent> control_event();
  SpdyHeaders headers_from(std::string_view packed);

  std::unique_ptr<Unpacker> unpacker_;
  std::string head_;     // what has come of the frame's head
  std::string control_;  // and of a control frame's body
  bool in_body_ = false;
  bool is_data_ = false;
  std::uint32_t type_ = 0;
  std::uint32_t stream_ = 0;
  std::uint32_t flags_ = 0;
  std::size_t left_ = 0;  // of the body
};

class SpdyWriter {
 public:
  SpdyWriter();
  ~SpdyWriter();
  SpdyWriter(const SpdyWriter&) = delete;
  SpdyWriter& operator=(const SpdyWriter&) = delete;

  std::string syn_stream(std::uint32_t stream, const SpdyHeaders& headers, bool last = false);
  std::string syn_reply(std::uint32_t stream, const SpdyHeaders& headers);
  // At most 16 MB.
  static std::string data(std::uint32_t stream, std::string_view bytes, bool last = false);
  static std::string reset(std::uint32_t stream, std::uint32_t status);
  static std::string ping(std::uint32_t number);
  static std::string go_away(std::uint32_t last_stream);

 private:
  struct Packer;
  std::string packed(const SpdyHeaders& headers);

  std::unique_ptr<Packer> packer_;
};

inline constexpr std::uint32_t kSpdyRefused = 3;  // of a reset: REFUSED_STREAM
inline constexpr std::uint32_t kSpdyCancel = 5;   // of a reset: CANCEL

}  // namespace flyball::net
