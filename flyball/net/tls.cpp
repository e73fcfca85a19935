#include "flyball/net/tls.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include <openssl/ssl.h>
#include <sys/stat.h>

#include "flyball/net/detail/openssl.hpp"
#include "flyball/net/detail/tls_stream.hpp"

namespace flyball::net {
namespace detail {
namespace {

// Changes whenever the file is replaced or written; Kubernetes swaps a link, which changes the inode.
std::string stamp_of(const std::string& path) {
  struct stat info{};
  if (path.empty() || ::stat(path.c_str(), &info) != 0) return {};
  std::string stamp;
  for (const auto part :
       {static_cast<std::int64_t>(info.st_mtim.tv_sec), static_cast<std::int64_t>(info.st_mtim.tv_nsec),
        static_cast<std::int64_t>(info.st_size), static_cast<std::int64_t>(info.st_ino)}) {
    stamp += std::to_string(part) + " ";
  }
  return stamp;
}

std::string content_of(const std::string& path) {
  if (path.empty()) return {};
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) {
    throw InputError({}, path, std::string("cannot read the file: ") + std::generic_category().message(errno));
  }
  return text.str();
}

}  // namespace

TlsContext::TlsContext(std::vector<std::string> paths, Logger log, Make make, bool later)
    : paths_(std::move(paths)), log_(std::move(log)), make_(std::move(make)) {
  for (const std::string& path : paths_) {
    stamps_.push_back(stamp_of(path));
    contents_.push_back(content_of(path));
  }
  if (!later) context_ = make_(contents_);
}

std::shared_ptr<SSL_CTX> TlsContext::current() {
  MutexLock lock(mutex_);
  refresh();
  if (context_ == nullptr) context_ = make_(contents_);
  return context_;
}

std::uint64_t TlsContext::generation() {
  MutexLock lock(mutex_);
  refresh();
  return generation_;
}

void TlsContext::refresh() {
  std::vector<std::string> stamps;
  stamps.reserve(paths_.size());
  for (const std::string& path : paths_) stamps.push_back(stamp_of(path));
  if (stamps == stamps_) return;
  try {
    Contents contents;
    for (const std::string& path : paths_) contents.push_back(content_of(path));
    if (contents != contents_) {
      context_ = make_(contents);
      contents_ = std::move(contents);
      ++generation_;
      log_.info("took over changed certificate files");
    }
    stamps_ = std::move(stamps);
  } catch (const Error& error) {
    // The stamps stay old: the next handshake tries again.
    log_.warn("changed certificate files cannot be used; what was read before stays in force", "error", error.what());
  }
}

namespace {

std::shared_ptr<SSL_CTX> make_context(const SSL_METHOD* method) {
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(method), OpensslFree());
  if (context == nullptr) throw NetError(NetError::Kind::kTls, "cannot begin TLS: " + openssl_error());
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_mode(context.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context.get(), 0);
  return context;
}

void trust(SSL_CTX* context, const std::string& pem, const std::string& what) {
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  for (const auto& certificate : certificates_from_pem(pem, what)) X509_STORE_add_cert(store, certificate.get());
}

void identify(SSL_CTX* context, const std::string& certificate_pem, const Secret& key_pem, const std::string& whose) {
  const auto chain = certificates_from_pem(certificate_pem, "the " + whose + " certificate");
  const auto key = key_from_pem(key_pem, "the " + whose + " key");
  if (SSL_CTX_use_certificate(context, chain.front().get()) != 1) {
    throw InputError({}, "the " + whose + " certificate", "it cannot be used: " + openssl_error());
  }
  for (std::size_t i = 1; i < chain.size(); ++i) SSL_CTX_add1_chain_cert(context, chain[i].get());
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) {
    throw InputError({}, "the " + whose + " key", "it does not belong to the certificate: " + openssl_error());
  }
}

// The only protocol we speak, in the wire form of ALPN.
constexpr unsigned char kAlpn[] = "\x08http/1.1";

