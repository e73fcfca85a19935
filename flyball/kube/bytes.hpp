// Bytes: any bytes at all, which JSON writes as base64. What a Secret holds.
//
//   core::Secret secret{.data = {{"password", "hunter2"}}};     // the bytes themselves, never base64
//   std::string_view password = secret.data.at("password");
//
// Thread-safety: a value.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace flyball::kube {

class Bytes {
 public:
  Bytes() = default;
  Bytes(const char* text) : bytes_(text) {}
  Bytes(std::string bytes) : bytes_(std::move(bytes)) {}
  Bytes(std::string_view bytes) : bytes_(bytes) {}

  operator std::string_view() const { return bytes_; }
  const std::string& str() const { return bytes_; }
  std::string& str() { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }

  friend bool operator==(const Bytes&, const Bytes&) = default;
  friend auto operator<=>(const Bytes&, const Bytes&) = default;

 private:
  std::string bytes_ = {};
};

// The standard alphabet with padding. Decoding refuses anything else, except for line breaks, as Go does.
std::string to_base64(std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text);

}  // namespace flyball::kube
