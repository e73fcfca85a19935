// HttpParser: reads one HTTP/1.1 message from bytes that arrive in pieces of any size. And the other way: heads and
// chunks as bytes.
//
//   HttpParser parser(HttpParser::Kind::kResponse, {});
//   std::string body;
//   while (!parser.done()) {
//     if (input.empty()) input = receive();               // nothing more to come: parser.end_of_input()
//     input.remove_prefix(parser.feed(input, body));      // stops after the head, and at the end of the message
//   }
//
// It takes what RFC 9112 calls well-formed and nothing more. What two programs could read in two ways (a length given
// twice, a length beside chunks, a folded line, a bare line feed) is refused: that is how requests are smuggled.
//
// Thread-safety: one thread at a time. Lifetime: holds no reference to what it was fed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "flyball/base/error.hpp"
#include "flyball/net/http.hpp"

namespace flyball::net {

// The peer does not speak HTTP/1.1 as we understand it, or goes past a limit.
class ProtocolError : public Error {
 public:
  explicit ProtocolError(const std::string& what, int status = 400) : Error(what), status_(status) {}
  // What a server answers to it: 400, 413, 431, 501 or 505.
  int status() const noexcept { return status_; }

 private:
  int status_;
};

struct HttpLimits {
  std::size_t head_bytes = 64 * 1024;     // first line and headers; trailers again as much
  std::size_t header_count = 256;         // fields
  std::uint64_t body_bytes = UINT64_MAX;  // after chunks are put together
  std::size_t chunk_line_bytes = 1024;    // a chunk's size with its extensions
};

class HttpParser {
 public:
  enum class Kind { kRequest, kResponse };

  explicit HttpParser(Kind kind, HttpLimits limits = {}) : kind_(kind), limits_(limits) {}

  // Takes bytes up to the end of the head, and from there up to the end of the message; says how many it took. Pieces
  // of the body are appended to `body`. Throws ProtocolError; the parser is of no use after that.
  std::size_t feed(std::string_view input, std::string& body);

  // The peer closed. Ends a response without a length; throws ProtocolError when something is missing.
  void end_of_input();

  bool head_done() const noexcept { return state_ > State::kHeaders; }
  bool done() const noexcept { return state_ == State::kDone; }
  // Not a byte has come.
  bool untouched() const noexcept { return state_ == State::kStart && line_.empty(); }

  // Filled when head_done(). The bodies in them stay empty; trailers are filled when done().
  Request& request() noexcept { return request_; }
  Response& response() noexcept { return response_; }

  // Between head and body of a response: it answers a HEAD, or a CONNECT that succeeded.
  void expect_no_body();

  // Valid when head_done(): whether another message may follow on the connection.
  bool keep_alive() const noexcept;
  // Valid when head_done(): the body is not empty by its framing.
  bool has_body() const noexcept { return has_body_; }

 private:
  enum class State { kStart, kHeaders, kSized, kUntilClose, kChunkSize, kChunkData, kChunkEnd, kTrailers, kDone };

  const Headers& headers() const noexcept { return kind_ == Kind::kRequest ? request_.headers : response_.headers; }
  int minor_version() const noexcept;
  bool take_line(std::string_view& input, std::size_t limit, int too_long_status);
  void check_opening() const;
  void head_line(std::string_view line);
  void request_line(std::string_view line);
  void status_line(std::string_view line);
  void header_line(std::string_view line, Headers& into);
  void head_complete();
  void choose_framing();
  void chunk_size_line(std::string_view line);
  void take_body(std::string_view& input, std::string& body);
  void count_body(std::uint64_t bytes);

  // Constant after construction.
  Kind kind_;
  HttpLimits limits_;

  State state_ = State::kStart;
  std::string line_;            // what has come of the line that is being read
  std::size_t head_bytes_ = 0;  // of the lines before it
  std::uint64_t left_ = 0;      // of the body, or of the chunk
  std::uint64_t body_bytes_ = 0;
  bool has_body_ = false;
  Request request_;
  Response response_;
};

// Appends first line, headers and the empty line. Throws InputError when a name, a value or the target cannot stand in
// a message (a line break in a header would let its author write headers of their own).
void append_head(std::string& out, const Request& request);
void append_head(std::string& out, const Response& response);

// Appends one chunk of a chunked body; nothing for no bytes, since an empty chunk is the last one.
void append_chunk(std::string& out, std::string_view bytes);
// Appends the end of a chunked body.
void append_last_chunk(std::string& out, const Headers& trailers = {});

}  // namespace flyball::net
