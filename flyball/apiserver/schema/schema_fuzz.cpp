// Schemas of definitions and objects against them. Input: a schema, a zero byte, an object.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "flyball/apiserver/schema/defaults.hpp"
#include "flyball/apiserver/schema/prune.hpp"
#include "flyball/apiserver/schema/validate.hpp"
#include "flyball/json/parse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flyball;
  using namespace flyball::apiserver;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t split = input.find('\0');
  if (split == std::string_view::npos) return 0;
  json::Value source;
  json::Value object;
  try {
    source = json::parse(input.substr(0, split), {.limits = {.depth = 64}});
    object = json::parse(input.substr(split + 1), {.limits = {.depth = 64}});
  } catch (const json::ParseError&) {
    return 0;
  }
  const std::shared_ptr<const Schema> schema = Schema::compile(source);
  Problems problems;
  check_structural(schema->root(), FieldPath("schema"), problems);
  const json::Value kept = prune(*schema, apply_defaults(*schema, object)).object;
  if (prune(*schema, kept).object != kept) std::abort();  // what is pruned has nothing left to prune
  validate(*schema, kept, problems);
  validate_update(*schema, kept, object, problems);
  validate_embedded(*schema, kept, problems);
  validate_lists(*schema, kept, problems);
  if (!problems.empty() && problems.text().empty()) std::abort();
  return 0;
}
