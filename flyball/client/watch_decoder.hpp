// WatchDecoder: the bytes of a watch become events, in the format they came in, without decoding the objects.
//
//   WatchDecoder decoder(Format::protobuf);
//   decoder.feed(stream->read(stop));                       // any piece of the stream
//   while (const WatchFrame* frame = decoder.next()) handle(frame->type, frame->metadata.name, frame->object);
//   decoder.finish();                                       // at the end of the stream: it must not be within an event
//
// JSON is a stream of documents, protobuf (application/vnd.kubernetes.protobuf;stream=watch) one of frames with a
// length of four bytes. Most people want Watch (watch.hpp), which stands on this.
//
// Errors: InputError for what is no watch event, is cut off or larger than allowed. The events before it come out
// first; nothing comes after it.
// Thread-safety: none; a decoder belongs to one thread. Lifetime: a frame is good until the next call of next() or
// feed().
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "flyball/client/detail/pulled_items.hpp"
#include "flyball/client/wire.hpp"
#include "flyball/json/split.hpp"
#include "flyball/kube/metadata.hpp"
#include "flyball/kube/protobuf_split.hpp"

namespace flyball::client {

// By what an answer says in Content-Type; nothing when it is neither.
std::optional<Format> format_from(std::string_view content_type);

enum class WatchType : std::uint8_t { added, modified, deleted, bookmark, error };

// "ADDED", as it stands on the wire.
std::string_view to_string(WatchType type) noexcept;

struct WatchFrame {
  WatchType type = WatchType::added;
  // JSON text, or a protobuf message without the envelope that names its kind. Of an error: a Status, in its envelope.
  std::string_view object = {};
  kube::Metadata metadata = {};  // of an error: empty
};

class WatchDecoder {
 public:
  static constexpr std::size_t kLimit = std::size_t{32} << 20U;

  // `limit` bounds one event.
  explicit WatchDecoder(Format format, std::size_t limit = kLimit);

  // The next piece of the stream, when next() has given all there was.
  void feed(std::string chunk);
  // Null: what was fed holds no more whole events. The metadata may be moved out of it.
  WatchFrame* next();
  // The stream has ended, and next() has given all there was: throws when it ended within an event.
  void finish() const;

  Format format() const noexcept { return format_; }

 private:
  void read_json(std::string_view document);
  void read_protobuf(std::string_view bytes);

  // Constant after construction.
  const Format format_;

  std::variant<json::DocumentSplitter, kube::FrameSplitter> splitter_;
  detail::PulledItems items_;
  WatchFrame frame_;
};

}  // namespace flyball::client
