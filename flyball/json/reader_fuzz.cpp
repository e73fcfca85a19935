// Any sequence of calls on any bytes: the reader throws ParseError or moves forward. The first bytes choose the calls,
// the rest is the text.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "flyball/json/reader.hpp"

namespace json = flyball::json;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// What a codec might ask for, whatever the text holds.
void call(json::Reader& reader, std::uint8_t choice) {
  switch (choice % 9) {
    case 0: reader.null(); break;
    case 1: reader.boolean(); break;
    case 2: reader.number(); break;
    case 3: reader.string(); break;
    case 4: reader.begin_array(); break;
    case 5: reader.begin_object(); break;
    case 6: reader.skip(); break;
    case 7: reader.raw(); break;
    default: reader.peek(); break;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kCalls = 16;
  if (size < kCalls) return 0;
  json::Reader reader({reinterpret_cast<const char*>(data) + kCalls, size - kCalls}, {.depth = 50});
  bool in_object[50] = {};
  try {
    for (std::size_t i = 0; i < kCalls; ++i) {
      const std::size_t before = reader.offset();
      const std::size_t depth = reader.depth();
      if (depth != 0 && !(in_object[depth - 1] ? reader.next_member().has_value() : reader.next_element())) continue;
      call(reader, data[i]);
      if (reader.depth() > depth) in_object[depth] = data[i] % 9 == 5;
      require(reader.offset() >= before && reader.offset() <= size - kCalls);
      if (data[i] % 9 == 8) reader.skip();
    }
    require(reader.position().line != 0);
    if (reader.depth() == 0) reader.finish();
  } catch (const json::ParseError& error) {
    require(error.position().line != 0);
  }
  return 0;
}
