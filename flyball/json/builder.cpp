#include "flyball/json/builder.hpp"

#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include "flyball/json/detail/block.hpp"
#include "flyball/json/detail/encoding.hpp"

namespace flyball::json {

using namespace encoding;

static_assert(kLargeHeader == 9);

Builder::Builder(std::size_t expected) {
  if (expected != 0) grow(expected);
}

Builder::~Builder() { std::free(block_); }

void Builder::grow(std::size_t bytes) {
  const std::size_t needed = size_ + bytes;
  if (needed > std::numeric_limits<std::uint32_t>::max()) throw Error("the JSON value is larger than 4 GiB");
  std::size_t capacity = capacity_ + capacity_ / 2;
  if (capacity < needed) capacity = needed;
  if (capacity < 64) capacity = 64;
  void* memory = std::realloc(block_, sizeof(Value::Block) + capacity);
  if (memory == nullptr) throw std::bad_alloc();
  block_ = static_cast<Value::Block*>(memory);
  bytes_ = block_->bytes();
  capacity_ = capacity;
}

Builder& Builder::null() {
  element();
  *reserve(1) = kNull;
  ++size_;
  return *this;
}

Builder& Builder::boolean(bool value) {
  element();
  *reserve(1) = value ? kTrue : kFalse;
  ++size_;
  return *this;
}

std::size_t Builder::put_int(std::uint8_t* to, std::int64_t value) {
  if (value >= 0 && value <= kMaxTinyInt) {
    *to = static_cast<std::uint8_t>(kTinyInt + value);
    return 1;
  }
  const auto put = [to](Tag tag, auto bytes) {
    *to = tag;
    store(to + 1, bytes);
    return 1 + sizeof bytes;
  };
  if (std::in_range<std::int8_t>(value)) return put(kInt8, static_cast<std::int8_t>(value));
  if (std::in_range<std::int16_t>(value)) return put(kInt16, static_cast<std::int16_t>(value));
  if (std::in_range<std::int32_t>(value)) return put(kInt32, static_cast<std::int32_t>(value));
  return put(kInt64, value);
}

Builder& Builder::integer(std::int64_t value) {
  element();
  size_ += put_int(reserve(9), value);
  return *this;
}

Builder& Builder::number(double value) {
  assert(std::isfinite(value));
  element();
  std::uint8_t* to = reserve(9);
  *to = kDouble;
  store(to + 1, value);
  size_ += 9;
  return *this;
}

Builder& Builder::string(std::string_view text) {
  char* to = begin_string(text.size());
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  end_string(text.size());
  return *this;
}

// The limit decides which header the bytes are written behind; when the string turns out shorter they move up.
char* Builder::begin_string(std::size_t limit) {
  std::uint8_t* to = reserve(limit + 5);
  string_data_ = size_ + (limit > kMaxShortString ? 5 : 1);
  return reinterpret_cast<char*>(to) + (string_data_ - size_);
}

void Builder::end_string(std::size_t length) {
  element();
  std::uint8_t* to = bytes_ + size_;
  if (length <= kMaxShortString) {
    if (string_data_ != size_ + 1) std::memmove(to + 1, bytes_ + string_data_, length);
    *to = static_cast<std::uint8_t>(kShortString + length);
    size_ += 1 + length;
  } else {
    *to = kLongString;
    store(to + 1, static_cast<std::uint32_t>(length));
    size_ += 5 + length;
  }
}

Builder& Builder::value(View view) {
  if (!view.exists()) return null();
  element();
  const std::size_t bytes = view.encoded_size();
  std::memcpy(reserve(bytes), view.node(), bytes);
  size_ += bytes;
  return *this;
}

Builder& Builder::begin_array() {
  element();
  reserve(kHeader);
  open_.push_back({size_, 0, false});
  size_ += kHeader;
  return *this;
}

Builder& Builder::begin_object() {
  element();
  reserve(kHeader);
  open_.push_back({size_, 0, true});
  size_ += kHeader;
  return *this;
}

Builder& Builder::key(std::string_view name) {
  assert(!open_.empty() && open_.back().object);
  ++open_.back().count;
  std::uint8_t* to = reserve(name.size() + 5);
  if (name.size() < kLongKey) {
    *to++ = static_cast<std::uint8_t>(name.size());
    size_ += 1;
  } else {
    *to++ = kLongKey;
    store(to, static_cast<std::uint32_t>(name.size()));
    to += 4;
    size_ += 5;
  }
  if (!name.empty()) std::memcpy(to, name.data(), name.size());
  size_ += name.size();
  return *this;
}

// Moves bytes a little to the left, eight at a time: up to seven bytes behind them are read, and written over.
static void shift_left(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes; done += 8) store(to + done, load<std::uint64_t>(from + done));
}

std::uint8_t* Builder::close(std::uint8_t* header, std::uint8_t* end, std::size_t count, bool object) {
  const auto bytes = static_cast<std::size_t>(end - header) - kHeader;
  if (count == 0) {
    *header = object ? kEmptyObject : kEmptyArray;
    return header + 1;
  }
  if (bytes <= 0xff) {  // and so is the count: nothing takes less than a byte
    *header = object ? kSmallObject : kSmallArray;
    header[1] = static_cast<std::uint8_t>(bytes);
    header[2] = static_cast<std::uint8_t>(count);
    shift_left(header + kSmallHeader, header + kHeader, bytes);
    return header + kSmallHeader + bytes;
  }
  *header = object ? kLargeObject : kLargeArray;
  store(header + 1, static_cast<std::uint32_t>(bytes));
  store(header + 5, static_cast<std::uint32_t>(count));
  return end;
}

Builder& Builder::end() {
  assert(!open_.empty());
  const Frame frame = open_.back();
  open_.pop_back();
  reserve(8);  // for shift_left
  size_ = static_cast<std::size_t>(close(bytes_ + frame.header, bytes_ + size_, frame.count, frame.object) - bytes_);
  return *this;
}

Value Builder::finish() {
  assert(open_.empty() && size_ != 0);
  // A block that is much larger than its contents gives the rest back.
  if (capacity_ - size_ > 16) {
    if (void* smaller = std::realloc(block_, sizeof(Value::Block) + size_))
      block_ = static_cast<Value::Block*>(smaller);
  }
  auto* block = new (block_) Value::Block;
  block->size = static_cast<std::uint32_t>(size_);
  block_ = nullptr;
  bytes_ = nullptr;
  size_ = capacity_ = 0;
  return Value(block, block->bytes());
}

}  // namespace flyball::json
