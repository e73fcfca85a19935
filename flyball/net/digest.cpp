#include "flyball/net/digest.hpp"

#include <array>

#include <openssl/evp.h>

#include "flyball/base/error.hpp"

namespace flyball::net {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw Error("OpenSSL cannot compute SHA-256");
  }
  return {digest.begin(), digest.begin() + size};
}

}  // namespace flyball::net
