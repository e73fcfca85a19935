// RawJson: JSON that is carried and not looked at, as its text. What managedFields holds, a third of a stored object.
//
//   if (!entry.fieldsV1.empty()) use(entry.fieldsV1.value());
//   entry.fieldsV1 = json::object({{"f:spec", json::object()}});
//
// Equality is that of the text. Thread-safety: a value.
#pragma once

#include <string>
#include <string_view>

namespace flyball::json {
class Value;
}

namespace flyball::kube {

class RawJson {
 public:
  RawJson() = default;
  RawJson(const json::Value& value);
  // Text that is known to be JSON, and text that a peer says is: that is checked when it is used.
  static RawJson checked(std::string_view text) { return RawJson(text, true); }
  static RawJson unchecked(std::string_view text) { return RawJson(text, false); }

  bool empty() const { return text_.empty(); }
  // As it was given.
  const std::string& text() const { return text_; }
  // Throws InputError when the text is not JSON. Null when empty.
  json::Value value() const;
  // Throws InputError when the text is not JSON.
  void check() const;

  friend bool operator==(const RawJson& a, const RawJson& b) { return a.text_ == b.text_; }

 private:
  RawJson(std::string_view text, bool is_json) : text_(text), is_json_(is_json) {}

  std::string text_ = {};
  bool is_json_ = true;
};

}  // namespace flyball::kube
