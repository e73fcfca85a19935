// The operators of CEL on values: equality, order, arithmetic, conversion, with cel-go's errors.
//
//   add(Value::integer(1), Value::integer(2));              // 3
//   add(Value::integer(INT64_MAX), Value::integer(1));      // an error value: "integer overflow"
//   equal(Value::integer(1), Value::real(1.0));             // true: numbers compare across their kinds
//
// Thread-safety: pure functions.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "flyball/cel/value.hpp"

namespace flyball::cel {

inline constexpr std::int64_t kFirstSecond = -62'135'596'800;  // 0001-01-01T00:00:00Z
inline constexpr std::int64_t kLastSecond = 253'402'300'799;   // 9999-12-31T23:59:59Z

Value no_such_overload();

// Bool; an error where a library's type cannot be compared with the other side.
Value equal(const Value& a, const Value& b);
// -1, 0 or 1 as an int, or an error.
Value compare(const Value& a, const Value& b);

Value add(const Value& a, const Value& b);
Value subtract(const Value& a, const Value& b);
Value multiply(const Value& a, const Value& b);
Value divide(const Value& a, const Value& b);
Value modulo(const Value& a, const Value& b);
Value negate(const Value& a);

// The number of elements, entries, characters or bytes; nothing for what has no size.
std::optional<std::size_t> size_of(const Value& value);
bool contains(const List& list, const Value& element);
// 0, "", null, an empty list …
bool is_zero(const Value& value);
// The index that a number means, or an error in cel-go's words.
Value index_of(const Value& value);

// int(x), string(x) …; an error when the value is of no kind that converts.
Value convert(const Value& value, const TypeRef& to);

// The same number as the other kinds would hold it.
std::vector<Value> equal_numbers(const Value& number);

// A map made by an expression: keys of any kind that can be one, in the order they were written.
class HashMap final : public Map {
 public:
  HashMap() = default;
  HashMap(const HashMap& other) : Map(), entries_(other.entries_), index_(other.index_) {}
  HashMap& operator=(const HashMap&) = delete;
  std::size_t size() const override { return entries_.size(); }
  std::optional<Value> find(const Value& key) const override;
  std::vector<Value> keys() const override;
  void set(Value key, Value value);
  void erase(const Value& key);

 private:
  static std::size_t hash(const Value& key);
  const Value* lookup(const Value& key) const;

  std::vector<std::pair<Value, Value>> entries_;
  std::unordered_multimap<std::size_t, std::size_t> index_;
};

// A HashMap that an accumulator grows in place, as GrowingList.
class GrowingMap final : public Map {
 public:
  std::size_t size() const override { return entries.size(); }
  std::optional<Value> find(const Value& key) const override { return entries.find(key); }
  std::vector<Value> keys() const override { return entries.keys(); }
  HashMap entries;
};
// The map with one entry more; an error when it has the key.
Value insert(const Value& map, const Value& key, const Value& value);

// "2023-01-01T00:00:00.5+02:00" as Go's RFC 3339; nothing when it is none.
std::optional<Value> parse_timestamp(std::string_view text);
std::string timestamp_text(const Value& timestamp);           // in its own zone
std::string duration_seconds_text(std::int64_t nanoseconds);  // "1.5s"

}  // namespace flyball::cel
