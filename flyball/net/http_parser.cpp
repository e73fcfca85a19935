#include "flyball/net/http_parser.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "flyball/base/text.hpp"

namespace flyball::net {
namespace {

// What a person needs to recognise a wrong line, and no more of it.
std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text.substr(0, 80));
  if (text.size() > 80) out += "...";
  return out;
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

bool is_field_value(std::string_view value) noexcept {
  return std::none_of(value.begin(), value.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7f;
  });
}

bool is_target(std::string_view target) noexcept {
  return !target.empty() && std::all_of(target.begin(), target.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// 0 or 1 of "HTTP/1.x".
int read_version(std::string_view text) {
  if (text == "HTTP/1.1") return 1;
  if (text == "HTTP/1.0") return 0;
  const bool is_other = text.starts_with("HTTP/");
  throw ProtocolError(is_other ? "the version is " + quoted(text) + "; only HTTP/1.1 and HTTP/1.0 are spoken here"
                               : "expected \"HTTP/1.1\", found " + quoted(text),
                      is_other ? 505 : 400);
}

std::optional<std::uint64_t> read_number(std::string_view text, int base) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  // from_chars would take a sign for nothing; half the range leaves room for sums.
  if (error != std::errc() || end != text.data() + text.size() || number > UINT64_MAX / 2) return std::nullopt;
  return number;
}

}  // namespace

int HttpParser::minor_version() const noexcept {
  return kind_ == Kind::kRequest ? request_.minor_version : response_.minor_version;
}

std::size_t HttpParser::feed(std::string_view input, std::string& body) {
  const std::size_t before = input.size();
  while (state_ <= State::kHeaders) {
    const std::size_t limit = limits_.head_bytes - std::min(limits_.head_bytes, head_bytes_);
    if (!take_line(input, limit, 431)) return before;
    head_bytes_ += line_.size();
    head_line(std::string_view(line_).substr(0, line_.size() - 2));
    line_.clear();
    if (head_done()) return before - input.size();
  }
  while (!input.empty() && !done()) take_body(input, body);
  return before - input.size();
}

// Moves bytes to line_ up to and with the line's end. False when the end has not come yet.
bool HttpParser::take_line(std::string_view& input, std::size_t limit, int too_long_status) {
  const std::size_t feed_end = input.find('\n');
  const bool whole = feed_end != std::string_view::npos;
  const std::size_t length = whole ? feed_end + 1 : input.size();
  // Never kept beyond the limit, however much was fed.
  const std::size_t room = limit - std::min(limit, line_.size());
  line_.append(input.substr(0, std::min(length, room)));
  if (state_ == State::kStart) check_opening();
  if (length > room) {
    const bool in_head = state_ <= State::kHeaders || state_ == State::kTrailers;
    throw ProtocolError(
        in_head ? "the headers are longer than the limit of " + std::to_string(limits_.head_bytes) + " bytes"
                : "a chunk's size line is longer than " + std::to_string(limit) + " bytes",
        too_long_status);
  }
  input.remove_prefix(length);
  if (!whole) return false;
  if (line_.size() < 2 || line_[line_.size() - 2] != '\r') {
    throw ProtocolError("a line ends with a bare line feed: " + quoted(line_));
  }
  return true;
}

// A peer that speaks something else is told so at its first bytes, not when the line it never ends grows too long.
void HttpParser::check_opening() const {
  if (line_.empty()) return;
  if (line_[0] == 0x16 || line_[0] == 0x15) {
    throw ProtocolError("the peer speaks TLS where plain HTTP was expected; check http:// against https://");
  }
  if (kind_ == Kind::kRequest) {
    if (!is_token(line_.substr(0, 1)) && line_[0] != '\r') {
      throw ProtocolError("this is no HTTP request; it begins with " + quoted(line_.substr(0, 1)));
    }
    return;
  }
  constexpr std::string_view kOpening = "HTTP/";
  const std::size_t length = std::min(kOpening.size(), line_.size());
  const auto differs =
      std::mismatch(line_.begin(), line_.begin() + static_cast<std::ptrdiff_t>(length), kOpening.begin());
  const auto same = static_cast<std::size_t>(differs.first - line_.begin());
  if (same < length)
    throw ProtocolError("this is no HTTP response; it begins with " + quoted(line_.substr(0, same + 1)));
}

void HttpParser::head_line(std::string_view line) {
  if (state_ == State::kHeaders) {
    if (line.empty()) return head_complete();
    return header_line(line, kind_ == Kind::kRequest ? request_.headers : response_.headers);
  }
  if (kind_ == Kind::kResponse) {
    status_line(line);
  } else {
    // One empty line in front of a request is left over by some old clients; RFC 9112 says to skip it.
    if (line.empty() && head_bytes_ == 2) return;
    request_line(line);
  }
  state_ = State::kHeaders;
}

