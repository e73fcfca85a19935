// The TLS stream: OpenSSL's state machine, driven by the waits of the stream below it. OpenSSL's object is for one
// thread at a time, so every call into it holds a lock; nobody waits for the network with it held.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "flyball/base/mutex.hpp"
#include "flyball/net/detail/layer.hpp"
#include "flyball/net/detail/openssl.hpp"

namespace flyball::net::detail {

class TlsStream final : public Layer {
 public:
  // `server_name` is what a client verifies; empty on a server and for an insecure client.
  TlsStream(Clock& clock, const std::shared_ptr<ssl_ctx_st>& context, std::unique_ptr<Layer> below,
            std::string server_name);
  ~TlsStream() override;

  void connect(const std::string& sni, const Stop& stop);
  void accept(const Stop& stop);

  std::size_t read(std::span<char> into, const Stop& stop) override;
  void write(std::string_view bytes, const Stop& stop) override;
  void close() noexcept override;
  void set_idle_timeout(Duration timeout) noexcept override { below_->set_idle_timeout(timeout); }
  void shutdown() noexcept override { below_->shutdown(); }
  bool has_input_or_end() const noexcept override;
  int descriptor() const noexcept override { return below_->descriptor(); }
  const std::string& peer() const noexcept override { return below_->peer(); }
  PeerIdentity identity() const override;

  // For TLS over this one.
  ssize_t try_read(std::span<char> into) noexcept override;
  ssize_t try_write(std::string_view bytes) noexcept override;
  void wait(Side side, short events, const Stop& stop) override;
  void fail(const char* what) const override;

  // For the callbacks OpenSSL makes, inside calls that hold the lock: the analysis cannot see through OpenSSL.
  Layer& below() noexcept { return *below_; }
  void note_end() noexcept FLYBALL_NO_THREAD_SAFETY_ANALYSIS { ended_ = true; }
  bool ended() const noexcept FLYBALL_NO_THREAD_SAFETY_ANALYSIS { return ended_; }
  void note_error(int error) noexcept FLYBALL_NO_THREAD_SAFETY_ANALYSIS { error_ = error; }
  void note_certificate_problem(int code, x509_st* certificate) FLYBALL_NO_THREAD_SAFETY_ANALYSIS;

 private:
  void handshake(const Stop& stop);
  // After a call that did not succeed: the events to wait for before it is made again, 0 at the end of the stream;
  // throws otherwise.
  short events_after(int result, const char* what) FLYBALL_REQUIRES(mutex_);
  // The outcome of one attempt for the TLS above, which cannot be thrown to: OpenSSL is in between.
  ssize_t outcome(int result, std::size_t taken, const char* what, short& wanted) noexcept FLYBALL_REQUIRES(mutex_);
  [[noreturn]] void refuse(const std::string& problem) const;

  Clock& clock_;
  const std::unique_ptr<Layer> below_;
  const std::string server_name_;

  mutable Mutex mutex_;
  const Owned<ssl_st> ssl_;                         // what it points to is guarded
  bool ended_ FLYBALL_GUARDED_BY(mutex_) = false;   // the stream below did
  bool usable_ FLYBALL_GUARDED_BY(mutex_) = false;  // the handshake is done, and nothing fatal happened since
  int error_ FLYBALL_GUARDED_BY(mutex_) = 0;        // errno of the stream below
  std::string certificate_problem_ FLYBALL_GUARDED_BY(mutex_);
  // For TLS over this one: what an attempt to read or to write waits for, and the error it ended in.
  short read_wants_ FLYBALL_GUARDED_BY(mutex_) = 0;
  short write_wants_ FLYBALL_GUARDED_BY(mutex_) = 0;
  std::exception_ptr problem_ FLYBALL_GUARDED_BY(mutex_);
};

// One method for all, made at the first use.
Owned<bio_st> make_bio(TlsStream& stream);
// The callback that explains what is wrong with a peer's certificate.
int explain_certificate(int ok, struct x509_store_ctx_st* store);

}  // namespace flyball::net::detail
