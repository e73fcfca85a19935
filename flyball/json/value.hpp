// json::Value and json::View: dynamic JSON, as compact as its text.
//
// A Value is an immutable JSON document in one flat, reference-counted buffer. Copying it costs one increment. A
// View looks at a Value or at any part of it, the way a string_view looks at a string: one pointer, no ownership.
//
//   const json::Value pod = json::parse(text);                     // parse.hpp
//   std::string_view name = pod["metadata"]["name"].as_string();
//   for (json::View container : pod["spec"]["containers"].items()) use(container["image"].as_string());
//   for (auto [key, value] : pod["metadata"]["labels"].entries()) use(key, value.as_string());
//   json::Value spec = pod.slice(pod["spec"]);                     // shares the buffer of `pod`
//
// Reading is forgiving on the way and strict at the end: `[]` on something that is not there gives a View whose kind
// is `absent`, so chains need no checks; the `as_…` functions throw TypeError when the kind is not the one asked for.
// To make values: json::object and json::array below, json::Builder for streams of parts, json::Draft for edits.
//
// Equality and hash are those of JSON values: the order of keys does not matter, 1 equals 1.0.
// Numbers are int64 where the text is an integer that fits, double otherwise, as in Kubernetes' own decoder.
//
// Thread-safety: a Value is immutable; any number of threads may read it and copy it.
// Lifetime: a View, and the string_views it gives out, live as long as some Value that shares the buffer.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "flyball/base/error.hpp"

namespace flyball::json {

enum class Kind : std::uint8_t { absent, null, boolean, integer, number, string, array, object };

// "a string", "an object", …: the kind as it reads in a sentence.
std::string_view describe(Kind kind);

// An `as_…` was called on a value of another kind.
class TypeError : public Error {
 public:
  using Error::Error;
};

class View;

// The elements of an array, or nothing for any other kind.
class Items {
 public:
  class iterator {
   public:
    using value_type = View;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    View operator*() const;
    iterator& operator++();
    iterator operator++(int) {
      auto old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(const iterator&, const iterator&) = default;

   private:
    friend class Items;
    explicit iterator(const std::uint8_t* at) : at_(at) {}
    const std::uint8_t* at_ = nullptr;
  };

  iterator begin() const { return iterator(begin_); }
  iterator end() const { return iterator(end_); }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }

 private:
  friend class View;
  const std::uint8_t* begin_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  std::size_t count_ = 0;
};

struct Entry;

// The members of an object in their order, or nothing for any other kind.
class Entries {
 public:
  class iterator {
   public:
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    Entry operator*() const;
    iterator& operator++();
    iterator operator++(int) {
      auto old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(const iterator&, const iterator&) = default;

   private:
    friend class Entries;
    explicit iterator(const std::uint8_t* at) : at_(at) {}
    const std::uint8_t* at_ = nullptr;
  };

  iterator begin() const { return iterator(begin_); }
  iterator end() const { return iterator(end_); }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }

 private:
  friend class View;
  const std::uint8_t* begin_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  std::size_t count_ = 0;
};

class View {
 public:
  // Looks at nothing: `kind()` is absent.
  View() = default;
  View(const View&) = default;
  // Not of a temporary: `pod["spec"] = other` would change nothing. To edit, take a Draft.
  View& operator=(const View&) & = default;
  ~View() = default;

  Kind kind() const;
  bool exists() const { return node_ != nullptr; }
  explicit operator bool() const { return exists(); }
  bool is_null() const { return kind() == Kind::null; }
  bool is_bool() const { return kind() == Kind::boolean; }
  bool is_int() const { return kind() == Kind::integer; }
  // An integer or a double.
  bool is_number() const { return kind() == Kind::integer || kind() == Kind::number; }
  bool is_string() const { return kind() == Kind::string; }
  bool is_array() const { return kind() == Kind::array; }
  bool is_object() const { return kind() == Kind::object; }

  // Throw TypeError when the value is of another kind. as_double takes integers too.
  bool as_bool() const;
  std::int64_t as_int() const;
  double as_double() const;
  std::string_view as_string() const;

  // The string, or `fallback` when there is none (absent, null or of another kind).
  std::string_view string_or(std::string_view fallback) const;

