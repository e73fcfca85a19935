#include "flyball/net/detail/tls_stream.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>

#include "flyball/base/text.hpp"

namespace flyball::net::detail {
namespace {

TlsStream& stream_of(BIO* bio) { return *static_cast<TlsStream*>(BIO_get_data(bio)); }

// The error is noted also when there is none: ThreadSanitizer does not see into OpenSSL, but it sees two threads write
// this without the lock.
bool must_wait(TlsStream& stream, ssize_t result) {
  const bool wait = result < 0 && errno == EAGAIN;
  stream.note_error(result < 0 && !wait ? errno : 0);
  return wait;
}

int bio_read(BIO* bio, char* into, int size) {
  BIO_clear_retry_flags(bio);
  TlsStream& stream = stream_of(bio);
  const ssize_t n = stream.below().try_read({into, static_cast<std::size_t>(size)});
  if (n == 0) stream.note_end();
  if (must_wait(stream, n)) BIO_set_retry_read(bio);
  return static_cast<int>(n);
}

int bio_write(BIO* bio, const char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  TlsStream& stream = stream_of(bio);
  const ssize_t n = stream.below().try_write({bytes, static_cast<std::size_t>(size)});
  if (must_wait(stream, n)) BIO_set_retry_write(bio);
  return static_cast<int>(n);
}

long bio_control(BIO* bio, int command, long, void*) {
  if (command == BIO_CTRL_FLUSH) return 1;
  if (command == BIO_CTRL_EOF) return stream_of(bio).ended() ? 1 : 0;
  return 0;
}

struct BioMethod {
  BioMethod() : method(BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "flyball tcp")) {
    BIO_meth_set_read(method, bio_read);
    BIO_meth_set_write(method, bio_write);
    BIO_meth_set_ctrl(method, bio_control);
  }
  ~BioMethod() { BIO_meth_free(method); }
  BioMethod(const BioMethod&) = delete;
  BioMethod& operator=(const BioMethod&) = delete;
  BIO_METHOD* method;
};

bool is_ip(const std::string& host) {
  in6_addr address{};
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 || ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

}  // namespace

Owned<BIO> make_bio(TlsStream& stream) {
  static const BioMethod method;  // never changes; OpenSSL wants it as long as any BIO lives
  Owned<BIO> bio(BIO_new(method.method));
  BIO_set_data(bio.get(), &stream);
  BIO_set_init(bio.get(), 1);
  return bio;
}

int explain_certificate(int ok, X509_STORE_CTX* store) {
  if (ok == 1) return ok;
  auto* ssl = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto* stream = static_cast<TlsStream*>(SSL_get_app_data(ssl));
  stream->note_certificate_problem(X509_STORE_CTX_get_error(store), X509_STORE_CTX_get_current_cert(store));
  return ok;
}

TlsStream::TlsStream(Clock& clock, const std::shared_ptr<SSL_CTX>& context, std::unique_ptr<Layer> below,
                     std::string server_name)
    : clock_(clock), below_(std::move(below)), server_name_(std::move(server_name)), ssl_(SSL_new(context.get())) {
  if (ssl_ == nullptr) throw NetError(NetError::Kind::kTls, peer() + ": cannot begin TLS: " + openssl_error());
  BIO* bio = make_bio(*this).release();
  SSL_set_bio(ssl_.get(), bio, bio);
  SSL_set_app_data(ssl_.get(), this);
  X509_VERIFY_PARAM* verify = SSL_get0_param(ssl_.get());
  X509_VERIFY_PARAM_set_time(verify,
                             std::chrono::system_clock::to_time_t(
                                 std::chrono::time_point_cast<std::chrono::system_clock::duration>(clock_.wall_now())));
  if (server_name_.empty()) return;
  X509_VERIFY_PARAM_set_hostflags(verify, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  const int set = is_ip(server_name_) ? X509_VERIFY_PARAM_set1_ip_asc(verify, server_name_.c_str())
                                      : X509_VERIFY_PARAM_set1_host(verify, server_name_.c_str(), server_name_.size());
  if (set != 1) refuse("\"" + server_name_ + "\" is no name a certificate can have");
}

TlsStream::~TlsStream() = default;

void TlsStream::connect(const std::string& sni, const Stop& stop) {
  if (!sni.empty() && !is_ip(sni)) {
    // The macro for this has a cast we do not let pass; the call takes the name as const.
    SSL_ctrl(ssl_.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, const_cast<char*>(sni.c_str()));
  }
  SSL_set_connect_state(ssl_.get());
  handshake(stop);
}

void TlsStream::accept(const Stop& stop) {
  SSL_set_accept_state(ssl_.get());
  handshake(stop);
}

void TlsStream::handshake(const Stop& stop) {
  while (true) {
    stop.throw_if_stopped();
    MutexLock lock(mutex_);
    ERR_clear_error();
    const int result = SSL_do_handshake(ssl_.get());
    usable_ = result == 1;
    if (usable_) return;
    const short events = events_after(result, "the TLS handshake");
    lock.unlock();
    if (events == 0) refuse("the peer closed the connection during the TLS handshake");
    below_->wait(Side::kReader, events, stop);
  }
}

std::size_t TlsStream::read(std::span<char> into, const Stop& stop) {
  while (true) {
    stop.throw_if_stopped();
    MutexLock lock(mutex_);
    ERR_clear_error();
    std::size_t taken = 0;
    const int result = SSL_read_ex(ssl_.get(), into.data(), into.size(), &taken);
    if (result == 1) return taken;
    const short events = events_after(result, "reading");
    lock.unlock();
    if (events == 0) return 0;
    below_->wait(Side::kReader, events, stop);
  }
}

void TlsStream::write(std::string_view bytes, const Stop& stop) {
  while (!bytes.empty()) {
    stop.throw_if_stopped();
    MutexLock lock(mutex_);
    ERR_clear_error();
    std::size_t taken = 0;
    const int result = SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &taken);
    if (result == 1) {
      bytes.remove_prefix(taken);
      continue;
    }
    const short events = events_after(result, "writing");
    lock.unlock();
    if (events == 0) throw NetError(NetError::Kind::kReset, peer() + ": the peer has closed the connection");
    below_->wait(Side::kWriter, events, stop);
  }
}

ssize_t TlsStream::try_read(std::span<char> into) noexcept {
  MutexLock lock(mutex_);
  ERR_clear_error();
  std::size_t taken = 0;
  const int result = SSL_read_ex(ssl_.get(), into.data(), into.size(), &taken);
  return outcome(result, taken, "reading", read_wants_);
}

ssize_t TlsStream::try_write(std::string_view bytes) noexcept {
  MutexLock lock(mutex_);
  ERR_clear_error();
  std::size_t taken = 0;
  const int result = SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &taken);
  return outcome(result, taken, "writing", write_wants_);
}

