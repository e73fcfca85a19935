// Documents and patches from the network. Input: a document, a zero byte, a patch; both are also taken as two
// documents.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "flyball/json/diff.hpp"
#include "flyball/json/merge_patch.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/patch.hpp"
#include "flyball/json/write.hpp"

namespace {

using namespace flyball::json;

void require(bool law) {
  if (!law) std::abort();
}

std::optional<Value> patched(View document, View patch, const PatchOptions& options) {
  try {
    return apply_patch(document, patch, options);
  } catch (const PatchError& error) {
    require(error.what()[0] != '\0');
    return std::nullopt;
  }
}

void check(const Value& document, const Value& other) {
  const PatchOptions kubernetes{.max_copied_bytes = 1 << 16};
  const PatchOptions rfc{.rules = PatchRules::rfc6902, .max_copied_bytes = 1 << 16};
  for (const auto& options : {kubernetes, rfc}) {
    if (const auto result = patched(document, other, options)) {
      require(parse(write(*result), {.limits = {.depth = 1001}}) == *result);
      require(apply_patch(document, to_json_patch(diff(document, *result)), {.rules = PatchRules::rfc6902}) == *result);
    }
  }
  require(apply_patch(document, to_json_patch(diff(document, other)), {.rules = PatchRules::rfc6902}) == other);
  const Value merged = merge_patch(document, other);
  require(merge_patch(merged, other) == merged);
  if (const auto patch = create_merge_patch(document, other)) require(merge_patch(document, *patch) == other);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t split = input.find('\0');
  if (split == std::string_view::npos) return 0;
  std::optional<Value> document;
  std::optional<Value> other;
  try {
    document = parse(input.substr(0, split));
    other = parse(input.substr(split + 1));
  } catch (const ParseError&) {
    return 0;
  }
  check(*document, *other);
  return 0;
}
