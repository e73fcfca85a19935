// SigningKey: signs with ECDSA on P-256 and SHA-256, which JSON Web Tokens call ES256. A signature is the 64 bytes that
// they have: two numbers, one behind the other.
//
//   const SigningKey key = SigningKey::make();
//   const std::string signature = key.sign("header.claims");
//   verify_signature(key.public_pem(), "header.claims", signature)       // true
//
// Thread-safety: a const key may sign from any thread. Lifetime: a value.
#pragma once

#include <string>
#include <string_view>

#include "flyball/base/secret.hpp"

namespace flyball::net {

class SigningKey {
 public:
  static SigningKey make();
  // Throws InputError when the text is no private key on P-256.
  explicit SigningKey(Secret pem);

  std::string sign(std::string_view text) const;

  const std::string& public_pem() const noexcept { return public_pem_; }
  const Secret& private_pem() const noexcept { return private_pem_; }
  // The point of the public key, 32 bytes each: what a JSON Web Key says.
  const std::string& x() const noexcept { return x_; }
  const std::string& y() const noexcept { return y_; }

 private:
  Secret private_pem_;
  std::string public_pem_;
  std::string x_;
  std::string y_;
};

// False for what is no signature as well. Throws InputError when the key is none.
bool verify_signature(const std::string& public_pem, std::string_view text, std::string_view signature);

}  // namespace flyball::net