void HttpParser::request_line(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    throw ProtocolError("expected \"METHOD target HTTP/1.1\", found " + quoted(line));
  }
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (!is_token(method)) throw ProtocolError("the method has a character that is not allowed: " + quoted(method));
  if (!is_target(target)) {
    throw ProtocolError("the target has a space, a control character or a byte outside ASCII; percent-encode it: " +
                        quoted(target));
  }
  request_.minor_version = read_version(line.substr(last + 1));
  request_.method = method;
  request_.target = target;
}

void HttpParser::status_line(std::string_view line) {
  const std::size_t first = line.find(' ');
  response_.minor_version = read_version(line.substr(0, first));
  const std::string_view rest = first == std::string_view::npos ? "" : line.substr(first + 1);
  const bool is_code = rest.size() >= 3 && rest[0] >= '1' && rest[0] <= '9' && is_digit(rest[1]) && is_digit(rest[2]) &&
                       (rest.size() == 3 || rest[3] == ' ');
  if (!is_code) throw ProtocolError("expected \"HTTP/1.1 200 OK\", found " + quoted(line));
  response_.status = (rest[0] - '0') * 100 + (rest[1] - '0') * 10 + (rest[2] - '0');
  response_.reason = rest.substr(std::min<std::size_t>(4, rest.size()));
  if (!is_field_value(response_.reason)) {
    throw ProtocolError("the status line has a control character: " + quoted(line));
  }
}

void HttpParser::header_line(std::string_view line, Headers& into) {
  if (into.size() >= limits_.header_count) {
    throw ProtocolError("more than " + std::to_string(limits_.header_count) + " header fields", 431);
  }
  if (line.front() == ' ' || line.front() == '\t') {
    throw ProtocolError("a header is folded over two lines, which is no longer allowed: " + quoted(line));
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) throw ProtocolError("a header has no colon: " + quoted(line));
  const std::string_view name = line.substr(0, colon);
  if (!is_token(name)) throw ProtocolError("a header name has a character that is not allowed: " + quoted(name));
  const std::string_view value = trimmed(line.substr(colon + 1));
  // The value may be a token or a password: only the name is shown.
  if (!is_field_value(value)) throw ProtocolError("the header " + std::string(name) + " has a control character");
  into.add(std::string(name), std::string(value));
}

void HttpParser::head_complete() {
  if (kind_ == Kind::kRequest && request_.minor_version == 1 && request_.headers.count("Host") != 1) {
    throw ProtocolError("an HTTP/1.1 request has exactly one Host header, this one has " +
                        std::to_string(request_.headers.count("Host")));
  }
  choose_framing();
  if (state_ == State::kSized) count_body(left_);
}

void HttpParser::choose_framing() {
  const std::size_t lengths = headers().count("Content-Length");
  const std::size_t codings = headers().count("Transfer-Encoding");
  if (lengths > 1) throw ProtocolError("Content-Length is given " + std::to_string(lengths) + " times");
  if (lengths > 0 && codings > 0) throw ProtocolError("Content-Length and Transfer-Encoding are given together");
  if (codings > 0) {
    const std::string_view coding = headers().get("Transfer-Encoding");
    if (codings > 1 || !same_name(coding, "chunked")) {
      throw ProtocolError("Transfer-Encoding is " + quoted(coding) + "; only \"chunked\" is understood, once", 501);
    }
    if (minor_version() == 0) throw ProtocolError("Transfer-Encoding in an HTTP/1.0 message");
  }
  std::optional<std::uint64_t> length;
  if (lengths > 0) {
    const std::string_view text = headers().get("Content-Length");
    length = read_number(text, 10);
    if (!length) throw ProtocolError("Content-Length is " + quoted(text) + ", which is no length");
  }
  const int status = response_.status;
  const bool never_a_body = kind_ == Kind::kResponse && (status < 200 || status == 204 || status == 304);
  has_body_ = false;
  if (never_a_body) {
    state_ = State::kDone;
  } else if (codings > 0) {
    state_ = State::kChunkSize;
    has_body_ = true;
  } else if (length) {
    left_ = *length;
    has_body_ = left_ > 0;
    state_ = has_body_ ? State::kSized : State::kDone;
  } else {
    has_body_ = kind_ == Kind::kResponse;
    state_ = has_body_ ? State::kUntilClose : State::kDone;
  }
}

void HttpParser::expect_no_body() {
  state_ = State::kDone;
  has_body_ = false;
}

