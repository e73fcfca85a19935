#include "flyball/net/detail/ahead_stream.hpp"

#include <algorithm>
#include <utility>

namespace flyball::net::detail {

AheadStream::AheadStream(std::unique_ptr<Stream> stream, std::string ahead)
    : owned_(std::move(stream)), stream_(*owned_), ahead_(std::move(ahead)) {}

AheadStream::AheadStream(Stream& stream, std::string ahead) : stream_(stream), ahead_(std::move(ahead)) {}

std::size_t AheadStream::read(std::span<char> into, const Stop& stop) {
  if (ahead_.empty()) return stream_.read(into, stop);
  stop.throw_if_stopped();
  const std::size_t n = ahead_.copy(into.data(), into.size());
  ahead_.erase(0, n);
  return n;
}

}  // namespace flyball::net::detail
