#include "flyball/net/spdy_frame.hpp"

#include <algorithm>
#include <array>

#include <zlib.h>

#include "flyball/net/detail/spdy_dictionary.hpp"

namespace flyball::net {
namespace {

constexpr std::size_t kHead = 8;
constexpr std::size_t kMostControl = std::size_t{64} << 10U;  // of a control frame
constexpr std::size_t kMostHeaders = std::size_t{64} << 10U;  // unpacked
constexpr std::uint32_t kVersion = 3;
constexpr std::uint32_t kLast = 1;  // FLAG_FIN

enum Type : std::uint32_t { kSynStream = 1, kSynReply = 2, kReset = 3, kPing = 6, kGoAway = 7, kHeaderFrame = 8 };

std::uint32_t number(std::string_view bytes, std::size_t at, std::size_t size = 4) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

void put(std::string& to, std::uint32_t value, unsigned size = 4) {
  for (unsigned i = size; i > 0; --i) to += static_cast<char>(value >> (8U * (i - 1)) & 0xffU);
}

std::uint32_t stream_id(std::string_view bytes, std::size_t at) { return number(bytes, at) & 0x7fffffffU; }

// zlib's pointer is not const, but it does not write through it.
Bytef* bytes_of(std::string_view text) { return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data())); }

std::string control(Type type, std::uint32_t flags, std::string_view body) {
  std::string frame;
  put(frame, 0x8000U | kVersion, 2);
  put(frame, type, 2);
  put(frame, flags, 1);
  put(frame, static_cast<std::uint32_t>(body.size()), 3);
  frame += body;
  return frame;
}

}  // namespace

std::string_view SpdyEvent::header(std::string_view name) const noexcept {
  for (const auto& [each, value] : headers) {
    if (each == name) return value;
  }
  return {};
}

struct SpdyReader::Unpacker {
  Unpacker() {
    if (inflateInit(&stream) != Z_OK) throw Error("cannot begin to unpack SPDY headers: out of memory");
  }
  ~Unpacker() { inflateEnd(&stream); }
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  std::string unpack(std::string_view packed) {
    std::string out;
    std::array<char, 4096> buffer{};
    stream.next_in = bytes_of(packed);
    stream.avail_in = static_cast<uInt>(packed.size());
    while (true) {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      int result = inflate(&stream, Z_SYNC_FLUSH);
      if (result == Z_NEED_DICT) {
        const std::string words = detail::spdy_dictionary();
        result = inflateSetDictionary(&stream, bytes_of(words), static_cast<uInt>(words.size()));
        if (result == Z_OK) continue;
      }
      if (result != Z_OK && result != Z_BUF_ERROR) throw SpdyError("the headers of a SPDY frame cannot be unpacked");
      out.append(buffer.data(), buffer.size() - stream.avail_out);
      if (out.size() > kMostHeaders) throw SpdyError("the headers of a SPDY frame are too large");
      if (stream.avail_out != 0) return out;
    }
  }

  z_stream stream = {};
};

SpdyReader::SpdyReader() : unpacker_(std::make_unique<Unpacker>()) {}
SpdyReader::~SpdyReader() = default;

std::size_t SpdyReader::feed(std::string_view input, std::optional<SpdyEvent>& event) {
  std::size_t taken = 0;
  while (!event) {
    const std::string_view rest = input.substr(taken);
    if (!in_body_) {
      if (rest.empty()) return taken;
      taken += take_head(rest);
      if (!in_body_) return taken;
      continue;
    }
    if (rest.empty() && left_ > 0) return taken;
    taken += is_data_ ? take_data(rest, event) : take_control(rest, event);
  }
  return taken;
}

std::size_t SpdyReader::take_head(std::string_view input) {
  const std::size_t taken = std::min(kHead - head_.size(), input.size());
  head_ += input.substr(0, taken);
  if (head_.size() < kHead) return taken;
  is_data_ = (static_cast<unsigned char>(head_[0]) & 0x80U) == 0;
  flags_ = number(head_, 4, 1);
  left_ = number(head_, 5, 3);
  if (is_data_) {
    stream_ = stream_id(head_, 0);
  } else {
    const std::uint32_t version = number(head_, 0, 2) & 0x7fffU;
    if (version != kVersion) throw SpdyError("this is no SPDY/3: version " + std::to_string(version));
    if (left_ > kMostControl)
      throw SpdyError("a SPDY control frame of " + std::to_string(left_) + " bytes is too large");
    type_ = number(head_, 2, 2);
  }
  head_.clear();
  control_.clear();
  in_body_ = true;
  return taken;
}

std::size_t SpdyReader::take_data(std::string_view input, std::optional<SpdyEvent>& event) {
  const std::size_t taken = std::min(left_, input.size());
  left_ -= taken;
  in_body_ = left_ > 0;
  const bool last = !in_body_ && (flags_ & kLast) != 0;
  event =
      SpdyEvent{.kind = SpdyKind::data, .stream = stream_, .last = last, .data = std::string(input.substr(0, taken))};
  return taken;
}