  // The member of that name; absent when there is none or this is not an object. Costs one pass over the members.
  View operator[](std::string_view key) const;
  View operator[](const char* key) const { return (*this)[std::string_view(key)]; }
  // The element at that index; absent when there is none or this is not an array. Costs one pass over those before.
  View operator[](std::size_t index) const;
  View operator[](int index) const { return index < 0 ? View() : (*this)[static_cast<std::size_t>(index)]; }

  bool contains(std::string_view key) const { return (*this)[key].exists(); }

  // How many elements or members; 0 for a scalar.
  std::size_t size() const;
  bool empty() const { return size() == 0; }
  Items items() const;
  Entries entries() const;

  // Bytes of the flat encoding this value takes.
  std::size_t encoded_size() const;
  // The same for equal values, whatever the order of their keys. Stable within a process only.
  std::uint64_t hash() const;

  // Deep equality of JSON values. Absent equals only absent.
  friend bool operator==(View a, View b) { return equal(a, b); }

  // For the room's own use: the node in the flat encoding (encoding.hpp).
  const std::uint8_t* node() const { return node_; }
  static View at_node(const std::uint8_t* node) { return View(node); }

 protected:
  explicit View(const std::uint8_t* node) : node_(node) {}
  const std::uint8_t* node_ = nullptr;

 private:
  static bool equal(View a, View b);
};

// One member of an object: `for (auto [key, value] : view.entries())`.
struct Entry {
  std::string_view key;
  View value;
};

class Value : public View {
 public:
  Value();  // null
  Value(std::nullptr_t) : Value() {}
  Value(std::same_as<bool> auto value) : Value(of_bool(value)) {}
  Value(std::signed_integral auto value) : Value(of_int(value)) {}
  Value(std::unsigned_integral auto value)  // beyond int64 it becomes a double, as everywhere in Kubernetes
    requires(!std::same_as<decltype(value), bool>)
      : Value(of_unsigned(value)) {}
  Value(double value);  // must be finite: JSON has no other
  Value(std::string_view text);
  Value(const char* text) : Value(std::string_view(text)) {}
  Value(const std::string& text) : Value(std::string_view(text)) {}
  // Copies what `view` looks at into a buffer of its own; an absent view becomes null.
  explicit Value(View view);

  Value(const Value& other) noexcept;
  Value(Value&& other) noexcept;
  Value& operator=(Value other) & noexcept;
  ~Value();

  // A part of this value as a value: shares the buffer, copies nothing. `part` must look into this value; the slice
  // of an absent part is absent.
  Value slice(View part) const;

  // Navigation from a temporary keeps the buffer alive: `parse(text)["spec"]` is safe to hold.
  View operator[](std::string_view key) const& { return View::operator[](key); }
  View operator[](const char* key) const& { return View::operator[](key); }
  View operator[](std::size_t index) const& { return View::operator[](index); }
  View operator[](int index) const& { return View::operator[](index); }
  Value operator[](std::string_view key) && { return slice(View::operator[](key)); }
  Value operator[](const char* key) && { return slice(View::operator[](key)); }
  Value operator[](std::size_t index) && { return slice(View::operator[](index)); }
  Value operator[](int index) && { return slice(View::operator[](index)); }

  // Not from a temporary: `for (View item : parse(text).items())` would walk a buffer that is already gone.
  Items items() const& { return View::items(); }
  Items items() && = delete;
  Entries entries() const& { return View::entries(); }
  Entries entries() && = delete;

  // Bytes of memory this value keeps alive (its whole buffer, also when this is a slice of it).
  std::size_t memory() const;

 private:
  friend class Builder;
  struct Block;
  Value(Block* block, const std::uint8_t* node) : View(node), block_(block) {}
  static Value of_bool(bool value);
  static Value of_int(std::int64_t value);
  static Value of_unsigned(std::uint64_t value);

  Block* block_ = nullptr;  // null for the few values that live in static storage
};

// json::object({{"name", "web"}, {"ports", json::array({80, 443})}}). A key given twice keeps the last value.
Value object(std::initializer_list<std::pair<std::string_view, Value>> members = {});
Value array(std::initializer_list<Value> elements = {});

inline View Items::iterator::operator*() const { return View::at_node(at_); }

}  // namespace flyball::json

template <>
struct std::hash<flyball::json::Value> {
  std::size_t operator()(const flyball::json::Value& value) const { return value.hash(); }
};
