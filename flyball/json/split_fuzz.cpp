// The first byte is the size of the pieces; the rest is the stream. However it is cut, the same parts come out, and
// every part that a whole-text parse would take stands where the parser says.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "flyball/json/parse.hpp"
#include "flyball/json/split.hpp"

namespace {

using flyball::json::DocumentSplitter;
using flyball::json::ListSplitter;

template <class Splitter>
std::vector<std::string> parts(std::string_view text, std::size_t piece) {
  Splitter splitter;
  std::vector<std::string> found;
  try {
    for (std::size_t at = 0; at < text.size(); at += piece) {
      splitter.feed(text.substr(at, piece), [&](std::string_view item) { found.emplace_back(item); });
    }
    splitter.finish();
    found.emplace_back("complete");
  } catch (const flyball::json::ParseError&) {
    found.emplace_back("error");
  }
  return found;
}

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = 1 + data[0] % 130;
  check(parts<DocumentSplitter>(text, piece) == parts<DocumentSplitter>(text, text.size() + 1));
  check(parts<ListSplitter>(text, piece) == parts<ListSplitter>(text, text.size() + 1));
  try {
    const auto value = flyball::json::parse(text);
    if (value.is_object() || value.is_array()) {
      const auto found = parts<DocumentSplitter>(text, piece);
      check(found.size() == 2 && found[1] == "complete" && flyball::json::parse(found[0]) == value);
    }
  } catch (const flyball::json::ParseError&) {
  }
  return 0;
}
