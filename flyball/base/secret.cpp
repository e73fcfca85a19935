#include "flyball/base/secret.hpp"

namespace flyball {
namespace {

constexpr std::string_view kSecretWords[] = {"token",  "password",   "passwd", "passphrase", "secret", "credential",
                                             "cookie", "privatekey", "apikey", "accesskey",  "bearer", "authorization"};
// A name that ends in one of these speaks about the secret and does not hold it.
constexpr std::string_view kHarmlessEnds[] = {"name", "names",   "namespace", "ref", "refs",    "count", "kind",
                                              "type", "version", "expires",   "age", "reviews", "review"};

// "api_key", "api-key" and "apiKey" are one word.
std::string fold(std::string_view name) {
  std::string folded;
  for (const char c : name) {
    if (c == '_' || c == '-' || c == '.' || c == ' ') continue;
    folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return folded;
}

}  // namespace

bool looks_secret(std::string_view field_name) {
  const std::string name = fold(field_name);
  for (const std::string_view end : kHarmlessEnds) {
    if (name.ends_with(end)) return false;
  }
  for (const std::string_view word : kSecretWords) {
    if (name.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace flyball
