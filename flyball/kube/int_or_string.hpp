// IntOrString: a number or a word, as in `targetPort: 80` and `targetPort: http`, `maxSurge: 1` and `maxSurge: 25%`.
//
//   .targetPort = 80                          // or "http"
//   IntOrString surge = "25%";
//   surge.scaled_value(10, Round::up);        // 3
//
// Thread-safety: a value.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace flyball::kube {

enum class Round : std::uint8_t { down, up };

class IntOrString {
 public:
  IntOrString() = default;  // the number 0

  // Implicit, for initialisers. A number must fit an int32: InputError otherwise.
  template <std::integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, char>)
  IntOrString(T number) : number_(checked(std::in_range<std::int32_t>(number), number)) {}
  IntOrString(const char* word) : word_(word), is_string_(true) {}
  IntOrString(std::string_view word) : word_(word), is_string_(true) {}
  IntOrString(std::string word) : word_(std::move(word)), is_string_(true) {}

  // A text that may be a number, as from a flag: "80" becomes the number, "http" stays a word.
  static IntOrString parse(std::string_view text);

  bool is_string() const { return is_string_; }
  bool is_int() const { return !is_string_; }

  // The word, empty for a number; the number, 0 for a word.
  const std::string& as_string() const { return word_; }
  std::int32_t as_int() const { return number_; }

  // What it reads as, whichever it is: the word or the digits; the number or the word read as one (0 if it is none).
  std::string to_string() const;
  std::int64_t int_value() const;

  // The number itself, or that percentage of `total`. Throws InputError for a word that is not a percentage.
  std::int64_t scaled_value(std::int64_t total, Round round) const;

  friend bool operator==(const IntOrString&, const IntOrString&) = default;
  friend std::strong_ordering operator<=>(const IntOrString&, const IntOrString&) = default;

 private:
  template <class T>
  static std::int32_t checked(bool fits, T number) {
    if (!fits) refuse(std::to_string(number));
    return static_cast<std::int32_t>(number);
  }
  [[noreturn]] static void refuse(const std::string& number);

  std::string word_ = {};
  std::int32_t number_ = 0;
  bool is_string_ = false;
};

}  // namespace flyball::kube

namespace flyball {
using kube::IntOrString;
}
