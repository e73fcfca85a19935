#include "flyball/cel/value.hpp"

#include <algorithm>
#include <unordered_map>

#include "flyball/cel/operations.hpp"
#include "flyball/json/builder.hpp"

namespace flyball::cel {
namespace {

class Text final : public Payload {
 public:
  explicit Text(std::string from) : text(std::move(from)) {}
  std::string text;
};

class TypeHolder final : public Payload {
 public:
  explicit TypeHolder(TypeRef from) : type(std::move(from)) {}
  TypeRef type;
};

class Inner final : public Payload {
 public:
  explicit Inner(Value from) : value(std::move(from)) {}
  Value value;
};

class ElementList final : public List {
 public:
  explicit ElementList(std::vector<Value> elements) : elements_(std::move(elements)) {}
  std::size_t size() const override { return elements_.size(); }
  Value at(std::size_t index) const override { return elements_[index]; }

 private:
  std::vector<Value> elements_;
};

class JsonList final : public List {
 public:
  explicit JsonList(json::Value document) : document_(std::move(document)) {
    elements_.reserve(document_.size());
    for (const json::View element : document_.items()) elements_.push_back(element);
  }
  std::size_t size() const override { return elements_.size(); }
  Value at(std::size_t index) const override { return from_json(document_.slice(elements_[index])); }

 private:
  json::Value document_;
  std::vector<json::View> elements_;
};

class JsonMap final : public Map {
 public:
  explicit JsonMap(json::Value document) : document_(std::move(document)) {}
  std::size_t size() const override { return document_.size(); }
  std::optional<Value> find(const Value& key) const override {
    if (!key.is(Value::Kind::string)) return std::nullopt;
    const json::View member = document_[std::string_view(key.text())];
    if (!member.exists()) return std::nullopt;
    return from_json(document_.slice(member));
  }
  std::vector<Value> keys() const override {
    std::vector<Value> keys;
    keys.reserve(document_.size());
    for (const auto& [key, value] : document_.entries()) keys.push_back(Value::string(std::string(key)));
    return keys;
  }