void HttpParser::chunk_size_line(std::string_view line) {
  const std::string_view size = trimmed(line.substr(0, line.find(';')));
  const bool hex = !size.empty() && std::all_of(size.begin(), size.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
  const auto number = hex && line.front() != ' ' && line.front() != '\t' ? read_number(size, 16) : std::nullopt;
  if (!number || !is_field_value(line))
    throw ProtocolError("a chunk begins with " + quoted(line) + ", which is no size");
  count_body(*number);
  left_ = *number;
  head_bytes_ = 0;
  state_ = left_ == 0 ? State::kTrailers : State::kChunkData;
}

void HttpParser::count_body(std::uint64_t bytes) {
  if (bytes > limits_.body_bytes - body_bytes_) {
    throw ProtocolError("the body is larger than the limit of " + std::to_string(limits_.body_bytes) + " bytes", 413);
  }
  body_bytes_ += bytes;
}

void HttpParser::take_body(std::string_view& input, std::string& body) {
  switch (state_) {
    case State::kSized:
    case State::kChunkData: {
      const std::size_t length = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size()));
      body.append(input.substr(0, length));
      input.remove_prefix(length);
      left_ -= length;
      if (left_ == 0) state_ = state_ == State::kSized ? State::kDone : State::kChunkEnd;
      return;
    }
    case State::kUntilClose: {
      // Up to the limit first, so that what is delivered does not depend on how the bytes were cut.
      const std::uint64_t room = limits_.body_bytes - body_bytes_;
      body.append(input.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(room, input.size()))));
      count_body(input.size());
      input = {};
      return;
    }
    case State::kChunkSize:
      if (!take_line(input, limits_.chunk_line_bytes, 400)) return;
      line_.resize(line_.size() - 2);
      if (line_.empty()) throw ProtocolError("a chunk begins with an empty line where its size should be");
      chunk_size_line(line_);
      line_.clear();
      return;
    case State::kChunkEnd:
      line_ += input.front();
      input.remove_prefix(1);
      if (line_ != std::string_view("\r\n").substr(0, line_.size())) {
        throw ProtocolError("a chunk is longer than its size says");
      }
      if (line_.size() < 2) return;
      line_.clear();
      state_ = State::kChunkSize;
      return;
    default: break;
  }
  const std::size_t limit = limits_.head_bytes - std::min(limits_.head_bytes, head_bytes_);
  if (!take_line(input, limit, 431)) return;
  head_bytes_ += line_.size();
  const std::string_view line = std::string_view(line_).substr(0, line_.size() - 2);
  if (line.empty()) {
    state_ = State::kDone;
  } else {
    header_line(line, kind_ == Kind::kRequest ? request_.trailers : response_.trailers);
  }
  line_.clear();
}

void HttpParser::end_of_input() {
  switch (state_) {
    case State::kDone: return;
    case State::kUntilClose: state_ = State::kDone; return;
    case State::kStart:
      if (line_.empty()) throw ProtocolError("the peer closed the connection without a word");
      [[fallthrough]];
    case State::kHeaders: throw ProtocolError("the peer closed the connection in the middle of the headers");
    case State::kSized:
      throw ProtocolError("the peer closed the connection with " + std::to_string(left_) +
                          " bytes of the body missing");
    default: throw ProtocolError("the peer closed the connection in the middle of a chunked body");
  }
}

bool HttpParser::keep_alive() const noexcept {
  if (state_ == State::kUntilClose) return false;
  // A response that ended with the connection.
  if (kind_ == Kind::kResponse && has_body_ && !headers().contains("Content-Length") &&
      !headers().contains("Transfer-Encoding")) {
    return false;
  }
  if (headers().has_word("Connection", "close")) return false;
  return minor_version() == 1 || headers().has_word("Connection", "keep-alive");
}

namespace {

void append_headers(std::string& out, const Headers& headers) {
  for (const Headers::Field& field : headers) {
    if (!is_token(field.name)) {
      throw InputError({}, "headers", quoted(field.name) + " is no header name; letters, digits and dashes are");
    }
    if (!is_field_value(field.value)) {
      throw InputError({}, "headers." + field.name, "the value has a line break or another control character");
    }
    out.append(field.name).append(": ").append(field.value).append("\r\n");
  }
  out += "\r\n";
}

}  // namespace

void append_head(std::string& out, const Request& request) {
  if (!is_token(request.method)) throw InputError({}, "method", quoted(request.method) + " is no HTTP method");
  if (!is_target(request.target)) {
    throw InputError({}, "target", quoted(request.target) + " has characters that must be percent-encoded");
  }
  out.append(request.method).append(" ").append(request.target);
  out.append(request.minor_version == 0 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
  append_headers(out, request.headers);
}

void append_head(std::string& out, const Response& response) {
  if (response.status < 100 || response.status > 999) {
    throw InputError({}, "status", std::to_string(response.status) + " is no HTTP status; three digits are");
  }
  const std::string_view reason = response.reason.empty() ? status_text(response.status) : response.reason;
  if (!is_field_value(reason)) throw InputError({}, "reason", "the words have a line break or a control character");
  out.append(response.minor_version == 0 ? "HTTP/1.0 " : "HTTP/1.1 ").append(std::to_string(response.status));
  out.append(" ").append(reason).append("\r\n");
  append_headers(out, response.headers);
}

void append_chunk(std::string& out, std::string_view bytes) {
  if (bytes.empty()) return;
  char size[16];
  const char* end = std::to_chars(size, size + sizeof size, bytes.size(), 16).ptr;
  out.append(size, static_cast<std::size_t>(end - size)).append("\r\n").append(bytes).append("\r\n");
}

void append_last_chunk(std::string& out, const Headers& trailers) {
  out += "0\r\n";
  append_headers(out, trailers);
}

}  // namespace flyball::net
