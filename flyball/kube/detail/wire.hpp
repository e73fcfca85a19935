// Protobuf's wire format: a reader, and a writer that works from the end to the front, as Go's generated code does.
// Written backwards, a message knows its length when its header is due, and nothing is measured or moved. Private to
// the room.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "flyball/base/copy_short.hpp"

namespace flyball::kube::detail {

enum class Wire : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, begin_group = 3, end_group = 4, fixed32 = 5 };

// One field as it stands in a message.
struct WireField {
  std::uint32_t number = 0;
  Wire wire = Wire::varint;
  std::uint64_t number_value = 0;  // varint, fixed64, fixed32
  std::string_view bytes = {};     // Wire::bytes
  std::string_view whole = {};     // with its tag
};

// Walks the fields of a message. What is not protobuf ends the walk with failed().
class WireReader {
 public:
  explicit WireReader(std::string_view message) : at_(message.data()), end_(message.data() + message.size()) {}

  // False at the end, and when what follows is no field.
  bool next(WireField& field) {
    if (at_ == end_ || failed_) return false;
    const char* start = at_;
    const std::uint64_t tag = varint();
    field.number = static_cast<std::uint32_t>(tag >> 3);
    field.wire = static_cast<Wire>(tag & 7);
    if (failed_ || field.number == 0 || tag >> 32 != 0) return fail();
    // Most fields are short texts and messages.
    if (field.wire == Wire::bytes && at_ != end_ && (*at_ & 0x80) == 0) {
      const auto size = static_cast<unsigned char>(*at_++);
      if (size > end_ - at_) return fail();
      field.bytes = {at_, size};
      at_ += size;
    } else if (!value(field)) {
      return fail();
    }
    field.whole = {start, static_cast<std::size_t>(at_ - start)};
    return true;
  }
  bool failed() const { return failed_; }

  // How many fields of that number follow at once.
  std::size_t count(std::uint32_t number) const {
    WireReader ahead = *this;
    WireField field;
    std::size_t count = 0;
    while (ahead.next(field) && field.number == number) ++count;
    return count;
  }

  // The varints of a packed list.
  bool next_varint(std::uint64_t& number) {
    if (at_ == end_ || failed_) return false;
    number = varint();
    return !failed_;
  }

 private:
  bool fail() {
    failed_ = true;
    return false;
  }

  std::uint64_t varint() {
    if (at_ != end_ && (*at_ & 0x80) == 0) return static_cast<unsigned char>(*at_++);
    return long_varint();
  }

  // Out of line, like all that few fields need: the way of the many stays short.
  [[gnu::noinline]] std::uint64_t long_varint() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (at_ == end_) break;
      const auto byte = static_cast<unsigned char>(*at_++);
      if (shift < 64) number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return number;
    }
    failed_ = true;
    return 0;
  }

  std::uint64_t fixed(std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) < size) {
      failed_ = true;
      return 0;
    }
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < size; ++i) {
      number |= static_cast<std::uint64_t>(static_cast<unsigned char>(at_[i])) << (8 * i);
    }
    at_ += size;
    return number;
  }

  [[gnu::noinline]] bool value(WireField& field) {
    switch (field.wire) {
      case Wire::varint: field.number_value = varint(); return !failed_;
      case Wire::fixed64: field.number_value = fixed(8); return !failed_;
      case Wire::fixed32: field.number_value = fixed(4); return !failed_;
      case Wire::bytes: {
        const std::uint64_t size = varint();
        if (failed_ || size > static_cast<std::uint64_t>(end_ - at_)) return false;
        field.bytes = {at_, static_cast<std::size_t>(size)};
        at_ += size;
        return true;
      }
      case Wire::begin_group: return skip_group();
      default: return false;
    }
  }

  // Groups are long out of use; whoever sends one sends a field we do not know.
  bool skip_group() {
    std::size_t open = 1;
    while (open != 0) {
      if (at_ == end_) return false;
      const std::uint64_t tag = varint();
      WireField inner;
      inner.wire = static_cast<Wire>(tag & 7);
      if (failed_ || tag >> 3 == 0) return false;
      if (inner.wire == Wire::begin_group) {
        ++open;
      } else if (inner.wire == Wire::end_group) {
        --open;
      } else if (!value(inner)) {
        return false;
      }
    }
    return true;
  }

  const char* at_;
  const char* end_;
  bool failed_ = false;
};