 private:
  json::Value document_;
};

}  // namespace

Value Value::boolean(bool value) {
  Value made(Kind::boolean, nullptr);
  made.bits_.integer = value ? 1 : 0;
  return made;
}
Value Value::integer(std::int64_t value) {
  Value made(Kind::integer, nullptr);
  made.bits_.integer = value;
  return made;
}
Value Value::unsigned_integer(std::uint64_t value) {
  Value made(Kind::unsigned_integer, nullptr);
  made.bits_.unsigned_integer = value;
  return made;
}
Value Value::real(double value) {
  Value made(Kind::real, nullptr);
  made.bits_.real = value;
  return made;
}
Value Value::string(std::string text) { return {Kind::string, std::make_shared<Text>(std::move(text))}; }
Value Value::bytes(std::string bytes) { return {Kind::bytes, std::make_shared<Text>(std::move(bytes))}; }
Value Value::error(std::string message) { return {Kind::error, std::make_shared<Text>(std::move(message))}; }
Value Value::list(std::vector<Value> elements) { return list(std::make_shared<ElementList>(std::move(elements))); }
Value Value::list(std::shared_ptr<const List> list) { return {Kind::list, std::move(list)}; }
Value Value::map(std::shared_ptr<const Map> map) { return {Kind::map, std::move(map)}; }
Value Value::map(std::vector<std::pair<Value, Value>> entries) {
  auto made = std::make_shared<HashMap>();
  for (auto& [key, value] : entries) made->set(std::move(key), std::move(value));
  return map(std::shared_ptr<const Map>(std::move(made)));
}
Value Value::duration(std::int64_t nanoseconds) {
  Value made = integer(nanoseconds);
  made.kind_ = Kind::duration;
  return made;
}
Value Value::timestamp(std::int64_t seconds, std::int32_t nanoseconds, std::int32_t offset) {
  Value made = integer(seconds);
  made.kind_ = Kind::timestamp;
  made.nanoseconds_ = nanoseconds;
  made.offset_ = offset;
  return made;
}
Value Value::type(TypeRef type) { return {Kind::type, std::make_shared<TypeHolder>(std::move(type))}; }
Value Value::optional(Value value) { return {Kind::optional, std::make_shared<Inner>(std::move(value))}; }
Value Value::none() { return {Kind::optional, nullptr}; }
Value Value::object(std::shared_ptr<const Object> object) { return {Kind::object, std::move(object)}; }

const std::string& Value::text() const { return static_cast<const Text&>(*payload_).text; }
const TypeRef& Value::as_type() const { return static_cast<const TypeHolder&>(*payload_).type; }
const Value& Value::inner() const { return static_cast<const Inner&>(*payload_).value; }

Value from_json(const json::Value& document) {
  switch (document.kind()) {
    case json::Kind::boolean: return Value::boolean(document.as_bool());
    case json::Kind::integer: return Value::integer(document.as_int());
    case json::Kind::number: return Value::real(document.as_double());
    case json::Kind::string: return Value::string(std::string(document.as_string()));
    case json::Kind::array: return Value::list(std::make_shared<JsonList>(document));
    case json::Kind::object: return Value::map(std::make_shared<JsonMap>(document));
    default: return {};
  }
}

TypeRef type_of(const Value& value) {
  static const TypeRef list = list_type(dyn_type());
  static const TypeRef map = map_type(dyn_type(), dyn_type());
  static const TypeRef optional = opaque_type("optional_type");
  switch (value.kind()) {
    case Value::Kind::null: return null_type();
    case Value::Kind::boolean: return bool_type();
    case Value::Kind::integer: return int_type();
    case Value::Kind::unsigned_integer: return uint_type();
    case Value::Kind::real: return double_type();
    case Value::Kind::string: return string_type();
    case Value::Kind::bytes: return bytes_type();
    case Value::Kind::list: return list;
    case Value::Kind::map: return map;
    case Value::Kind::duration: return duration_type();
    case Value::Kind::timestamp: return timestamp_type();
    case Value::Kind::type: return type_type();
    case Value::Kind::optional: return optional;
    case Value::Kind::object: return value.as_object().type();
    case Value::Kind::error: break;
  }
  return error_type();
}

// Keys are few and mostly strings: a vector in the order of writing, with an index of hashes.
std::size_t HashMap::hash(const Value& key) {
  switch (key.kind()) {
    case Value::Kind::string:
    case Value::Kind::bytes: return std::hash<std::string>()(key.text());
    case Value::Kind::real: return std::hash<double>()(key.as_double());
    default: return std::hash<std::int64_t>()(key.as_int());
  }
}

const Value* HashMap::lookup(const Value& key) const {
  const auto [begin, end] = index_.equal_range(hash(key));
  for (auto at = begin; at != end; ++at) {
    const auto& entry = entries_[at->second];
    if (entry.first.kind() == key.kind() && equal(entry.first, key).is_true()) return &entry.second;
  }
  return nullptr;
}

void HashMap::set(Value key, Value value) {
  if (const Value* found = lookup(key)) {
    const_cast<Value&>(*found) = std::move(value);  // NOLINT(cppcoreguidelines-pro-type-const-cast): this map's own
    return;
  }
  index_.emplace(hash(key), entries_.size());
  entries_.emplace_back(std::move(key), std::move(value));
}

void HashMap::erase(const Value& key) {
  std::erase_if(entries_, [&](const auto& entry) {
    return entry.first.kind() == key.kind() && equal(entry.first, key).is_true();
  });
  index_.clear();
  for (std::size_t i = 0; i < entries_.size(); ++i) index_.emplace(hash(entries_[i].first), i);
}

// A number finds its equals of the other kinds: {1: 'a'}[1u].
std::optional<Value> HashMap::find(const Value& key) const {
  if (const Value* found = lookup(key)) return *found;
  for (const Value& other : equal_numbers(key)) {
    if (const Value* found = lookup(other)) return *found;
  }
  return std::nullopt;
}

std::vector<Value> HashMap::keys() const {
  std::vector<Value> keys;
  keys.reserve(entries_.size());
  for (const auto& [key, value] : entries_) keys.push_back(key);
  return keys;
}

Value insert(const Value& map, const Value& key, const Value& value) {
  if (map.as_map().find(key)) return Value::error("insert failed: key " + go_text(key) + " already exists");
  if (auto growing = std::dynamic_pointer_cast<const GrowingMap>(map.payload())) {
    const_cast<GrowingMap&>(*growing).entries.set(key, value);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    return map;
  }
  auto copy = std::make_shared<HashMap>();
  for (const Value& each : map.as_map().keys()) copy->set(each, *map.as_map().find(each));
  copy->set(key, value);
  return Value::map(std::shared_ptr<const Map>(std::move(copy)));
}

}  // namespace flyball::cel
