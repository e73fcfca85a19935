#include "flyball/net/certificate.hpp"

#include <array>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "flyball/base/error.hpp"
#include "flyball/net/detail/openssl.hpp"

namespace flyball::net {
namespace {

using detail::certificates_from_pem;
using detail::key_from_pem;
using detail::Owned;

// OpenSSL says 1 for success; anything else here means that memory or its random source is out of order.
void must(bool succeeded, const char* what) {
  if (!succeeded) throw Error(std::string("cannot make a certificate: ") + what + ": " + detail::openssl_error());
}

std::string text_of(BIO* bio) {
  char* data = nullptr;
  const long length = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(length)};
}

void set_serial(X509* certificate) {
  std::array<unsigned char, 16> bytes{};
  must(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1, "serial number");
  bytes[0] &= 0x7f;  // serial numbers are positive
  BIGNUM* number = BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr);
  const bool set = number != nullptr && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nullptr;
  BN_free(number);
  must(set, "serial number");
}

void set_time(ASN1_TIME* field, WallTime time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
  must(ASN1_TIME_set(field, static_cast<std::time_t>(seconds)) != nullptr, "validity");
}

void add_name(X509_NAME* subject, const char* field, const std::string& value) {
  if (value.empty()) return;
  const auto* bytes = reinterpret_cast<const unsigned char*>(value.data());
  const bool added =
      X509_NAME_add_entry_by_txt(subject, field, MBSTRING_UTF8, bytes, static_cast<int>(value.size()), -1, 0) == 1;
  if (!added) {
    throw InputError({}, field,
                     "\"" + value + "\" cannot stand in a certificate: " + detail::openssl_error() +
                         "; it is UTF-8 and has at most 64 characters");
  }
}

void add_extension(X509* certificate, X509* issuer, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value);
  const bool added = extension != nullptr && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  must(added, value);
}

// Built as objects and not as "DNS:a,DNS:b" text, where a comma in a name would add another one.
void add_subject_names(X509* certificate, const std::vector<std::string>& names) {
  if (names.empty()) return;
  GENERAL_NAMES* all = GENERAL_NAMES_new();
  for (const std::string& name : names) {
    std::array<unsigned char, 16> address{};
    const int address_size = ::inet_pton(AF_INET, name.c_str(), address.data()) == 1    ? 4
                             : ::inet_pton(AF_INET6, name.c_str(), address.data()) == 1 ? 16
                                                                                        : 0;
    const bool is_ip = address_size > 0;
    ASN1_STRING* value = is_ip ? ASN1_OCTET_STRING_new() : ASN1_IA5STRING_new();
    ASN1_STRING_set(value, is_ip ? reinterpret_cast<const char*>(address.data()) : name.data(),
                    is_ip ? address_size : static_cast<int>(name.size()));
    GENERAL_NAME* entry = GENERAL_NAME_new();
    GENERAL_NAME_set0_value(entry, is_ip ? GEN_IPADD : GEN_DNS, value);
    sk_GENERAL_NAME_push(all, entry);
  }
  const bool added = X509_add1_ext_i2d(certificate, NID_subject_alt_name, all, 0, X509V3_ADD_DEFAULT) == 1;
  GENERAL_NAMES_free(all);
  must(added, "names");
}

void add_usage(X509* certificate, X509* issuer, const CertificateOptions& options, bool authority) {
  add_extension(certificate, issuer, NID_basic_constraints, authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
  add_extension(certificate, issuer, NID_key_usage,
                authority ? "critical,keyCertSign,cRLSign,digitalSignature" : "critical,digitalSignature");
  add_extension(certificate, issuer, NID_subject_key_identifier, "hash");
  if (authority) return;
  add_extension(certificate, issuer, NID_authority_key_identifier, "keyid");
  const char* use = options.server && options.client ? "serverAuth,clientAuth"
                    : options.server                 ? "serverAuth"
                                                     : "clientAuth";
  if (options.server || options.client) add_extension(certificate, issuer, NID_ext_key_usage, use);
}

// Signed by `issuer`; by itself when that is null.
KeyPair make_pair_signed(const CertificateOptions& options, X509* issuer, EVP_PKEY* issuer_key) {
  const bool authority = issuer == nullptr;
  const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  must(key != nullptr, "key");
  const Owned<X509> certificate(X509_new());
  must(certificate != nullptr && X509_set_version(certificate.get(), X509_VERSION_3) == 1, "certificate");
  set_serial(certificate.get());
  set_time(X509_getm_notBefore(certificate.get()), options.from - std::chrono::hours(1));
  set_time(X509_getm_notAfter(certificate.get()), options.from + options.valid_for);
  X509_NAME* subject = X509_get_subject_name(certificate.get());
  for (const std::string& organization : options.organizations) add_name(subject, "O", organization);
  add_name(subject, "CN", options.common_name);
  X509* signer = authority ? certificate.get() : issuer;
  must(X509_set_issuer_name(certificate.get(), X509_get_subject_name(signer)) == 1, "issuer");
  must(X509_set_pubkey(certificate.get(), key.get()) == 1, "key");
  add_usage(certificate.get(), signer, options, authority);
  add_subject_names(certificate.get(), options.names);
  must(X509_sign(certificate.get(), authority ? key.get() : issuer_key, EVP_sha256()) > 0, "signature");

  const Owned<BIO> certificate_text(BIO_new(BIO_s_mem()));
  const Owned<BIO> key_text(BIO_new(BIO_s_mem()));
  must(PEM_write_bio_X509(certificate_text.get(), certificate.get()) == 1, "PEM text");
  must(PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1, "PEM text");
  return {text_of(certificate_text.get()), Secret(text_of(key_text.get()))};
}

}  // namespace

CertificateAuthority CertificateAuthority::make(const CertificateOptions& options) {
  return CertificateAuthority(make_pair_signed(options, nullptr, nullptr));
}

CertificateAuthority::CertificateAuthority(KeyPair pair) : pair_(std::move(pair)) {
  const auto certificates = certificates_from_pem(pair_.certificate, "the authority's certificate");
  const auto key = key_from_pem(pair_.key, "the authority's key");
  if (X509_check_private_key(certificates.front().get(), key.get()) != 1) {
    throw InputError({}, "the authority's key",
                     "it does not belong to the certificate; give the two that were made together");
  }
}

KeyPair CertificateAuthority::issue(const CertificateOptions& options) const {
  const auto certificates = certificates_from_pem(pair_.certificate, "the authority's certificate");
  const auto key = key_from_pem(pair_.key, "the authority's key");
  return make_pair_signed(options, certificates.front().get(), key.get());
}

CertificateFacts read_certificate(const std::string& pem) {
  return detail::facts_of(certificates_from_pem(pem, "certificate").front().get());
}

}  // namespace flyball::net
