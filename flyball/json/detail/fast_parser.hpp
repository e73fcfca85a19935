// The parser for text that is right. Private to the room.
//
// It knows the grammar and nothing of errors: whatever it does not expect makes it give up, and json::parse then asks
// the Reader, which finds the same mistake and explains it. Four of five cycles of a careful parser go into keeping
// what an error message would need; this one keeps two pointers.
#pragma once

#include <string_view>

#include "flyball/json/builder.hpp"
#include "flyball/json/reader.hpp"

namespace flyball::json {

class FastParser {
 public:
  // Appends the value to the empty builder, which is good only when this returns true.
  static bool parse(std::string_view text, const Limits& limits, Builder& to);
};

}  // namespace flyball::json
