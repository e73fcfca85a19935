// What a log field may hold, and how a C++ value becomes one. See log.hpp.
//
// Thread-safety: values and pure functions.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "flyball/base/secret.hpp"
#include "flyball/base/text.hpp"

namespace flyball {

// nullptr prints as null.
using LogValue = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string>;

struct LogField {
  std::string name;
  LogValue value;
};

// Your own types: put `std::string log_text(const Mine&)` beside them.
template <class T>
concept HasLogText = requires(const T& value) {
  { log_text(value) } -> std::convertible_to<std::string>;
};

template <class T>
inline constexpr bool kIsDuration = false;
template <class Rep, class Period>
inline constexpr bool kIsDuration<std::chrono::duration<Rep, Period>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
LogValue make_log_value(const T& value) {
  if constexpr (std::same_as<T, Secret>) {
    return std::string(kRedacted);
  } else if constexpr (HasLogText<T>) {
    return std::string(log_text(value));
  } else if constexpr (std::same_as<T, bool> || std::same_as<T, std::nullptr_t>) {
    return value;
  } else if constexpr (std::same_as<T, char>) {
    return std::string(1, value);
  } else if constexpr (std::signed_integral<T>) {
    return static_cast<std::int64_t>(value);
  } else if constexpr (std::unsigned_integral<T>) {
    return static_cast<std::uint64_t>(value);
  } else if constexpr (std::floating_point<T>) {
    return static_cast<double>(value);
  } else if constexpr (std::is_convertible_v<const T&, const char*>) {
    const char* text = value;
    return text == nullptr ? LogValue(nullptr) : LogValue(std::string(text));
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return std::string(std::string_view(value));
  } else if constexpr (kIsDuration<T>) {
    return duration_text(std::chrono::duration_cast<Duration>(value));
  } else if constexpr (std::same_as<T, WallTime>) {
    return rfc3339_millis(value);
  } else if constexpr (std::derived_from<T, std::exception>) {
    return std::string(value.what());
  } else if constexpr (kIsOptional<T>) {
    return value ? make_log_value(*value) : LogValue(nullptr);
  } else {
    static_assert(HasLogText<T>, "this type cannot be logged: give it a std::string log_text(const T&)");
    return nullptr;
  }
}

template <class T>
LogField make_log_field(std::string_view name, const T& value) {
  if (looks_secret(name)) return {std::string(name), std::string(kRedacted)};
  return {std::string(name), make_log_value(value)};
}

}  // namespace flyball
