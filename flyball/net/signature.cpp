#include "flyball/net/signature.hpp"

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "flyball/base/error.hpp"
#include "flyball/net/detail/openssl.hpp"

namespace flyball::net {
namespace {

using detail::Owned;

constexpr std::size_t kNumber = 32;

struct Free {
  void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
  void operator()(ECDSA_SIG* signature) const noexcept { ECDSA_SIG_free(signature); }
  void operator()(BIGNUM* number) const noexcept { BN_free(number); }
};
template <class T>
using Held = std::unique_ptr<T, Free>;

// False means that memory or OpenSSL's random source is out of order.
void must(bool succeeded, const char* what) {
  if (!succeeded) throw Error(std::string("cannot ") + what + ": " + detail::openssl_error());
}

std::string text_of(BIO* bio) {
  char* data = nullptr;
  const long length = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(length)};
}

std::string coordinate(EVP_PKEY* key, const char* name) {
  BIGNUM* number = nullptr;
  must(EVP_PKEY_get_bn_param(key, name, &number) == 1, "read a public key");
  const Held<BIGNUM> held(number);
  std::array<unsigned char, kNumber> bytes{};
  must(BN_bn2binpad(number, bytes.data(), static_cast<int>(bytes.size())) > 0, "read a public key");
  return {bytes.begin(), bytes.end()};
}

bool is_p256(EVP_PKEY* key) {
  std::array<char, 32> group{};
  std::size_t size = 0;
  if (EVP_PKEY_get_base_id(key) != EVP_PKEY_EC) return false;
  return EVP_PKEY_get_group_name(key, group.data(), group.size(), &size) == 1 &&
         std::string_view(group.data(), size) == "prime256v1";
}

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

// OpenSSL writes the two numbers as ASN.1, tokens do not.
std::string flat(const std::vector<unsigned char>& asn1) {
  const unsigned char* at = asn1.data();
  const Held<ECDSA_SIG> signature(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(asn1.size())));
  must(signature != nullptr, "sign");
  std::array<unsigned char, 2 * kNumber> bytes{};
  must(BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), bytes.data(), kNumber) > 0, "sign");
  must(BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), bytes.data() + kNumber, kNumber) > 0, "sign");
  return {bytes.begin(), bytes.end()};
}

std::vector<unsigned char> to_asn1(std::string_view signature) {
  const Held<ECDSA_SIG> both(ECDSA_SIG_new());
  must(both != nullptr, "check a signature");
  must(ECDSA_SIG_set0(both.get(), BN_bin2bn(bytes_of(signature), kNumber, nullptr),
                      BN_bin2bn(bytes_of(signature.substr(kNumber)), kNumber, nullptr)) == 1,
       "check a signature");
  const int size = i2d_ECDSA_SIG(both.get(), nullptr);
  must(size > 0, "check a signature");
  std::vector<unsigned char> asn1(static_cast<std::size_t>(size));
  unsigned char* to = asn1.data();
  i2d_ECDSA_SIG(both.get(), &to);
  return asn1;
}

}  // namespace

SigningKey SigningKey::make() {
  const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  must(key != nullptr, "make a key");
  const Owned<BIO> bio(BIO_new(BIO_s_mem()));
  must(PEM_write_bio_PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1, "write a key");
  return SigningKey(Secret(text_of(bio.get())));
}

SigningKey::SigningKey(Secret pem) : private_pem_(std::move(pem)) {
  const Owned<EVP_PKEY> key = detail::key_from_pem(private_pem_, "the signing key");
  if (!is_p256(key.get())) throw InputError({}, "the signing key", "is not on the curve P-256");
  const Owned<BIO> bio(BIO_new(BIO_s_mem()));
  must(PEM_write_bio_PUBKEY(bio.get(), key.get()) == 1, "write a key");
  public_pem_ = text_of(bio.get());
  x_ = coordinate(key.get(), OSSL_PKEY_PARAM_EC_PUB_X);
  y_ = coordinate(key.get(), OSSL_PKEY_PARAM_EC_PUB_Y);
}

std::string SigningKey::sign(std::string_view text) const {
  const Owned<EVP_PKEY> key = detail::key_from_pem(private_pem_, "the signing key");
  const Held<EVP_MD_CTX> context(EVP_MD_CTX_new());
  must(context != nullptr, "sign");
  must(EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1, "sign");
  std::size_t size = 0;
  must(EVP_DigestSign(context.get(), nullptr, &size, bytes_of(text), text.size()) == 1, "sign");
  std::vector<unsigned char> asn1(size);
  must(EVP_DigestSign(context.get(), asn1.data(), &size, bytes_of(text), text.size()) == 1, "sign");
  asn1.resize(size);
  return flat(asn1);
}

bool verify_signature(const std::string& public_pem, std::string_view text, std::string_view signature) {
  if (signature.size() != 2 * kNumber) return false;
  const Owned<BIO> bio(BIO_new_mem_buf(public_pem.data(), static_cast<int>(public_pem.size())));
  const Owned<EVP_PKEY> key(PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr));
  if (key == nullptr) throw InputError({}, "the public key", "is no PEM text: " + detail::openssl_error());
  const Held<EVP_MD_CTX> context(EVP_MD_CTX_new());
  must(context != nullptr, "check a signature");
  must(EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1, "check a signature");
  const std::vector<unsigned char> asn1 = to_asn1(signature);
  const bool right = EVP_DigestVerify(context.get(), asn1.data(), asn1.size(), bytes_of(text), text.size()) == 1;
  ERR_clear_error();
  return right;
}

}  // namespace flyball::net
