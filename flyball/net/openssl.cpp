#include "flyball/net/detail/openssl.hpp"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "flyball/base/error.hpp"

namespace flyball::net::detail {

void OpensslFree::operator()(bio_st* bio) const noexcept { BIO_free_all(bio); }
void OpensslFree::operator()(evp_pkey_st* key) const noexcept { EVP_PKEY_free(key); }
void OpensslFree::operator()(ssl_ctx_st* context) const noexcept { SSL_CTX_free(context); }
void OpensslFree::operator()(ssl_st* ssl) const noexcept { SSL_free(ssl); }
void OpensslFree::operator()(x509_st* certificate) const noexcept { X509_free(certificate); }

std::string openssl_error() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "no reason given";
  const char* reason = ERR_reason_error_string(code);
  return reason != nullptr ? reason : "error " + std::to_string(code);
}

namespace {

Owned<BIO> text_bio(const std::string& text) {
  return Owned<BIO>(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::vector<std::string> subject_parts(const X509_NAME* name, int nid) {
  std::vector<std::string> parts;
  for (int at = X509_NAME_get_index_by_NID(name, nid, -1); at >= 0; at = X509_NAME_get_index_by_NID(name, nid, at)) {
    unsigned char* text = nullptr;
    const int length = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at)));
    if (length >= 0) parts.emplace_back(reinterpret_cast<const char*>(text), static_cast<std::size_t>(length));
    OPENSSL_free(text);
  }
  return parts;
}

std::string common_name(const X509_NAME* name) {
  const auto parts = subject_parts(name, NID_commonName);
  return parts.empty() ? "" : parts.front();
}

std::vector<std::string> subject_names(X509* certificate) {
  std::vector<std::string> names;
  auto* all = static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int i = 0; i < sk_GENERAL_NAME_num(all); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(all, i);
    if (name->type != GEN_DNS && name->type != GEN_IPADD) continue;
    const auto* value = static_cast<const ASN1_STRING*>(GENERAL_NAME_get0_value(name, nullptr));
    const unsigned char* bytes = ASN1_STRING_get0_data(value);
    const int length = ASN1_STRING_length(value);
    if (name->type == GEN_DNS) {
      names.emplace_back(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
    } else if (length == 4 || length == 16) {
      char text[INET6_ADDRSTRLEN] = "";
      ::inet_ntop(length == 4 ? AF_INET : AF_INET6, bytes, text, sizeof text);
      names.emplace_back(text);
    }
  }
  GENERAL_NAMES_free(all);
  return names;
}

WallTime wall_time(const ASN1_TIME* time) {
  std::tm parts{};
  ASN1_TIME_to_tm(time, &parts);
  return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::from_time_t(::timegm(&parts)));
}

}  // namespace

std::vector<Owned<X509>> certificates_from_pem(const std::string& pem, const std::string& what) {
  const Owned<BIO> bio = text_bio(pem);
  std::vector<Owned<X509>> found;
  while (X509* certificate = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) found.emplace_back(certificate);
  const unsigned long last = ERR_peek_last_error();
  const bool at_end = ERR_GET_LIB(last) == ERR_LIB_PEM && ERR_GET_REASON(last) == PEM_R_NO_START_LINE;
  const std::string problem = openssl_error();
  if (found.empty() && at_end) {
    throw InputError({}, what, "no certificate in it; expected PEM text with \"-----BEGIN CERTIFICATE-----\"");
  }
  if (!at_end) {
    throw InputError({}, what, "certificate " + std::to_string(found.size() + 1) + " in it cannot be read: " + problem);
  }
  return found;
}

Owned<EVP_PKEY> key_from_pem(const Secret& pem, const std::string& what) {
  const Owned<BIO> bio = text_bio(pem.reveal());
  // An empty passphrase, so that OpenSSL does not ask the terminal for one.
  char none[] = "";
  Owned<EVP_PKEY> key(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, none));
  if (key != nullptr) return key;
  throw InputError({}, what,
                   "no private key in it that can be used: " + openssl_error() +
                       "; expected PEM text with \"-----BEGIN PRIVATE KEY-----\", not encrypted");
}

CertificateFacts facts_of(X509* certificate) {
  const X509_NAME* subject = X509_get_subject_name(certificate);
  return {.common_name = common_name(subject),
          .organizations = subject_parts(subject, NID_organizationName),
          .names = subject_names(certificate),
          .issuer = common_name(X509_get_issuer_name(certificate)),
          .not_before = wall_time(X509_get0_notBefore(certificate)),
          .not_after = wall_time(X509_get0_notAfter(certificate))};
}

}  // namespace flyball::net::detail
