// Strategic merge patches from the network. Input: an object, a zero byte, a patch.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "flyball/apiserver/strategic_merge.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/kinds.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flyball;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t split = input.find('\0');
  if (split == std::string_view::npos) return 0;
  json::Value object;
  json::Value patch;
  try {
    object = json::parse(input.substr(0, split));
    patch = json::parse(input.substr(split + 1));
  } catch (const json::ParseError&) {
    return 0;
  }
  for (const char* kind : {"Pod", "ServiceAccount"}) {
    try {
      const json::Value merged = apiserver::strategic_merge(object, patch, *kube::find_kind("v1", kind));
      if (!merged.is_object()) std::abort();
    } catch (const apiserver::StrategicMergeError& error) {
      if (error.what()[0] == '\0') std::abort();
    }
  }
  return 0;
}
