// The first byte says how long the pieces are; the rest is what the peer sent. However it is cut, the same events (data
// put together) and the same error come out.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "flyball/net/spdy_frame.hpp"

namespace {

using namespace flyball::net;

struct Outcome {
  std::vector<SpdyEvent> events;
  std::string end;
  bool operator==(const Outcome&) const = default;
};

Outcome run(std::string_view text, std::size_t piece) {
  SpdyReader reader;
  Outcome out;
  try {
    while (!text.empty()) {
      std::optional<SpdyEvent> event;
      text.remove_prefix(reader.feed(text.substr(0, piece), event));
      if (!event) continue;
      const bool joins = event->kind == SpdyKind::data && !out.events.empty() && !out.events.back().last &&
                         out.events.back().kind == SpdyKind::data && out.events.back().stream == event->stream;
      if (!joins) {
        out.events.push_back(std::move(*event));
        continue;
      }
      out.events.back().data += event->data;
      out.events.back().last = event->last;
    }
  } catch (const SpdyError& error) {
    out.end = error.what();
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (!(run(text, 1 + data[0]) == run(text, text.size() + 1))) std::abort();
  return 0;
}