class BackWriter {
 public:
  explicit BackWriter(std::size_t expected = 0) {
    if (expected > small_.size()) grow(expected);
  }
  BackWriter(const BackWriter&) = delete;
  BackWriter& operator=(const BackWriter&) = delete;

  std::size_t size() const { return static_cast<std::size_t>(end_ - at_); }
  std::string finish() const { return {at_, size()}; }

  void put(std::string_view bytes) { copy_short(reserve(bytes.size()), bytes.data(), bytes.size()); }
  void varint(std::uint64_t number) {
    if (number < 0x80) {
      *reserve(1) = static_cast<char>(number);
      return;
    }
    const std::size_t size = (static_cast<std::size_t>(std::bit_width(number)) + 6) / 7;
    char* to = reserve(size);
    for (std::size_t i = 0; i + 1 < size; ++i, number >>= 7) *to++ = static_cast<char>((number & 0x7f) | 0x80);
    *to = static_cast<char>(number);
  }
  // A tag and the number that follows it.
  void head(std::uint32_t number, Wire wire, std::uint64_t value) {
    const std::uint32_t tag = number << 3 | static_cast<std::uint32_t>(wire);
    if (tag < 0x80 && value < 0x80) {
      char* to = reserve(2);
      to[0] = static_cast<char>(tag);
      to[1] = static_cast<char>(value);
      return;
    }
    varint(value);
    varint(tag);
  }

  void number_field(std::uint32_t number, std::uint64_t value) { head(number, Wire::varint, value); }
  void double_field(std::uint32_t number, double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    char* to = reserve(8);
    for (unsigned i = 0; i < 8; ++i) to[i] = static_cast<char>(bits >> (8 * i) & 0xff);
    varint(number << 3 | static_cast<std::uint32_t>(Wire::fixed64));
  }
  void bytes_field(std::uint32_t number, std::string_view bytes) {
    put(bytes);
    head(number, Wire::bytes, bytes.size());
  }
  // The header of a message whose contents were written since the size was `before`.
  void close(std::uint32_t number, std::size_t before) { head(number, Wire::bytes, size() - before); }

 private:
  char* reserve(std::size_t bytes) {
    if (static_cast<std::size_t>(at_ - begin_) < bytes) grow(bytes);
    return at_ -= bytes;
  }
  void grow(std::size_t bytes) {
    const std::size_t used = size();
    const std::size_t capacity = static_cast<std::size_t>(end_ - begin_) * 4 + bytes;
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    std::memcpy(larger.get() + (capacity - used), at_, used);
    large_ = std::move(larger);
    begin_ = large_.get();
    end_ = begin_ + capacity;
    at_ = end_ - used;
  }

  // Most messages are small, and never see the heap.
  std::array<char, 4096> small_;
  std::unique_ptr<char[]> large_;
  char* begin_ = small_.data();
  char* end_ = begin_ + small_.size();
  char* at_ = end_;  // what is written stands from here to the end
};

// Where a decoder or encoder stands, for messages: a list of the frames on the stack.
struct FieldPath {
  const FieldPath* outer = nullptr;
  std::string_view name = {};
  std::size_t depth = 0;

  std::string text() const;
  [[noreturn]] void fail(std::string problem) const;
};

// Messages within each other: deeper is hostile.
inline constexpr std::size_t kMaxDepth = 500;

}  // namespace flyball::kube::detail
