// Stream: bytes to and from a peer. Blocking calls that end at a stop, a deadline or after too long a silence. TCP
// (socket.hpp) and TLS (tls.hpp) are streams; everything above cannot tell which it has.
//
//   char buffer[4096];
//   while (const std::size_t n = stream.read(buffer, stop)) use({buffer, n});      // 0: the peer closed, in order
//
// A stop or a deadline throws Stopped (base); everything else that ends a connection throws NetError.
//
// Thread-safety: one thread may read while another writes (write() and close()), over TLS too; not two readers, not two
// writers. shutdown() and set_idle_timeout() from any thread; has_input_or_end() from the one that reads.
// Lifetime: the clock outlives the stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/error.hpp"
#include "flyball/base/stop.hpp"

namespace flyball::net {

// A connection could not be made or did not last. `what()` names the peer and what failed.
class NetError : public Error {
 public:
  enum class Kind {
    kLookup,   // the name has no address
    kConnect,  // refused, unreachable
    kTimeout,  // nothing came for the idle timeout
    kReset,    // the peer broke the connection off
    kTls,      // certificates, handshake
    kProxy,    // the proxy said no
    kSystem,   // the operating system did
  };
  NetError(Kind kind, const std::string& what) : Error(what), kind_(kind) {}
  Kind kind() const noexcept { return kind_; }

 private:
  Kind kind_;
};

// Who is at the other end of a TLS connection; empty on a plain one, or when no certificate was asked for or given.
struct PeerIdentity {
  std::string common_name;                 // the user, to Kubernetes
  std::vector<std::string> organizations;  // the groups
  bool verified = false;                   // by the CAs we trust for it
};

class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  virtual ~Stream() = default;

  // Waits for bytes: how many came, 0 when the peer closed.
  virtual std::size_t read(std::span<char> into, const Stop& stop) = 0;
  // Writes all of it.
  virtual void write(std::string_view bytes, const Stop& stop) = 0;
  // Ends our half: nothing more will be written. Says goodbye where the protocol has a word for it. Never throws, never
  // waits.
  virtual void close() noexcept = 0;

  // How long a read or a write may see no progress; zero (the default): for ever.
  virtual void set_idle_timeout(Duration timeout) noexcept = 0;
  // Breaks the connection off from another thread: whoever waits on it is woken.
  virtual void shutdown() noexcept = 0;
  // Whether the peer has closed, broken off or sent something nobody asked for: an idle connection like that is no
  // longer of use. Does not wait.
  virtual bool has_input_or_end() const noexcept = 0;
  // For poll().
  virtual int descriptor() const noexcept = 0;
  // "api.example.com:6443 (10.0.0.1)", for messages.
  virtual const std::string& peer() const noexcept = 0;
  virtual PeerIdentity identity() const { return {}; }
};

}  // namespace flyball::net
