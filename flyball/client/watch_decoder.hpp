// WatchDecoder: the bytes of a watch become events, in the encoding they came in, without decoding the objects.
//
//   WatchDecoder decoder(Encoding::protobuf);
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
#include "flyball/json/split.hpp"
#include "flyball/kube/metadata.hpp"
#include "flyball/kube/protobuf_split.hpp"

namespace flyball::client {

// The form of an object's bytes.
enum class Encoding : std::uint8_t {
  json,
  protobuf,  // the message itself, without the envelope that names its kind
};

// By what an answer says in Content-Type; nothing when it is neither.
std::optional<Encoding> encoding_of(std::string_view content_type);

enum class WatchType : std::uint8_t { added, modified, deleted, bookmark, error };

// "ADDED", as it stands on the wire.
std::string_view to_string(WatchType type) noexcept;

struct WatchFrame {
  WatchType type = WatchType::added;
  std::string_view object = {};  // of an error: a Status, if protobuf, then in its envelope
  kube::Metadata metadata = {};  // of an error: empty
};

class WatchDecoder {
 public:
  static constexpr std::size_t kLimit = std::size_t{32} << 20U;

  // `limit` bounds one event.
  explicit WatchDecoder(Encoding encoding, std::size_t limit = kLimit);

  // The next piece of the stream, when next() has given all there was.
  void feed(std::string chunk);
  // Null: what was fed holds no more whole events.
  const WatchFrame* next();
  // The stream has ended, and next() has given all there was: throws when it ended within an event.
  void finish() const;

  Encoding encoding() const noexcept { return encoding_; }

 private:
  void read_json(std::string_view document);
  void read_protobuf(std::string_view bytes);

  // Constant after construction.
  const Encoding encoding_;

  std::variant<json::DocumentSplitter, kube::FrameSplitter> splitter_;
  detail::PulledItems items_;
  WatchFrame frame_;
};

}  // namespace flyball::client
