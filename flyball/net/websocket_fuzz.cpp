// The first byte says which end we are and how long the pieces are; the rest is what the peer sent. However it is cut,
// the same events and the same error come out, and what was read is written and read again as the same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "flyball/net/websocket_frame.hpp"

namespace {

using namespace flyball::net;

constexpr std::uint64_t kLimit = 4096;

struct Outcome {
  std::vector<WebSocketEvent> events;
  std::string end;
  bool operator==(const Outcome&) const = default;
};

Outcome run(WebSocketRole role, std::string_view text, std::size_t piece) {
  FrameReader reader(role, kLimit);
  Outcome out;
  try {
    while (!text.empty()) {
      std::optional<WebSocketEvent> event;
      text.remove_prefix(reader.feed(text.substr(0, piece), event));
      if (event) out.events.push_back(*event);
    }
    out.end = reader.between_messages() ? "between" : "inside";
  } catch (const WebSocketError& error) {
    out.end = std::to_string(error.code()) + error.what();
  }
  return out;
}

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto role = (data[0] & 1U) != 0 ? WebSocketRole::kServer : WebSocketRole::kClient;
  const Outcome cut = run(role, text, 1 + data[0] / 2U);
  check(cut == run(role, text, text.size() + 1));
  std::string back;
  for (const WebSocketEvent& event : cut.events) {
    check(event.kind != Opcode::kContinuation && event.payload.size() <= kLimit);
    const bool bare = event.kind != Opcode::kClose || event.code == close_code::kNone;
    const std::optional<FrameMask> mask =
        role == WebSocketRole::kServer ? std::optional<FrameMask>({'m', 'a', 's', 'k'}) : std::nullopt;
    append_frame(back, event.kind, bare ? event.payload : close_payload(event.code, event.payload), mask);
  }
  check(run(role, back, back.size() + 1) == Outcome{cut.events, "between"});
  return 0;
}
