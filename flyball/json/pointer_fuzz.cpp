// JSON Pointers from people and peers: what is taken reads back the same, what is refused says why.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "flyball/json/draft.hpp"
#include "flyball/json/pointer.hpp"

namespace {

using namespace flyball::json;

void require(bool law) {
  if (!law) std::abort();
}

void check(std::string_view text, const PointerOptions& options) {
  try {
    const Pointer pointer(text, options);
    require(Pointer(pointer.to_string()) == pointer);
    if (!options.literal_tilde) require(pointer.to_string() == text);
    require(pointer.is_root() || pointer.parent().child(pointer.back()) == pointer);
    require(pointer.path().empty() == pointer.is_root());

    Draft draft;
    draft.set(pointer, true);
    const Value document = draft.build();
    require(find(document, pointer) == Value(true));
    require(draft.find(pointer).exists());
  } catch (const PointerError& error) {
    require(!error.problem().empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text, {});
  check(text, {.literal_tilde = true});
  return 0;
}
