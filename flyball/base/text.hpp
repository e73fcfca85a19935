// Small helpers for writing text that machines and people read: JSON strings, UTF-8 repair, durations, dates.
// Here because log and metrics need them and `json` is a room further on.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "flyball/base/clock.hpp"

namespace flyball {

// Appends `text` as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);

// `text` with every byte that belongs to no UTF-8 sequence replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

// Appends in the shortest form that reads back as the same number; "NaN", "+Inf" and "-Inf" for the rest.
void append_number(std::string& out, double number);

// As Go prints it: "1h2m3.5s", "1.5ms", "0s".
std::string duration_text(Duration d);

// RFC 3339 in UTC with milliseconds: "2026-01-01T00:00:00.000Z".
std::string rfc3339_millis(WallTime time);

}  // namespace flyball
