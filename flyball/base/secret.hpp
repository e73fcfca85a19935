// Secret: a text that does not print. Tokens, passwords and keys travel in it, so that no log line, error or test
// failure shows them by accident; `reveal()` is where you look in a review.
//
//   Secret token(read_token_file());
//   log.info("authenticated", "token", token);            // token=[redacted]
//   request.set_header("Authorization", "Bearer " + token.reveal());
//
// Thread-safety: a value; share it as you share strings.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace flyball {

inline constexpr std::string_view kRedacted = "[redacted]";

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}

  const std::string& reveal() const noexcept { return value_; }
  bool empty() const noexcept { return value_.empty(); }

  friend bool operator==(const Secret&, const Secret&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Secret&) { return out << kRedacted; }

 private:
  std::string value_;
};

// Whether a field of this name holds a secret, going by the name: "token", "adminPassword", "Authorization". Names that
// only speak about a secret ("secretName", "token_count") do not.
bool looks_secret(std::string_view field_name);

}  // namespace flyball