ssize_t TlsStream::outcome(int result, std::size_t taken, const char* what, short& wanted) noexcept {
  if (result == 1) return static_cast<ssize_t>(taken);
  try {
    wanted = events_after(result, what);
    if (wanted == 0) return 0;
    errno = EAGAIN;
  } catch (...) {
    problem_ = std::current_exception();
    errno = EIO;
  }
  return -1;
}

void TlsStream::wait(Side side, short events, const Stop& stop) {
  MutexLock lock(mutex_);
  const short wanted = (events & POLLIN) != 0 ? read_wants_ : write_wants_;
  lock.unlock();
  below_->wait(side, wanted != 0 ? wanted : events, stop);
}

void TlsStream::fail(const char* what) const {
  const int error = errno;
  MutexLock lock(mutex_);
  if (problem_) std::rethrow_exception(problem_);
  errno = error;
  below_->fail(what);
}

short TlsStream::events_after(int result, const char* what) {
  const int error = SSL_get_error(ssl_.get(), result);
  if (error == SSL_ERROR_WANT_READ) return POLLIN;
  if (error == SSL_ERROR_WANT_WRITE) return POLLOUT;
  if (error == SSL_ERROR_ZERO_RETURN) return 0;
  const bool established = std::exchange(usable_, false);
  if (ended_ && !established) return 0;
  if (ended_) {
    throw NetError(NetError::Kind::kReset,
                   peer() + ": the connection ended without a TLS goodbye; what came may be cut off");
  }
  if (error == SSL_ERROR_SYSCALL || error_ != 0) {
    errno = error_;
    below_->fail(what);
  }
  if (!certificate_problem_.empty()) refuse(certificate_problem_);
  const std::string reason = openssl_error();
  if (reason == "wrong version number" || reason == "http request" || reason == "packet length too long") {
    refuse("the peer does not speak TLS on this port; check https:// against http://");
  }
  refuse(std::string(what) + " failed: " + reason);
}

