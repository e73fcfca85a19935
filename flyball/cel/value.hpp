// Value: what an expression is made of while it is evaluated.
//
//   Value::integer(3);  Value::string("web");  Value::list({Value::boolean(true)});
//   from_json(json::parse(R"({"replicas": 3})"));     // reads the document as it is asked for, no copy
//   to_text(value);                                   // {"replicas": 3}: as it would be written in CEL
//
// An error is a value too: && and || look at both sides before they give up, so errors travel as values.
//
// Thread-safety: immutable, but for accumulators, which live inside one evaluation.
// Lifetime: a value keeps alive what it looks at.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/cel/type.hpp"
#include "flyball/json/value.hpp"

namespace flyball::cel {

class Value;

// What a value holds beyond a number.
class Payload {
 public:
  Payload() = default;
  Payload(const Payload&) = delete;
  Payload& operator=(const Payload&) = delete;
  virtual ~Payload() = default;
};

class List : public Payload {
 public:
  virtual std::size_t size() const = 0;
  virtual Value at(std::size_t index) const = 0;  // index < size()
};

class Map : public Payload {
 public:
  virtual std::size_t size() const = 0;
  virtual std::optional<Value> find(const Value& key) const = 0;
  virtual std::vector<Value> keys() const = 0;
};

// A value of a library's own type: a quantity, an address.
class Object : public Payload {
 public:
  virtual const TypeRef& type() const = 0;
  // Bool, or an error when the two cannot be compared.
  virtual Value equal(const Object& other) const = 0;
  virtual std::string text() const = 0;
  virtual std::optional<std::size_t> size() const { return std::nullopt; }
};

class Value {
 public:
  enum class Kind : std::uint8_t {
    null,
    boolean,
    integer,
    unsigned_integer,
    real,
    string,
    bytes,
    list,
    map,
    duration,
    timestamp,
    type,
    optional,
    object,
    error,
  };

  Value() = default;  // null
  static Value boolean(bool value);
  static Value integer(std::int64_t value);
  static Value unsigned_integer(std::uint64_t value);
  static Value real(double value);
  static Value string(std::string text);
  static Value bytes(std::string bytes);
  static Value list(std::vector<Value> elements);
  static Value list(std::shared_ptr<const List> list);
  // Later pairs win over earlier ones with an equal key.
  static Value map(std::vector<std::pair<Value, Value>> entries);
  static Value map(std::shared_ptr<const Map> map);
  static Value duration(std::int64_t nanoseconds);
  // `offset` is that of the zone it was written in, in seconds; it shows only in the text.
  static Value timestamp(std::int64_t seconds, std::int32_t nanoseconds, std::int32_t offset = 0);
  static Value type(TypeRef type);
  static Value optional(Value value);
  static Value none();
  static Value object(std::shared_ptr<const Object> object);
  static Value error(std::string message);

  Kind kind() const { return kind_; }
  bool is(Kind kind) const { return kind_ == kind; }
  bool is_error() const { return kind_ == Kind::error; }
  bool is_true() const { return kind_ == Kind::boolean && bits_.integer != 0; }
  bool is_false() const { return kind_ == Kind::boolean && bits_.integer == 0; }

  // Of the kind the name says; anything else is a broken invariant.
  bool as_bool() const { return bits_.integer != 0; }
  std::int64_t as_int() const { return bits_.integer; }
  std::uint64_t as_uint() const { return bits_.unsigned_integer; }
  double as_double() const { return bits_.real; }
  std::int64_t nanoseconds_of_duration() const { return bits_.integer; }
  std::int64_t seconds() const { return bits_.integer; }  // of a timestamp, since 1970
  std::int32_t nanoseconds() const { return nanoseconds_; }
  std::int32_t offset() const { return offset_; }
  const std::string& text() const;  // of a string, bytes, or an error's message
  const List& as_list() const { return static_cast<const List&>(*payload_); }
  const Map& as_map() const { return static_cast<const Map&>(*payload_); }
  const Object& as_object() const { return static_cast<const Object&>(*payload_); }
  const TypeRef& as_type() const;
  bool has_value() const { return payload_ != nullptr; }  // of an optional
  const Value& inner() const;
  const std::shared_ptr<const Payload>& payload() const { return payload_; }

 private:
  Value(Kind kind, std::shared_ptr<const Payload> payload) : kind_(kind), payload_(std::move(payload)) {}

  Kind kind_ = Kind::null;
  std::int32_t nanoseconds_ = 0;
  std::int32_t offset_ = 0;
  union {
    std::int64_t integer = 0;
    std::uint64_t unsigned_integer;
    double real;
  } bits_;
  std::shared_ptr<const Payload> payload_;
};

// The accumulators of comprehensions: `accumulator + [x]` appends to what is there instead of copying it.
class GrowingList final : public List {
 public:
  std::size_t size() const override { return elements.size(); }
  Value at(std::size_t index) const override { return elements[index]; }
  std::vector<Value> elements;
};

// A document as dyn: integers are int, other numbers double.
Value from_json(const json::Value& document);
// Throws Error for what JSON cannot say: non-finite numbers, keys that are no strings, types.
json::Value to_json(const Value& value);

// The value as CEL would write it, keys sorted: `{"a": [1, 2u, b"\001"]}`.
std::string to_text(const Value& value);
// As Go's %v shows it in messages: {a: [1, 2]}.
std::string go_text(const Value& value);
// A double as Go's %g: 1.5, 1e+06, NaN.
std::string go_double(double value);

// The type at run time.
TypeRef type_of(const Value& value);

}  // namespace flyball::cel
