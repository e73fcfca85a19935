#include "flyball/kube/bytes.hpp"

#include <array>
#include <cstdint>

namespace flyball::kube {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNone = 0xff;

constexpr std::array<std::uint8_t, 256> kDigits = [] {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNone);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}();

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
  };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    const std::size_t digits = bytes.size() - i >= 3 ? 4 : bytes.size() - i + 1;
    for (std::size_t d = 0; d < 4; ++d) text += d < digits ? kAlphabet[three >> (18 - 6 * d) & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  std::size_t digits = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (c == '\r' || c == '\n') continue;
    if (c == '=') {
      ++padding;
      continue;
    }
    const std::uint8_t digit = kDigits[static_cast<unsigned char>(c)];
    if (digit == kNone || padding != 0) return std::nullopt;
    bits = bits << 6 | digit;
    if (++digits % 4 == 0) {
      bytes += static_cast<char>(bits >> 16 & 0xff);
      bytes += static_cast<char>(bits >> 8 & 0xff);
      bytes += static_cast<char>(bits & 0xff);
    }
  }
  const std::size_t rest = digits % 4;
  if (rest == 1 || (rest == 0 ? padding != 0 : padding != 4 - rest)) return std::nullopt;
  if (rest >= 2) bytes += static_cast<char>(bits >> (rest == 2 ? 4 : 10) & 0xff);
  if (rest == 3) bytes += static_cast<char>(bits >> 2 & 0xff);
  return bytes;
}

}  // namespace flyball::kube