int select_alpn(SSL*, const unsigned char** out, unsigned char* out_size, const unsigned char* in, unsigned in_size,
                void*) {
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, out_size, kAlpn, sizeof kAlpn - 1, in, in_size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

const std::string& either(const std::string& text, const std::string& content) { return text.empty() ? content : text; }

std::unique_ptr<Layer> layer_of(std::unique_ptr<Stream> plain) {
  auto* layer = dynamic_cast<Layer*>(plain.get());
  if (layer == nullptr) throw NetError(NetError::Kind::kTls, plain->peer() + ": TLS needs a TCP or a TLS stream");
  static_cast<void>(plain.release());
  return std::unique_ptr<Layer>(layer);
}

std::shared_ptr<SSL_CTX> client_context(const TlsClientOptions& options, const TlsContext::Contents& files) {
  auto context = make_context(TLS_client_method());
  SSL_CTX_set_alpn_protos(context.get(), kAlpn, sizeof kAlpn - 1);
  const std::string& ca = either(options.ca, files[0]);
  if (!ca.empty() || !options.ca_file.empty()) {
    trust(context.get(), ca, options.ca_file.empty() ? "the CA certificates" : options.ca_file);
  } else if (!options.insecure) {
    SSL_CTX_set_default_verify_paths(context.get());
  }
  const std::string& certificate = either(options.certificate, files[1]);
  const Secret key = options.key.empty() ? Secret(files[2]) : options.key;
  if (!certificate.empty() || !key.empty()) identify(context.get(), certificate, key, "client");
  SSL_CTX_set_verify(context.get(), options.insecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER,
                     options.insecure ? nullptr : explain_certificate);
  return context;
}

std::shared_ptr<SSL_CTX> server_context(const TlsServerOptions& options, const TlsContext::Contents& files) {
  auto context = make_context(TLS_server_method());
  SSL_CTX_set_alpn_select_cb(context.get(), select_alpn, nullptr);
  identify(context.get(), either(options.certificate, files[0]), options.key.empty() ? Secret(files[1]) : options.key,
           "server");
  const std::string& ca = either(options.client_ca, files[2]);
  if (ca.empty() && !options.require_client_certificate) return context;
  trust(context.get(), ca, "the CA certificates of clients");
  for (const auto& certificate : certificates_from_pem(ca, "the CA certificates of clients")) {
    SSL_CTX_add_client_CA(context.get(), certificate.get());
  }
  const int required = options.require_client_certificate ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0;
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | required, explain_certificate);
  return context;
}

}  // namespace
}  // namespace detail

TlsClient::TlsClient(Clock& clock, TlsClientOptions options)
    : clock_(clock),
      options_(std::move(options)),
      context_(
          {options_.ca_file, options_.certificate_file, options_.key_file}, options_.log,
          [this](const detail::TlsContext::Contents& files) { return detail::client_context(options_, files); },
          // Reading the system's roots takes 50 ms, for nothing in a client that never speaks TLS.
          options_.ca.empty() && options_.ca_file.empty() && options_.certificate.empty() &&
              options_.certificate_file.empty()) {}

std::unique_ptr<Stream> TlsClient::connect(std::unique_ptr<Stream> plain, const std::string& host, const Stop& stop) {
  const std::string& name = options_.server_name.empty() ? host : options_.server_name;
  auto stream = std::make_unique<detail::TlsStream>(clock_, context_.current(), detail::layer_of(std::move(plain)),
                                                    options_.insecure ? std::string() : name);
  stream->connect(name, stop);
  return stream;
}

TlsServer::TlsServer(Clock& clock, TlsServerOptions options)
    : clock_(clock),
      options_(std::move(options)),
      context_({options_.certificate_file, options_.key_file, options_.client_ca_file}, options_.log,
               [this](const detail::TlsContext::Contents& files) { return detail::server_context(options_, files); }) {}

std::unique_ptr<Stream> TlsServer::accept(std::unique_ptr<Stream> plain, const Stop& stop) {
  auto stream = std::make_unique<detail::TlsStream>(clock_, context_.current(), detail::layer_of(std::move(plain)),
                                                    std::string());
  stream->accept(stop);
  return stream;
}

}  // namespace flyball::net
