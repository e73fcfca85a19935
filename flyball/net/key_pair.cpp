#include "flyball/net/key_pair.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "flyball/net/detail/openssl.hpp"

namespace flyball::net {
namespace {

using detail::Owned;

struct Block {
  std::string type;
  std::string der;
};

struct OpensslText {
  void operator()(void* text) const noexcept { OPENSSL_free(text); }
};
template <class T>
using OpensslOwned = std::unique_ptr<T, OpensslText>;

std::optional<Block> read_block(BIO* bio) {
  char* name = nullptr;
  char* header = nullptr;
  unsigned char* data = nullptr;
  long size = 0;
  if (PEM_read_bio(bio, &name, &header, &data, &size) != 1) return std::nullopt;
  const OpensslOwned<char> owned_name(name);
  const OpensslOwned<char> owned_header(header);
  const OpensslOwned<unsigned char> owned_data(data);
  return Block{.type = name, .der = {reinterpret_cast<const char*>(data), static_cast<std::size_t>(size)}};
}

// What cannot be read is passed over.
std::vector<Block> blocks_of(std::string_view pem) {
  std::vector<Block> blocks;
  if (pem.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) return blocks;
  const Owned<BIO> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  for (std::size_t left = pem.size() + 1; BIO_ctrl_pending(bio.get()) < left;) {
    left = BIO_ctrl_pending(bio.get());
    if (auto block = read_block(bio.get())) blocks.push_back(std::move(*block));
  }
  ERR_clear_error();
  return blocks;
}

// As Go prints a list.
std::string types_of(const std::vector<Block>& blocks) {
  std::string text;
  for (const Block& block : blocks) text += (text.empty() ? "" : " ") + block.type;
  return "[" + text + "]";
}

bool is_key(const Block& block) { return block.type == "PRIVATE KEY" || block.type.ends_with(" PRIVATE KEY"); }

const unsigned char* start_of(const Block& block) { return reinterpret_cast<const unsigned char*>(block.der.data()); }

std::string no_certificate(const std::vector<Block>& found) {
  if (found.empty()) return "tls: failed to find any PEM data in certificate input";
  if (found.size() == 1 && found[0].type.ends_with("PRIVATE KEY")) {
    return "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may "
           "have been switched";
  }
  return "tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping PEM blocks of the "
         "following "
         "types: " +
         types_of(found);
}

std::string no_key(const std::vector<Block>& found) {
  if (found.empty()) return "tls: failed to find any PEM data in key input";
  if (found.size() == 1 && found[0].type == "CERTIFICATE") {
    return "tls: found a certificate rather than a key in the PEM for the private key";
  }
  return "tls: failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after skipping PEM blocks of "
         "the following types: " +
         types_of(found);
}

std::string mismatch(const Block& certificate_block, const Block& key_block) {
  const unsigned char* at = start_of(certificate_block);
  const Owned<X509> certificate(d2i_X509(nullptr, &at, static_cast<long>(certificate_block.der.size())));
  if (certificate == nullptr || at != start_of(certificate_block) + certificate_block.der.size()) {
    return "x509: malformed certificate";
  }
  at = start_of(key_block);
  const Owned<EVP_PKEY> key(d2i_AutoPrivateKey(nullptr, &at, static_cast<long>(key_block.der.size())));
  if (key == nullptr) return "tls: failed to parse private key";
  EVP_PKEY* its_key = X509_get0_pubkey(certificate.get());
  if (its_key == nullptr) return "tls: unknown public key algorithm";
  if (EVP_PKEY_get_base_id(its_key) != EVP_PKEY_get_base_id(key.get())) {
    return "tls: private key type does not match public key type";
  }
  return EVP_PKEY_eq(its_key, key.get()) == 1 ? "" : "tls: private key does not match public key";
}

}  // namespace

std::string key_pair_problem(std::string_view certificate, std::string_view key) {
  const std::vector<Block> certificates = blocks_of(certificate);
  const auto first = std::ranges::find(certificates, "CERTIFICATE", &Block::type);
  if (first == certificates.end()) return no_certificate(certificates);
  const std::vector<Block> keys = blocks_of(key);
  const auto found = std::ranges::find_if(keys, is_key);
  if (found == keys.end()) return no_key(keys);
  std::string problem = mismatch(*first, *found);
  ERR_clear_error();
  return problem;
}

}  // namespace flyball::net
