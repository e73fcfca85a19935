// json::TextWriter: writes JSON text part by part, without a value in between. What the struct codecs write with.
//
//   std::string body;
//   json::TextWriter writer(body);
//   writer.begin_object();
//   writer.key("name").string("web");
//   writer.key("ports").begin_array().integer(80).integer(443).end_array();
//   writer.end_object();
//   writer.finish();
//
// Commas, colons and indentation come by themselves. The calls must form one complete value, as with json::Builder.
//
// Thread-safety: none; a writer belongs to one thread.
// Lifetime: the string must outlive the writer, and is complete only after finish().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "flyball/json/value.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {

class TextWriter {
 public:
  // Appends to `to`.
  explicit TextWriter(std::string& to, const WriteOptions& options = {});
  ~TextWriter() { finish(); }
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;

  TextWriter& null();
  TextWriter& boolean(bool value);
  TextWriter& integer(std::int64_t value);
  TextWriter& unsigned_integer(std::uint64_t value);
  TextWriter& number(double value);
  TextWriter& string(std::string_view text);
  // A whole value; absent is written as null.
  TextWriter& value(View value);
  // Text that is JSON already, copied as it is.
  TextWriter& raw(std::string_view json);

  TextWriter& begin_object();
  TextWriter& key(std::string_view name);
  // For a name in which nothing needs an escape: those of Kubernetes' own fields.
  TextWriter& plain_key(std::string_view name);
  TextWriter& end_object();
  TextWriter& begin_array();
  TextWriter& end_array();

  // The string now holds exactly what was written.
  void finish();

 private:
  char* reserve(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) grow(bytes);
    return at_;
  }
  void grow(std::size_t bytes);
  // Room for a value or a key and what stands before it.
  char* begin(std::size_t bytes) {
    if (options_.indent != 0) indent();
    return reserve(bytes);
  }
  void indent();
  void new_line();
  // Text in quotes, and what follows it.
  TextWriter& quote(std::string_view text, char after);
  TextWriter& put_comma(char* at);
  TextWriter& put_blank();
  TextWriter& open(char bracket);
  TextWriter& close(char bracket);
  void write_object(View object);

  // The string is kept longer than its contents, so that most writes are plain stores. A value is written with a comma
  // behind it, which the bracket or the end that follows the last one takes back.
  std::string& to_;
  char* at_;
  char* end_;
  std::size_t step_ = 0;
  const WriteOptions options_;
  int level_ = 0;
  bool after_key_ = false;  // when indenting
};

}  // namespace flyball::json
