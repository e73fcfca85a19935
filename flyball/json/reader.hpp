// json::Reader: walks JSON text token by token, without building anything.
//
// It is what json::parse and the struct codecs stand on. The caller asks for what it expects; the reader checks the
// grammar and reports mistakes as ParseError with line, column and field path.
//
//   json::Reader reader(text);
//   reader.begin_object();
//   while (auto key = reader.next_member()) {
//     if (*key == "replicas") replicas = reader.number().as_int();
//     else reader.skip();
//   }
//   reader.finish();                              // nothing but white space may follow
//
// Thread-safety: none; a reader belongs to one thread.
// Lifetime: the text must outlive the reader. A string_view it returns is good until the next call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/json/value.hpp"

namespace flyball::json {

// The text is not JSON, or not the JSON that was asked for.
class ParseError : public InputError {
 public:
  using InputError::InputError;
};

struct Limits {
  // Arrays and objects within each other. Default: 1000.
  std::size_t depth = 1000;
  // Bytes of text. Default: 512 MiB.
  std::size_t size = std::size_t{512} << 20;
};

// A number as Kubernetes' decoder sees it: int64 when the text is an integer that fits, double otherwise.
struct Number {
  bool integer = true;
  std::int64_t as_int = 0;  // when integer
  double as_double = 0;     // always
};

class Reader {
 public:
  explicit Reader(std::string_view text, const Limits& limits = {});

  // The kind of the value that comes next: Kind::number for any number. Throws when no value can start here.
  Kind peek();

  void null();
  bool boolean();
  Number number();
  // Unescaped. Points into the text when nothing was escaped, else into the reader.
  std::string_view string();

  void begin_object();
  // The next member's name, with the cursor on its value; nothing when the object has ended.
  std::optional<std::string_view> next_member();

  void begin_array();
  // True with the cursor on the next element; false when the array has ended.
  bool next_element();

  // Passes over one value of any kind; its grammar is checked all the same.
  void skip();
  // The text of the next value, passed over and checked.
  std::string_view raw();

  // Checks that nothing follows.
  void finish();

  // Bytes of the text already passed.
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  std::size_t depth() const { return frames_.size(); }

  // What was passed since an earlier offset.
  std::string_view since(std::size_t offset) const {
    return {begin_ + offset, static_cast<std::size_t>(at_ - begin_) - offset};
  }

  // A place to come back to: after a value that turned out wrong, to pass over it as a whole.
  struct Mark {
    const char* at;
    std::size_t depth;
  };
  Mark mark() const { return {at_, frames_.size()}; }
  // `to` must be a place in a container that is still open.
  void rewind(const Mark& to);

  // Where the name of the innermost object's current member starts.
  std::size_t member_offset() const { return static_cast<std::size_t>(frames_.back().key - 1 - begin_); }

  // Where the cursor stands, and the same for an earlier offset. For errors: costs a pass over the text before it.
  Position position() const { return position_of(offset()); }
  Position position_of(std::size_t offset) const;
  std::string path() const;

  // Throws ParseError at the cursor, or at an earlier offset.
  [[noreturn]] void fail(std::string problem) const { fail_at(offset(), std::move(problem)); }
  [[noreturn]] void fail_at(std::size_t offset, std::string problem) const;

 private:
  struct Frame {
    const char* key;    // the first byte after the opening quote of the current member's name; null in an array
    std::size_t index;  // elements or members begun
    bool object;
  };

  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }
  void push(bool object);
  void literal(std::string_view word);
  // Moves to the first byte of a string's contents that is a quote, a backslash, a control character or not ASCII.
  void skip_plain();
  // With the cursor behind the opening quote: checks up to and over the closing quote; true when nothing was escaped.
  bool check_string();
  std::string_view unescape(const char* from, const char* to);
  std::string_view string_body();
  void check_utf8();
  std::string character() const;
  std::string found() const;
  std::string_view word() const;
  std::string hint() const;

  // Constant after construction.
  const char* begin_;
  const char* end_;
  Limits limits_;

  const char* at_;
  std::vector<Frame> frames_;
  std::string scratch_;
};

}  // namespace flyball::json
