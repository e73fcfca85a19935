#include "flyball/kube/protobuf_split.hpp"

#include <algorithm>

#include "flyball/base/error.hpp"
#include "flyball/kube/detail/wire.hpp"
#include "flyball/kube/protobuf.hpp"

namespace flyball::kube {

using detail::Wire;
using detail::WireField;
using detail::WireReader;

namespace {

constexpr std::size_t kHead = 4;  // bytes of a frame's length
constexpr std::uint32_t kMetadata = 1;
constexpr std::uint32_t kItems = 2;
constexpr std::uint32_t kRaw = 2;  // of the envelope: the list itself

}  // namespace

std::size_t FrameSplitter::length_of(std::string_view head) const {
  std::size_t length = 0;
  for (const char byte : head.substr(0, kHead)) length = length << 8U | static_cast<unsigned char>(byte);
  if (length <= limit_) return length;
  throw InputError({}, "",
                   "a frame of the stream announces " + std::to_string(length) + " bytes, more than the " +
                       std::to_string(limit_) + " allowed; either it is that large, or this is no protobuf stream");
}

void FrameSplitter::feed(std::string_view chunk, const OnItem& each) {
  while (!chunk.empty()) {
    if (pending_.empty() && chunk.size() >= kHead) {
      const std::size_t length = length_of(chunk);
      if (chunk.size() - kHead >= length) {
        each(chunk.substr(kHead, length));
        chunk.remove_prefix(kHead + length);
        continue;
      }
    }
    const std::size_t wanted = pending_.size() < kHead ? kHead : kHead + length_of(pending_);
    const std::string_view more = chunk.substr(0, wanted - pending_.size());
    pending_ += more;
    chunk.remove_prefix(more.size());
    if (pending_.size() < kHead || pending_.size() < kHead + length_of(pending_)) continue;
    each(std::string_view(pending_).substr(kHead));
    pending_.clear();
  }
}

void FrameSplitter::finish() const {
  if (pending_.empty()) return;
  throw InputError({}, "", "the stream ended within a frame, " + std::to_string(pending_.size()) + " bytes into it");
}

void ListSplitter::fail(const std::string& problem) const {
  throw InputError({}, "items[" + std::to_string(items_) + "]", problem);
}

void ListSplitter::feed(std::string_view chunk, const OnItem& each) {
  while (!chunk.empty()) {
    switch (place_) {
      case Place::magic: magic(chunk); break;
      case Place::tag: begin_field(chunk); break;
      case Place::number:
        if (varint(chunk)) place_ = Place::tag;
        break;
      case Place::length: begin_body(chunk, each); break;
      case Place::body: body(chunk, each); break;
    }
    if (!in_list_ || list_left_ != 0) continue;
    if (place_ != Place::tag || varint_bits_ != 0) fail("the list is cut off or damaged");
    in_list_ = false;
  }
}

void ListSplitter::magic(std::string_view& chunk) {
  if (chunk.front() != kProtobufMagic[magic_seen_]) {
    throw InputError({}, "the protobuf envelope", "expected the bytes k8s\\0, found something else");
  }
  chunk.remove_prefix(1);
  if (++magic_seen_ == kProtobufMagic.size()) place_ = Place::tag;
}

bool ListSplitter::varint(std::string_view& chunk) {
  while (!chunk.empty()) {
    const auto byte = static_cast<unsigned char>(take(chunk, 1).front());
    if (varint_bits_ == 0) varint_ = 0;
    if (varint_bits_ > 63) fail("a number in it is longer than 64 bits; the list is damaged");
    varint_ |= static_cast<std::uint64_t>(byte & 0x7fU) << varint_bits_;
    varint_bits_ += 7;
    if ((byte & 0x80U) != 0) {
      if (in_list_ && list_left_ == 0) return false;
      continue;
    }
    varint_bits_ = 0;
    return true;
  }
  return false;
}

// No more than the list has: what follows it belongs to the envelope.
std::string_view ListSplitter::take(std::string_view& chunk, std::size_t size) {
  if (in_list_) size = static_cast<std::size_t>(std::min<std::uint64_t>(size, list_left_));
  const std::string_view taken = chunk.substr(0, size);
  chunk.remove_prefix(taken.size());
  if (in_list_) list_left_ -= taken.size();
  return taken;
}

void ListSplitter::begin_field(std::string_view& chunk) {
  if (!varint(chunk)) return;
  field_ = static_cast<std::uint32_t>(varint_ >> 3U);
  if (field_ == 0 || varint_ >> 32U != 0) fail("expected a field, found none; the list is damaged");
  use_ = Use::skip;
  switch (static_cast<Wire>(varint_ & 7U)) {
    case Wire::varint: place_ = Place::number; break;
    case Wire::bytes: place_ = Place::length; break;
    case Wire::fixed64:
    case Wire::fixed32:
      body_left_ = static_cast<Wire>(varint_ & 7U) == Wire::fixed64 ? 8 : 4;
      place_ = Place::body;
      break;
    default: fail("expected a field, found none; the list is damaged");
  }
}

void ListSplitter::begin_body(std::string_view& chunk, const OnItem& each) {
  if (!varint(chunk)) return;
  body_left_ = varint_;
  place_ = Place::body;
  if (!in_list_ && field_ == kRaw) {
    place_ = Place::tag;
    list_seen_ = true;
    in_list_ = body_left_ != 0;
    list_left_ = body_left_;
    return;
  }
  if (in_list_ && body_left_ > list_left_) fail("it is longer than the list it is in; the list is damaged");
  if (in_list_ && field_ == kMetadata) use_ = Use::metadata;
  if (in_list_ && field_ == kItems) use_ = Use::item;
  if (use_ != Use::skip && body_left_ > limit_) {
    fail("has " + std::to_string(body_left_) + " bytes, more than the " + std::to_string(limit_) + " allowed");
  }
  if (body_left_ == 0) end_body({}, each);
}

void ListSplitter::body(std::string_view& chunk, const OnItem& each) {
  const std::string_view piece =
      take(chunk, static_cast<std::size_t>(std::min<std::uint64_t>(body_left_, chunk.size())));
  body_left_ -= piece.size();
  if (body_left_ == 0 && pending_.empty()) return end_body(piece, each);
  if (use_ != Use::skip) pending_ += piece;
  if (body_left_ == 0) end_body(pending_, each);
}

void ListSplitter::end_body(std::string_view whole, const OnItem& each) {
  place_ = Place::tag;
  if (use_ == Use::metadata) metadata_ = whole;
  if (use_ == Use::item) {
    each(whole);
    ++items_;
  }
  pending_.clear();
}

meta::v1::ListMeta ListSplitter::finish() const {
  if (place_ != Place::tag || varint_bits_ != 0 || in_list_ || !list_seen_) fail("the stream ended within the list");
  meta::v1::ListMeta metadata;
  decode_message(metadata_, reflect::type_of<meta::v1::ListMeta>(), &metadata);
  return metadata;
}

WatchMessage open_watch_message(std::string_view frame) {
  if (is_protobuf(frame)) frame = open_envelope(frame).object;
  WatchMessage message;
  WireReader reader(frame);
  WireField field;
  while (reader.next(field)) {
    if (field.wire != Wire::bytes) continue;
    if (field.number == 1) message.type = field.bytes;
    if (field.number != 2) continue;
    WireReader raw_extension(field.bytes);
    WireField raw;
    while (raw_extension.next(raw)) {
      if (raw.number == 1 && raw.wire == Wire::bytes) message.object = raw.bytes;
    }
    if (raw_extension.failed()) throw InputError({}, "object", "the protobuf message is cut off or damaged");
  }
  if (reader.failed()) throw InputError({}, "", "the watch event is cut off or damaged");
  return message;
}

std::string make_watch_frame(std::string_view type, std::string_view object) {
  detail::BackWriter to(object.size() + 64);
  to.bytes_field(1, object);
  to.close(2, 0);
  to.bytes_field(1, type);
  const std::string message = to.finish();
  std::string frame;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) frame += static_cast<char>(message.size() >> shift & 0xffU);
  return frame + message;
}

}  // namespace flyball::kube
