#include "watch_reader.hpp"

#include <cstddef>
#include <string>

#include "flyball/json/parse.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"

namespace flyball::differential {

WatchReader::WatchReader(std::unique_ptr<client::BodyStream> stream)
    : stream_(std::move(stream)),
      protobuf_(stream_->head().headers.get("Content-Type").starts_with("application/vnd.kubernetes.protobuf")),
      frames_(std::size_t{32} << 20U) {}

std::optional<json::Value> WatchReader::next(const Stop& stop) {
  while (events_.empty()) {
    const std::string piece = stream_->read(stop);
    if (piece.empty()) return std::nullopt;
    const auto each = [this](std::string_view frame) { take(frame); };
    protobuf_ ? frames_.feed(piece, each) : documents_.feed(piece, each);
  }
  json::Value event = std::move(events_.front());
  events_.pop_front();
  return event;
}

void WatchReader::take(std::string_view frame) {
  if (!protobuf_) {
    events_.push_back(json::parse(frame));
    return;
  }
  const kube::WatchMessage message = kube::open_watch_message(frame);
  events_.push_back(
      json::object({{"type", std::string(message.type)}, {"object", kube::protobuf_to_json(message.object)}}));
}

}  // namespace flyball::differential
