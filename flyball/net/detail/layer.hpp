// What TLS can be put over: a stream that can also be asked not to wait. TCP is one, and TLS itself, for a proxy that
// is reached over TLS.
#pragma once

#include <span>
#include <string_view>

#include <sys/types.h>

#include "flyball/net/stream.hpp"

namespace flyball::net::detail {

// Who waits: the thread that reads or the one that writes. TLS may have to wait for the other direction.
enum class Side { kReader, kWriter };

class Layer : public Stream {
 public:
  // One attempt that does not wait: bytes, 0 at the end, or -1 with errno; EAGAIN: wait first.
  virtual ssize_t try_read(std::span<char> into) noexcept = 0;
  virtual ssize_t try_write(std::string_view bytes) noexcept = 0;
  // Waits for progress. Throws Stopped, or NetError after the idle timeout.
  virtual void wait(Side side, short events, const Stop& stop) = 0;
  // Throws the error in errno, as one that names the peer.
  virtual void fail(const char* what) const = 0;
};

}  // namespace flyball::net::detail