std::size_t SpdyReader::take_control(std::string_view input, std::optional<SpdyEvent>& event) {
  const std::size_t taken = std::min(left_, input.size());
  control_ += input.substr(0, taken);
  left_ -= taken;
  if (left_ > 0) return taken;
  in_body_ = false;
  event = control_event();
  return taken;
}

std::optional<SpdyEvent> SpdyReader::control_event() {
  const auto need = [&](std::size_t size) {
    if (control_.size() < size) throw SpdyError("a SPDY frame of type " + std::to_string(type_) + " is too short");
  };
  const bool last = (flags_ & kLast) != 0;
  const std::string_view body = control_;
  switch (type_) {
    case kSynStream:
      need(10);
      return SpdyEvent{.kind = SpdyKind::syn_stream,
                       .stream = stream_id(body, 0),
                       .last = last,
                       .headers = headers_from(body.substr(10))};
    case kSynReply:
    case kHeaderFrame:
      need(4);
      return SpdyEvent{.kind = type_ == kSynReply ? SpdyKind::syn_reply : SpdyKind::headers,
                       .stream = stream_id(body, 0),
                       .last = last,
                       .headers = headers_from(body.substr(4))};
    case kReset:
      need(8);
      return SpdyEvent{.kind = SpdyKind::reset, .stream = stream_id(body, 0), .status = number(body, 4)};
    case kPing: need(4); return SpdyEvent{.kind = SpdyKind::ping, .stream = number(body, 0)};
    case kGoAway: need(4); return SpdyEvent{.kind = SpdyKind::go_away, .stream = stream_id(body, 0)};
    default: return std::nullopt;
  }
}

SpdyHeaders SpdyReader::headers_from(std::string_view packed) {
  const std::string text = unpacker_->unpack(packed);
  std::string_view rest = text;
  const auto take = [&]() -> std::uint32_t {
    if (rest.size() < 4) throw SpdyError("the headers of a SPDY frame end in the middle");
    const std::uint32_t value = number(rest, 0);
    rest.remove_prefix(4);
    return value;
  };
  const auto word = [&] {
    const std::uint32_t size = take();
    if (rest.size() < size) throw SpdyError("the headers of a SPDY frame end in the middle");
    std::string each(rest.substr(0, size));
    rest.remove_prefix(size);
    return each;
  };
  SpdyHeaders headers;
  for (std::uint32_t left = take(); left > 0; --left) {
    std::string name = word();
    headers.emplace_back(std::move(name), word());
  }
  return headers;
}

struct SpdyWriter::Packer {
  Packer() {
    const std::string words = detail::spdy_dictionary();
    if (deflateInit(&stream, Z_DEFAULT_COMPRESSION) != Z_OK ||
        deflateSetDictionary(&stream, bytes_of(words), static_cast<uInt>(words.size())) != Z_OK) {
      throw Error("cannot begin to pack SPDY headers: out of memory");
    }
  }
  ~Packer() { deflateEnd(&stream); }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  z_stream stream = {};
};

SpdyWriter::SpdyWriter() : packer_(std::make_unique<Packer>()) {}
SpdyWriter::~SpdyWriter() = default;

std::string SpdyWriter::packed(const SpdyHeaders& headers) {
  std::string text;
  put(text, static_cast<std::uint32_t>(headers.size()));
  for (const auto& [name, value] : headers) {
    put(text, static_cast<std::uint32_t>(name.size()));
    text += name;
    put(text, static_cast<std::uint32_t>(value.size()));
    text += value;
  }
  z_stream& stream = packer_->stream;
  stream.next_in = bytes_of(text);
  stream.avail_in = static_cast<uInt>(text.size());
  std::string out;
  std::array<char, 1024> buffer{};
  do {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    deflate(&stream, Z_SYNC_FLUSH);
    out.append(buffer.data(), buffer.size() - stream.avail_out);
  } while (stream.avail_out == 0);
  return out;
}

std::string SpdyWriter::syn_stream(std::uint32_t stream, const SpdyHeaders& headers, bool last) {
  std::string body;
  put(body, stream);
  put(body, 0);
  put(body, 0, 2);
  return control(kSynStream, last ? kLast : 0, body + packed(headers));
}

std::string SpdyWriter::syn_reply(std::uint32_t stream, const SpdyHeaders& headers) {
  std::string body;
  put(body, stream);
  return control(kSynReply, 0, body + packed(headers));
}

std::string SpdyWriter::data(std::uint32_t stream, std::string_view bytes, bool last) {
  std::string frame;
  put(frame, stream & 0x7fffffffU);
  put(frame, last ? kLast : 0, 1);
  put(frame, static_cast<std::uint32_t>(bytes.size()), 3);
  frame += bytes;
  return frame;
}

std::string SpdyWriter::reset(std::uint32_t stream, std::uint32_t status) {
  std::string body;
  put(body, stream);
  put(body, status);
  return control(kReset, 0, body);
}

std::string SpdyWriter::ping(std::uint32_t number) {
  std::string body;
  put(body, number);
  return control(kPing, 0, body);
}

std::string SpdyWriter::go_away(std::uint32_t last_stream) {
  std::string body;
  put(body, last_stream);
  put(body, 0);
  return control(kGoAway, 0, body);
}

}  // namespace flyball::net
