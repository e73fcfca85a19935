// Splitting a stream of protobuf into its parts before anything is decoded: what json/split.hpp is for JSON.
//
//   kube::ListSplitter list;                                    // the answer to a LIST, envelope and all
//   while (auto chunk = body.read()) list.feed(*chunk, [&](std::string_view item) { store(item); });
//   meta::v1::ListMeta rest = list.finish();
//
//   kube::FrameSplitter watch;                                  // application/vnd.kubernetes.protobuf;stream=watch
//   watch.feed(chunk, [&](std::string_view frame) { handle(kube::open_watch_message(frame)); });
//
// Items are messages without an envelope: kube::decode_message and kube::metadata_of_message read them. What is held at
// any time is one item, however long the stream. An item is given as a view into the chunk when it lies in it whole,
// else from the splitter's own buffer; it is good only during the call.
//
// Errors: InputError when the bytes are damaged, cut off, or an item is larger than allowed.
// Thread-safety: none; a splitter belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "flyball/kube/meta/v1.hpp"

namespace flyball::kube {

using OnItem = std::function<void(std::string_view item)>;

// Frames, each behind its length in four bytes, the highest first.
class FrameSplitter {
 public:
  // `limit` bounds one frame.
  explicit FrameSplitter(std::size_t limit) : limit_(limit) {}

  void feed(std::string_view chunk, const OnItem& each);
  // The stream has ended: throws InputError when it ended within a frame.
  void finish() const;

  // Bytes of the frame that has begun but not ended, with its length.
  std::size_t pending() const { return pending_.size(); }

 private:
  // Of a frame that begins with these bytes, at least four.
  std::size_t length_of(std::string_view head) const;

  std::size_t limit_;
  std::string pending_;
};

// The items of a list in its envelope. Every list kind has its metadata in field 1 and its items in field 2.
class ListSplitter {
 public:
  // `limit` bounds one item.
  explicit ListSplitter(std::size_t limit) : limit_(limit) {}

  void feed(std::string_view chunk, const OnItem& each);
  // The stream has ended: gives the list's metadata. Throws InputError when the list is not complete.
  meta::v1::ListMeta finish() const;

 private:
  enum class Place : std::uint8_t { magic, tag, number, length, body };
  enum class Use : std::uint8_t { skip, metadata, item };

  // Each takes what it can of the chunk.
  void magic(std::string_view& chunk);
  void begin_field(std::string_view& chunk);
  void begin_body(std::string_view& chunk, const OnItem& each);
  void body(std::string_view& chunk, const OnItem& each);
  // True when the number is complete: it is in varint_.
  bool varint(std::string_view& chunk);
  std::string_view take(std::string_view& chunk, std::size_t size);
  void end_body(std::string_view whole, const OnItem& each);
  [[noreturn]] void fail(const std::string& problem) const;

  // Constant after construction.
  std::size_t limit_;

  Place place_ = Place::magic;
  Use use_ = Use::skip;
  std::uint32_t field_ = 0;
  std::uint64_t varint_ = 0;
  unsigned varint_bits_ = 0;
  std::size_t magic_seen_ = 0;
  bool in_list_ = false;
  bool list_seen_ = false;
  std::uint64_t list_left_ = 0;  // bytes of the list message that are still to come
  std::uint64_t body_left_ = 0;  // bytes of the field
  std::string pending_;          // the part of an item or of the metadata that has come
  std::string metadata_;
  std::size_t items_ = 0;  // for errors
};

// A WatchEvent: its type ("ADDED"), and the object in its own envelope. Views into `frame`. A frame in an envelope is
// understood too. Throws InputError when it is damaged.
struct WatchMessage {
  std::string_view type = {};
  std::string_view object = {};
};
WatchMessage open_watch_message(std::string_view frame);
// The other way round: what FrameSplitter gives back. `object` is in its envelope.
std::string make_watch_frame(std::string_view type, std::string_view object);

}  // namespace flyball::kube
