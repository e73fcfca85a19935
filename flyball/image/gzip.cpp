#include "flyball/image/gzip.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <zlib.h>

#include "flyball/base/error.hpp"

namespace flyball::image {
namespace {

constexpr int kGzipWindow = MAX_WBITS + 16;
constexpr std::size_t kPiece = std::size_t{64} << 10U;
constexpr std::size_t kMost = std::numeric_limits<uInt>::max();

Bytef* bytes_of(std::string_view text) {
  // zlib's interface knows no const; it does not write there.
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
}

void offer(z_stream& stream, std::string_view& rest) {
  if (stream.avail_in != 0 || rest.empty()) return;
  const std::size_t count = std::min(rest.size(), kMost);
  stream.next_in = bytes_of(rest);
  stream.avail_in = static_cast<uInt>(count);
  rest.remove_prefix(count);
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error("cannot begin to pack gzip: out of memory");
  }
  std::string out;
  std::array<char, kPiece> piece{};
  int result = Z_OK;
  while (result != Z_STREAM_END) {
    offer(stream, bytes);
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    result = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

std::string gunzip(std::string_view packed, std::size_t limit) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw Error("cannot begin to unpack gzip: out of memory");
  struct End {
    z_stream& stream;
    ~End() { inflateEnd(&stream); }
  } const end{stream};
  std::string out;
  std::array<char, kPiece> piece{};
  while (true) {
    offer(stream, packed);
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    const int result = inflate(&stream, Z_NO_FLUSH);
    if (result == Z_BUF_ERROR) throw Error("the gzip stream ends in the middle");
    if (result != Z_OK && result != Z_STREAM_END) throw Error("this is not gzip, or it is damaged");
    const std::size_t got = piece.size() - stream.avail_out;
    if (got > limit - out.size()) throw Error("it unpacks to more than " + std::to_string(limit) + " bytes");
    out.append(piece.data(), got);
    if (result != Z_STREAM_END) continue;
    if (stream.avail_in == 0 && packed.empty()) return out;
    inflateReset(&stream);
  }
}

}  // namespace flyball::image
