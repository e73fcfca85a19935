// The YAML reader never crashes, and what it accepts survives being written and read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "flyball/json/detail/utf8.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"

using namespace flyball::json;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<Value> values;
  Positions positions;
  try {
    values = parse_yaml_documents(text, {.duplicates = Duplicates::last_wins});
    parse_yaml(text, {.positions = &positions});
  } catch (const ParseError&) {
  }
  for (const Value& value : values) {
    const std::string json = write(value, {.sort_keys = true});
    for (std::size_t at = 0; at < json.size();) {
      const std::size_t length = utf8_length(json.data() + at, json.data() + json.size());
      if (length == 0) std::abort();
      at += length;
    }
    // Deeper than YAML may nest, JSON may not be readable as YAML.
    try {
      const Value again = parse_yaml(write_yaml(value));
      if (again != value && write(again, {.sort_keys = true}) != json) std::abort();
    } catch (const ParseError& error) {
      if (error.problem().find("nested deeper") == std::string::npos) std::abort();
    }
  }
  return 0;
}
