// How Go reads integers and quotes strings: its messages reach our users word for word, so we need both.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flyball::kube::go {

enum class IntError : std::uint8_t { none, syntax, range };

struct ParsedInt {
  std::int64_t value = 0;  // for a range error the end of the range that was passed
  IntError error = IntError::none;
};

// As strconv.ParseInt in base 10: an optional sign, digits, nothing else.
ParsedInt parse_int64(std::string_view text);

// "invalid syntax", "value out of range".
std::string_view describe(IntError error);

// As strconv.Quote. Beyond ASCII, whatever is valid UTF-8 and neither a control, a space nor a formatting character
// is taken for printable; Go's table also leaves out code points that Unicode has not assigned yet.
std::string quote(std::string_view text);

// How many bytes the first character takes; 1 when it is not UTF-8.
std::size_t character_size(std::string_view text);

}  // namespace flyball::kube::go
