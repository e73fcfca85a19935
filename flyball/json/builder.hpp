// json::Builder: makes a Value part by part, in one pass, without intermediate values.
//
//   json::Builder b;
//   b.begin_object();
//   b.key("name").string("web");
//   b.key("ports").begin_array().integer(80).integer(443).end();
//   b.end();
//   json::Value value = b.finish();
//
// The calls must form one complete value: every key is followed by a value, every begin by an end. Breaking that is a
// mistake of the caller and an assertion. A key given twice stays in twice: callers that read foreign input check.
//
// Thread-safety: none; a builder belongs to one thread. After finish() it is empty and may be used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "flyball/json/value.hpp"

namespace flyball::json {

class Builder {
 public:
  // `expected` bytes are set aside at the start; the size of the JSON text is a good guess.
  explicit Builder(std::size_t expected = 0);
  ~Builder();
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  Builder& null();
  Builder& boolean(bool value);
  Builder& integer(std::int64_t value);
  // `value` must be finite.
  Builder& number(double value);
  Builder& string(std::string_view text);
  // A whole value, copied as it is. Absent becomes null.
  Builder& value(View view);

  Builder& begin_array();
  Builder& begin_object();
  Builder& key(std::string_view name);
  // Closes the innermost array or object.
  Builder& end();

  // Back to the start, with nothing built; keeps the memory.
  void clear() {
    size_ = 0;
    open_.clear();
  }

  // How many containers are open.
  std::size_t depth() const { return open_.size(); }

  Value finish();

  // For the room's own readers: room for a string of at most `limit` bytes whose length is not known yet. Write to the
  // place returned, then say how many bytes there are; nothing else may come in between.
  char* begin_string(std::size_t limit);
  void end_string(std::size_t length);
  // The members of the innermost object so far, and where its contents begin.
  std::size_t open_count() const { return open_.back().count; }
  const std::uint8_t* open_contents() const { return bytes_ + open_.back().header + kHeader; }
  const std::uint8_t* position() const { return bytes_ + size_; }

 private:
  struct Frame {
    std::size_t header;  // where the container's header stands
    std::size_t count;
    bool object;
  };
  static constexpr std::size_t kHeader = 9;

  friend class FastParse;

  // Writes an integer in its smallest form; returns how many bytes of the nine at `to` it took.
  static std::size_t put_int(std::uint8_t* to, std::int64_t value);
  // Gives a container whose contents stand behind a large header the header it deserves; returns its new end. There
  // must be eight more bytes behind `end`.
  static std::uint8_t* close(std::uint8_t* header, std::uint8_t* end, std::size_t count, bool object);

  std::uint8_t* reserve(std::size_t bytes) {
    if (capacity_ - size_ < bytes) grow(bytes);
    return bytes_ + size_;
  }
  void grow(std::size_t bytes);
  // Counts an element of the innermost array; an object's members are counted by key().
  void element() {
    if (!open_.empty() && !open_.back().object) ++open_.back().count;
  }

  // The block that finish() hands to the Value: its header comes first, then the encoding.
  Value::Block* block_ = nullptr;
  std::uint8_t* bytes_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t string_data_ = 0;  // where begin_string() put its bytes
  std::vector<Frame> open_;
};

}  // namespace flyball::json
