#include "flyball/image/digest.hpp"

#include "flyball/base/error.hpp"
#include "flyball/net/digest.hpp"

namespace flyball::image {
namespace {

constexpr std::string_view kPrefix = "sha256:";
constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

std::string digest_of(std::string_view bytes) {
  std::string text(kPrefix);
  for (const char byte : net::sha256(bytes)) {
    const auto number = static_cast<unsigned char>(byte);
    text += kDigits[number >> 4U];
    text += kDigits[number & 0xfU];
  }
  return text;
}

std::string hex_of(std::string_view digest) {
  const bool named = digest.starts_with(kPrefix) && digest.size() == kPrefix.size() + 64;
  const std::string_view digits = named ? digest.substr(kPrefix.size()) : "";
  if (!named || digits.find_first_not_of(kDigits) != std::string_view::npos) {
    throw InputError({}, "digest", "expected sha256: and 64 hexadecimal digits, found \"" + std::string(digest) + "\"");
  }
  return std::string(digits);
}

void check_digest(std::string_view bytes, std::string_view digest, std::string_view what) {
  hex_of(digest);
  const std::string found = digest_of(bytes);
  if (found == digest) return;
  throw Error(std::string(what) + " is damaged: its digest should be " + std::string(digest) + " and is " + found);
}

}  // namespace flyball::image
