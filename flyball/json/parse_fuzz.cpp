// Any bytes: the parser refuses them with a ParseError or gives a value that its own text gives back.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/json/parse.hpp"
#include "flyball/json/reader.hpp"
#include "flyball/json/write.hpp"

namespace json = flyball::json;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

bool skips(std::string_view text, const json::Limits& limits) {
  try {
    json::Reader reader(text, limits);
    reader.skip();
    reader.finish();
    return true;
  } catch (const json::ParseError&) {
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const json::Limits limits{.depth = 200};
  std::vector<flyball::InputError> repeats;
  json::Value value;
  try {
    value = json::parse(text, {.limits = limits, .duplicates = json::Duplicates::last_wins, .reports = &repeats});
  } catch (const json::ParseError& error) {
    require(error.position().line != 0 && error.position().column != 0);
    require(!skips(text, limits));
    return 0;
  }
  require(skips(text, limits));

  const std::string written = json::write(value);
  const json::Value again = json::parse(written);
  require(again == value && value == again);
  require(again.hash() == value.hash());
  require(json::write(json::parse(json::write(again, {.indent = 2}))) == json::write(again));
  require(json::parse(json::write(value, {.sort_keys = true, .escape_html = false})) == value);

  try {
    const json::Value strict = json::parse(text, {.limits = limits});
    require(repeats.empty() && strict == value);
  } catch (const json::ParseError&) {
    require(!repeats.empty());
  }
  return 0;
}
