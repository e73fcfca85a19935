// What an unquoted YAML scalar stands for, as goyaml v2 decides it. Private to the room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace flyball::json::yaml {

enum class Tag : std::uint8_t {
  none,    // plain text without a tag: the text decides
  string,  // quoted, or !!str
  boolean,
  integer,
  floating,
  null,
  timestamp,
  binary,
  merge,
  other,  // any tag we do not know: the text is a string
};

// "!!int" for Tag::integer, and so on.
std::string_view tag_name(Tag tag);

// The Tag of a tag in its long form, `tag:yaml.org,2002:int`.
Tag tag_of(std::string_view long_tag);

struct Scalar {
  Tag tag = Tag::string;  // string, boolean, integer, floating, null or timestamp
  bool boolean = false;
  bool is_unsigned = false;  // an integer beyond int64: `floating` holds it
  std::int64_t integer = 0;
  double floating = 0;  // may be infinite or NaN
};

// What plain text stands for.
Scalar resolve(std::string_view text);

// The same under an explicit tag. Nothing when the text cannot be that; `found` then tells what it is.
std::optional<Scalar> resolve_tagged(Tag tag, std::string_view text, Tag& found);

// A float as Kubernetes sees it after YAML became JSON: an integer when the JSON text would be one that fits.
std::optional<std::int64_t> as_json_integer(double value);

// The JSON key that a scalar key becomes; nothing when it cannot be one (null, an integer beyond int64).
std::optional<std::string> key_text(const Scalar& scalar, std::string_view text);

// Go's strconv.FormatFloat(value, 'g', -1, bits).
std::string format_g(double value);
std::string format_g(float value);

// Base 60 numbers (`1:30`), which YAML 1.1 readers other than ours may take for numbers.
bool is_base60(std::string_view text);

// The bytes behind standard base64, line breaks ignored; nothing when it is not base64.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace flyball::json::yaml
