#include "flyball/client/watch_event.hpp"

#include <array>

#include "flyball/kube/protobuf.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::client {

void WatchEvent::decode(const reflect::Type& type, void* to) const {
  if (format == Format::json) return reflect::decode(object, type, to);
  kube::decode_message(object, type, to);
}

std::string_view to_string(WatchEvent::Kind kind) noexcept {
  constexpr std::array<std::string_view, 6> kNames = {"resync_begin", "added",    "modified",
                                                      "deleted",      "bookmark", "synced"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace flyball::client
