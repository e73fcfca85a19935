// Arbitrary bytes as every built-in kind: nothing crashes, and what decodes is stable from its first encoding on.
#include <cstdint>
#include <cstdlib>

#include "flyball/base/error.hpp"
#include "flyball/kube/kinds.hpp"
#include "flyball/kube/metadata.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"
#include "flyball/reflect/object.hpp"

namespace {

using namespace flyball;

void check(bool holds) {
  if (!holds) std::abort();
}

void typed(const reflect::Type& type, std::string_view bytes) {
  std::string first;
  try {
    reflect::Object object(type);
    kube::decode_message(bytes, type, object.get());
    first = kube::encode_message(type, object.get());
  } catch (const InputError&) {
    return;
  }
  reflect::Object again(type);
  kube::decode_message(first, type, again.get());
  check(kube::encode_message(type, again.get()) == first);
}

void dynamic(const reflect::Type& type, std::string_view bytes) {
  json::Value first;
  std::string encoded;
  try {
    first = kube::message_to_json(bytes, type);
    encoded = kube::json_to_message(first, type);
  } catch (const InputError&) {
    return;
  }
  check(kube::json_to_message(kube::message_to_json(encoded, type), type) == encoded);
}

}  // namespace

// The first two bytes choose the kind.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto kinds = kube::all_kinds();
  const reflect::Type& type = kinds[(data[0] * 256U + data[1]) % kinds.size()]();
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  try {
    kube::metadata_of(bytes);
  } catch (const InputError&) {
  }
  if (type.proto == nullptr) return 0;
  typed(type, bytes);
  dynamic(type, bytes);
  return 0;
}