void TlsStream::refuse(const std::string& problem) const {
  ERR_clear_error();
  throw NetError(NetError::Kind::kTls, peer() + ": " + problem);
}

void TlsStream::note_certificate_problem(int code, X509* certificate) {
  if (!certificate_problem_.empty()) return;
  const CertificateFacts facts = certificate == nullptr ? CertificateFacts{} : facts_of(certificate);
  std::string& text = certificate_problem_;
  text = "the peer's certificate";
  if (!facts.common_name.empty()) text += " \"" + facts.common_name + "\"";
  switch (code) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      text += " is not for " + server_name_ +
              "; it is for: " + (facts.names.empty() ? "no name at all" : joined(facts.names));
      text += ". Use one of these, or set the server name to one of them";
      return;
    case X509_V_ERR_CERT_HAS_EXPIRED:
      text += " expired at " + rfc3339_millis(facts.not_after) + " and it is " + rfc3339_millis(clock_.wall_now()) +
              " here; renew it, or mend this machine's clock";
      return;
    case X509_V_ERR_CERT_NOT_YET_VALID:
      text += " is valid only from " + rfc3339_millis(facts.not_before) + " and it is " +
              rfc3339_millis(clock_.wall_now()) + " here; is this machine's clock right?";
      return;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
      text += " was issued by \"" + facts.issuer + "\", which is not among the CAs we trust; give its CA certificate";
      return;
    default: text += std::string(" was refused: ") + X509_verify_cert_error_string(code);
  }
}

void TlsStream::close() noexcept {
  MutexLock lock(mutex_);
  if (usable_) {
    ERR_clear_error();
    SSL_shutdown(ssl_.get());
    ERR_clear_error();
  }
  below_->close();
}

// After the handshake a server sends session tickets: bytes that mean nothing. Peeking lets OpenSSL take them.
bool TlsStream::has_input_or_end() const noexcept {
  MutexLock lock(mutex_);
  if (!below_->has_input_or_end() && SSL_pending(ssl_.get()) == 0) return false;
  char byte = 0;
  std::size_t taken = 0;
  ERR_clear_error();
  const int result = SSL_peek_ex(ssl_.get(), &byte, 1, &taken);
  const bool nothing = result != 1 && SSL_get_error(ssl_.get(), result) == SSL_ERROR_WANT_READ;
  ERR_clear_error();
  return !nothing;
}

PeerIdentity TlsStream::identity() const {
  MutexLock lock(mutex_);
  const Owned<X509> certificate(SSL_get1_peer_certificate(ssl_.get()));
  if (certificate == nullptr) return {};
  const CertificateFacts facts = facts_of(certificate.get());
  const bool asked = SSL_get_verify_mode(ssl_.get()) != SSL_VERIFY_NONE;
  return {.common_name = facts.common_name,
          .organizations = facts.organizations,
          .verified = asked && SSL_get_verify_result(ssl_.get()) == X509_V_OK};
}

}  // namespace flyball::net::detail
