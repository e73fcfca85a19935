// The digest of a blob, as images name things by it: "sha256:" and 64 hexadecimal digits.
//
//   digest_of("abc")                    // "sha256:ba7816bf…"
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace flyball::image {

std::string digest_of(std::string_view bytes);
// The digits alone. Throws InputError for what is not a SHA-256 digest.
std::string hex_of(std::string_view digest);
// Throws Error when the bytes are not those the digest names; `what` says what they are for.
void check_digest(std::string_view bytes, std::string_view digest, std::string_view what);

}  // namespace flyball::image
