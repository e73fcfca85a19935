#include "flyball/net/detail/gzip.hpp"

#include <algorithm>
#include <array>

#include <zlib.h>

#include "flyball/net/http_parser.hpp"

namespace flyball::net::detail {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's way to say: gzip, largest window

// zlib's pointer is not const, but it does not write through it.
Bytef* bytes_of(std::string_view text) { return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data())); }

}  // namespace

Inflater::Inflater(std::uint64_t limit) : stream_(std::make_unique<z_stream>()), limit_(limit) {
  if (inflateInit2(stream_.get(), kGzipWindow) != Z_OK) throw Error("cannot begin to unpack gzip: out of memory");
}

Inflater::~Inflater() { inflateEnd(stream_.get()); }

void Inflater::feed(std::string_view packed, std::string& out) {
  std::array<char, 32 * 1024> buffer;  // NOLINT: filled by zlib
  stream_->next_in = bytes_of(packed);
  stream_->avail_in = static_cast<uInt>(packed.size());
  begun_ = begun_ || !packed.empty();
  while (true) {
    if (ended_) {
      if (stream_->avail_in == 0) return;
      // Another packed stream follows the first: gzip allows that.
      inflateReset(stream_.get());
      ended_ = false;
    }
    stream_->next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_->avail_out = static_cast<uInt>(buffer.size());
    const int result = inflate(stream_.get(), Z_SYNC_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      throw ProtocolError(std::string("the body is not the gzip it says it is: ") +
                          (stream_->msg != nullptr ? stream_->msg : "wrong data"));
    }
    const std::size_t got = buffer.size() - stream_->avail_out;
    if (got > limit_ - unpacked_) {
      throw ProtocolError("the body unpacks to more than the limit of " + std::to_string(limit_) + " bytes", 413);
    }
    unpacked_ += got;
    out.append(buffer.data(), got);
    ended_ = result == Z_STREAM_END;
    if (!ended_ && stream_->avail_out != 0) return;
  }
}

void Inflater::finish() const {
  if (begun_ && !ended_) throw ProtocolError("the gzip body ends in the middle");
}

std::string gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error("cannot begin to pack gzip: out of memory");
  }
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = bytes_of(text);
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace flyball::net::detail
