#include "corpus/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace bench {

flyball::Random random_of(std::uint64_t seed, std::uint64_t purpose, std::uint64_t number, std::uint64_t part) {
  constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15U;
  return flyball::Random((((seed * kSpread) ^ purpose) * kSpread + number) * kSpread + part);
}

std::string_view word(flyball::Random& random) {
  constexpr std::array<std::string_view, 48> kWords = {
      "checkout", "cart",    "search",  "billing", "auth",    "mail",   "ledger", "stock",   "price",   "image",
      "video",    "user",    "session", "report",  "export",  "import", "gate",   "proxy",   "queue",   "cron",
      "invoice",  "tax",     "coupon",  "review",  "rating",  "basket", "parcel", "courier", "route",   "map",
      "weather",  "metrics", "alert",   "audit",   "archive", "backup", "index",  "ranking", "profile", "avatar",
      "payment",  "refund",  "fraud",   "risk",    "notify",  "push",   "sms",    "feed"};
  return kWords.at(random.below(kWords.size()));
}

std::string hex(flyball::Random& random, std::size_t digits) {
  std::string made;
  while (made.size() < digits) {
    std::array<char, 17> piece{};
    (void)std::snprintf(piece.data(), piece.size(), "%016llx", static_cast<unsigned long long>(random.next()));
    made += piece.data();
  }
  made.resize(digits);
  return made;
}

std::string base64(flyball::Random& random, std::size_t bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string made(bytes / 3 * 4, '\0');
  std::ranges::generate(made, [&] { return kLetters[random.below(kLetters.size())]; });
  return made;
}

std::string address(flyball::Random& random, std::uint64_t first) {
  return text(first, ".", random.below(255), ".", random.below(255), ".", 1 + random.below(254));
}

std::string moment(std::uint64_t seconds) {
  // Months of 28 days: every one of them exists.
  const std::uint64_t days = seconds / 86'400;
  std::array<char, 32> made{};
  (void)std::snprintf(made.data(), made.size(), "2026-%02d-%02dT%02d:%02d:%02dZ", static_cast<int>(1 + days / 28 % 12),
                      static_cast<int>(1 + days % 28), static_cast<int>(seconds / 3600 % 24),
                      static_cast<int>(seconds / 60 % 60), static_cast<int>(seconds % 60));
  return made.data();
}

std::string stamp_annotation() { return text("\"", kStampKey, "\":\"", kNoStamp, "\","); }

}  // namespace bench
