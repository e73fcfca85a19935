#include "flyball/client/watch_decoder.hpp"

#include <array>
#include <utility>

#include "flyball/base/error.hpp"
#include "flyball/json/reader.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/net/http.hpp"

namespace flyball::client {
namespace {

constexpr std::array<std::string_view, 5> kTypes = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"};

WatchType type_from(std::string_view word) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i] == word) return static_cast<WatchType>(i);
  }
  // Not all of it: it may be anything, of any size.
  throw InputError(
      {}, "type",
      "expected ADDED, MODIFIED, DELETED, BOOKMARK or ERROR, found \"" + std::string(word.substr(0, 40)) + "\"");
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

}  // namespace

std::optional<Format> format_from(std::string_view content_type) {
  const std::string_view media = trimmed(content_type.substr(0, content_type.find(';')));
  if (net::same_name(media, kJsonType)) return Format::json;
  if (net::same_name(media, kProtobufType)) return Format::protobuf;
  return std::nullopt;
}

std::string_view to_string(WatchType type) noexcept { return kTypes[static_cast<std::size_t>(type)]; }

WatchDecoder::WatchDecoder(Format format, std::size_t limit)
    : format_(format), splitter_(json::DocumentSplitter({.size = limit})) {
  if (format == Format::protobuf) splitter_ = kube::FrameSplitter(limit);
}

void WatchDecoder::feed(std::string chunk) {
  items_.feed(std::move(chunk), [this](std::string_view bytes, const auto& each) {
    std::visit([&](auto& splitter) { splitter.feed(bytes, each); }, splitter_);
  });
}

void WatchDecoder::finish() const {
  std::visit([](const auto& splitter) { splitter.finish(); }, splitter_);
}

WatchFrame* WatchDecoder::next() {
  std::string_view bytes;
  if (!items_.next(bytes)) return nullptr;
  frame_ = {};
  format_ == Format::json ? read_json(bytes) : read_protobuf(bytes);
  return &frame_;
}

void WatchDecoder::read_json(std::string_view document) {
  json::Reader reader(document);
  std::string type;
  reader.begin_object();
  while (const auto member = reader.next_member()) {
    if (*member == "type") {
      type = reader.string();
    } else if (*member == "object" && reader.peek() == json::Kind::object) {
      frame_.object = reader.raw();
    } else {
      reader.skip();
    }
  }
  reader.finish();
  frame_.type = type_from(type);
  if (frame_.object.empty()) throw InputError({}, "object", "expected an object, found none");
  if (frame_.type != WatchType::error) frame_.metadata = kube::metadata_of(frame_.object);
}

void WatchDecoder::read_protobuf(std::string_view bytes) {
  const kube::WatchMessage message = kube::open_watch_message(bytes);
  frame_.type = type_from(message.type);
  frame_.object = message.object;
  const kube::Envelope envelope = kube::open_envelope(message.object);
  if (frame_.type == WatchType::error) return;
  frame_.object = envelope.object;
  frame_.metadata = kube::metadata_of_message(envelope.object);
  frame_.metadata.api_version = envelope.api_version;
  frame_.metadata.kind = envelope.kind;
}

}  // namespace flyball::client
