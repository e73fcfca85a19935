// The first byte is the size of the pieces; the rest is a list in its envelope. However it is cut, the same items come
// out, and the same end.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/kube/protobuf_split.hpp"

namespace {

std::vector<std::string> items(std::string_view stream, std::size_t piece) {
  std::vector<std::string> found;
  flyball::kube::ListSplitter splitter(4096);
  try {
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      splitter.feed(stream.substr(at, piece), [&](std::string_view item) { found.emplace_back(item); });
    }
    found.push_back("complete " + splitter.finish().resourceVersion);
  } catch (const flyball::InputError&) {
    found.emplace_back("error");
  }
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view stream(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (items(stream, 1U + data[0]) != items(stream, stream.size() + 1)) std::abort();
  return 0;
}
