#include "flyball/json/value.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "flyball/json/builder.hpp"
#include "flyball/json/detail/block.hpp"
#include "flyball/json/detail/encoding.hpp"
#include "flyball/json/detail/key_index.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {

using namespace encoding;

namespace {

constexpr std::array<Kind, 256> kKinds = [] {
  std::array<Kind, 256> kinds{};
  kinds[kNull] = Kind::null;
  kinds[kFalse] = kinds[kTrue] = Kind::boolean;
  kinds[kInt8] = kinds[kInt16] = kinds[kInt32] = kinds[kInt64] = Kind::integer;
  kinds[kDouble] = Kind::number;
  kinds[kLongString] = Kind::string;
  kinds[kEmptyArray] = kinds[kSmallArray] = kinds[kLargeArray] = Kind::array;
  kinds[kEmptyObject] = kinds[kSmallObject] = kinds[kLargeObject] = Kind::object;
  for (std::size_t tag = kTinyInt; tag < kShortString; ++tag) kinds[tag] = Kind::integer;
  for (std::size_t tag = kShortString; tag < 256; ++tag) kinds[tag] = Kind::string;
  return kinds;
}();

constexpr std::uint8_t kStaticFalse[] = {kFalse};
constexpr std::uint8_t kStaticTrue[] = {kTrue};

[[noreturn]] void wrong_kind(std::string_view expected, View found) {
  std::string text = "expected " + std::string(expected) + ", found ";
  text += found.exists() ? summary(found) : std::string("nothing");
  throw TypeError(text);
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  a ^= b + 0x9e3779b97f4a7c15U + (a << 6) + (a >> 2);
  a *= 0xff51afd7ed558ccdU;
  return a ^ (a >> 32);
}

// The integer a double stands for, when it stands for one exactly.
std::optional<std::int64_t> exact_int(double value) {
  constexpr double kLimit = 9223372036854775808.0;
  if (value < -kLimit || value >= kLimit || std::trunc(value) != value) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

bool numbers_equal(View a, View b) {
  if (a.is_int() && b.is_int()) return a.as_int() == b.as_int();
  if (!a.is_int() && !b.is_int()) return a.as_double() == b.as_double();
  const auto whole = exact_int(a.is_int() ? b.as_double() : a.as_double());
  return whole.has_value() && *whole == (a.is_int() ? a.as_int() : b.as_int());
}

bool objects_equal(View a, View b) {
  if (a.size() != b.size()) return false;
  // Objects that come from one writer have their keys in one order: compare in step, look up only after a difference.
  auto in_step = b.entries().begin();
  std::optional<KeyIndex> index;
  for (auto [key, value] : a.entries()) {
    if (!index) {
      if (const Entry other = *in_step; other.key == key) {
        if (!(value == other.value)) return false;
        ++in_step;
        continue;
      }
      index.emplace(b);
    }
    if (!(value == index->find(key))) return false;
  }
  return true;
}

}  // namespace

std::string_view describe(Kind kind) {
  switch (kind) {
    case Kind::absent: return "nothing";
    case Kind::null: return "null";
    case Kind::boolean: return "a boolean";
    case Kind::integer: return "an integer";
    case Kind::number: return "a number";
    case Kind::string: return "a string";
    case Kind::array: return "an array";
    case Kind::object: return "an object";
  }
  return "nothing";
}

Items::iterator& Items::iterator::operator++() {
  at_ = skip(at_);
  return *this;
}

Entry Entries::iterator::operator*() const {
  const auto* at = at_;
  const auto key = take_key(at);
  return {key, View::at_node(at)};
}

Entries::iterator& Entries::iterator::operator++() {
  take_key(at_);
  at_ = skip(at_);
  return *this;
}

Kind View::kind() const { return node_ == nullptr ? Kind::absent : kKinds[*node_]; }

bool View::as_bool() const {
  if (!is_bool()) wrong_kind("a boolean", *this);
  return *node_ == kTrue;
}

std::int64_t View::as_int() const {
  if (!is_int()) wrong_kind("an integer", *this);
  return int_at(node_);
}

double View::as_double() const {
  if (is_int()) return static_cast<double>(int_at(node_));
  if (kind() != Kind::number) wrong_kind("a number", *this);
  return load<double>(node_ + 1);
}

std::string_view View::as_string() const {
  if (!is_string()) wrong_kind("a string", *this);
  return string_at(node_);
}

std::string_view View::string_or(std::string_view fallback) const { return is_string() ? string_at(node_) : fallback; }

View View::operator[](std::string_view key) const {
  if (!is_object()) return {};
  const auto [begin, end, count] = contents(node_);
  for (const auto* at = begin; at != end; at = skip(at)) {
    if (take_key(at) == key) return View(at);
  }
  return {};
}

View View::operator[](std::size_t index) const {
  if (!is_array()) return {};
  const auto [begin, end, count] = contents(node_);
  if (index >= count) return {};
  const auto* at = begin;
  while (index-- != 0) at = skip(at);
  return View(at);
}

std::size_t View::size() const { return kind() == Kind::array || kind() == Kind::object ? contents(node_).count : 0; }

Items View::items() const {
  Items items;
  if (!is_array()) return items;
  const auto [begin, end, count] = contents(node_);
  items.begin_ = begin;
  items.end_ = end;
  items.count_ = count;
  return items;
}

Entries View::entries() const {
  Entries entries;
  if (!is_object()) return entries;
  const auto [begin, end, count] = contents(node_);
  entries.begin_ = begin;
  entries.end_ = end;
  entries.count_ = count;
  return entries;
}

std::size_t View::encoded_size() const { return node_ == nullptr ? 0 : static_cast<std::size_t>(skip(node_) - node_); }

bool View::equal(View a, View b) {
  if (a.node_ == b.node_) return true;
  if (!a.exists() || !b.exists()) return false;
  const std::size_t bytes = a.encoded_size();
  if (bytes == b.encoded_size() && std::memcmp(a.node_, b.node_, bytes) == 0) return true;
  if (a.is_number() && b.is_number()) return numbers_equal(a, b);
  if (a.kind() != b.kind()) return false;
  if (a.is_object()) return objects_equal(a, b);
  if (!a.is_array() || a.size() != b.size()) return false;  // scalars with other bytes are other values
  auto other = b.items().begin();
  for (View element : a.items()) {
    if (!equal(element, *other++)) return false;
  }
  return true;
}

std::uint64_t View::hash() const {
  const std::hash<std::string_view> of_text;
  const auto tagged = [](Kind kind, std::uint64_t content) { return mix(static_cast<std::uint64_t>(kind), content); };
  switch (kind()) {
    case Kind::absent:
    case Kind::null: return tagged(kind(), 0);
    case Kind::boolean: return tagged(Kind::boolean, as_bool() ? 1 : 0);
    case Kind::integer: return tagged(Kind::integer, static_cast<std::uint64_t>(as_int()));
    case Kind::number: {
      const double value = as_double();
      if (const auto whole = exact_int(value)) return tagged(Kind::integer, static_cast<std::uint64_t>(*whole));
      return tagged(Kind::number, std::hash<double>{}(value));
    }
    case Kind::string: return tagged(Kind::string, of_text(as_string()));
    case Kind::array: {
      std::uint64_t sum = size();
      for (View element : items()) sum = mix(sum, element.hash());
      return tagged(Kind::array, sum);
    }
    case Kind::object: {
      std::uint64_t sum = size();  // addition: the order of the members must not count
      for (auto [key, value] : entries()) sum += mix(of_text(key), value.hash());
      return tagged(Kind::object, sum);
    }
  }
  return 0;
}

Value::Value() : View(kStaticNull) {}

Value Value::of_bool(bool value) { return {nullptr, value ? kStaticTrue : kStaticFalse}; }

Value Value::of_int(std::int64_t value) { return Builder().integer(value).finish(); }

Value Value::of_unsigned(std::uint64_t value) {
  const auto as_signed = static_cast<std::int64_t>(value);
  return as_signed >= 0 ? of_int(as_signed) : Value(static_cast<double>(value));
}

Value::Value(double value) : Value(Builder().number(value).finish()) {}

Value::Value(std::string_view text) : Value(Builder(text.size() + 8).string(text).finish()) {}

Value::Value(View view) : Value(Builder(view.encoded_size()).value(view).finish()) {}

Value::Value(const Value& other) noexcept : View(other.node_), block_(other.block_) {
  if (block_ != nullptr) block_->references.fetch_add(1, std::memory_order_relaxed);
}

Value::Value(Value&& other) noexcept : View(other.node_), block_(other.block_) {
  other.block_ = nullptr;
  other.node_ = kStaticNull;
}

Value& Value::operator=(Value other) & noexcept {
  std::swap(node_, other.node_);
  std::swap(block_, other.block_);
  return *this;
}

Value::~Value() {
  if (block_ != nullptr && block_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) std::free(block_);
}

Value Value::slice(View part) const {
  Value copy(*this);
  assert(!part.exists() || block_ == nullptr ||
         (part.node() >= block_->bytes() && part.node() < block_->bytes() + block_->size));
  copy.node_ = part.node();
  return copy;
}

std::size_t Value::memory() const { return sizeof(Value) + (block_ == nullptr ? 0 : sizeof(Block) + block_->size); }

Value object(std::initializer_list<std::pair<std::string_view, Value>> members) {
  Builder builder;
  builder.begin_object();
  for (const auto* member = members.begin(); member != members.end(); ++member) {
    bool last = true;
    for (const auto* later = member + 1; later != members.end(); ++later) last = last && later->first != member->first;
    if (last) builder.key(member->first).value(member->second);
  }
  return builder.end().finish();
}

Value array(std::initializer_list<Value> elements) {
  Builder builder;
  builder.begin_array();
  for (const auto& element : elements) builder.value(element);
  return builder.end().finish();
}

}  // namespace flyball::json
