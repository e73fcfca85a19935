// Documents from people and peers, decoded into a resource with every shape: what is taken is stable, what is refused
// says where.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "flyball/reflect/decode_yaml.hpp"
#include "flyball/reflect/detail/database_for_test.hpp"
#include "flyball/reflect/encode.hpp"

namespace {

using flyball::reflect::DecodeOptions;
using flyball::reflect::encode;
using Database = database_example::Database;

void require(bool law) {
  if (!law) std::abort();
}

Database decode_json(std::string_view text) { return flyball::reflect::decode<Database>(text, {.strict = true}); }

template <class Decode>
std::optional<Database> taken(std::string_view text, const DecodeOptions& options, Decode decode) {
  try {
    return decode(text, options);
  } catch (const flyball::reflect::DecodeError& error) {
    require(!error.problems().empty());
    for (const auto& problem : error.problems()) require(problem.position().line != 0 && !problem.problem().empty());
  } catch (const flyball::InputError& error) {
    require(!error.problem().empty());
  }
  return std::nullopt;
}

template <class Decode>
void check(std::string_view text, Decode decode) {
  auto lenient = taken(text, {}, decode);
  const auto strict = taken(text, {.strict = true}, decode);
  if (strict) require(lenient && *strict == *lenient);
  if (!lenient) return;
  auto again = decode_json(encode(*lenient));
  const std::string encoded = encode(again);
  require(decode_json(encoded) == again);
  // A double that wrote a whole number comes back as an integer; elsewhere the first time must be right.
  lenient->spec.settings = again.spec.settings = {};
  require(again == *lenient);
  require(encode(decode_json(encoded)) == encoded);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text, [](auto from, const auto& options) { return flyball::reflect::decode<Database>(from, options); });
  check(text, [](auto from, const auto& options) { return flyball::reflect::decode_yaml<Database>(from, options); });
  return 0;
}
