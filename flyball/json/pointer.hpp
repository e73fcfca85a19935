// json::Pointer: the address of one value inside a document (JSON Pointer, RFC 6901).
//
//   json::View image = json::find(pod, "/spec/containers/0/image");            // absent when there is none
//   const auto annotations = json::Pointer("/metadata/annotations");
//   json::find(pod, annotations / "example.com/owner");                        // parts need no escaping
//   (annotations / "a/b").to_string();                                         // "/metadata/annotations/a~1b"
//
// As text every part stands behind a '/', with '~' written ~0 and '/' written ~1; the empty text is the whole document.
// Whether a part of digits is an index or a member's name is decided by the document it is used on.
//
// Errors: text that is no pointer throws PointerError, with what to write instead.
// Thread-safety: a value like a string.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/json/path.hpp"
#include "flyball/json/value.hpp"

namespace flyball::json {

// The text is not a JSON Pointer.
class PointerError : public InputError {
 public:
  explicit PointerError(std::string problem) : InputError({}, "", std::move(problem)) {}
};

struct PointerOptions {
  // Take a '~' that is not part of ~0 or ~1 as it stands, as kube-apiserver does in patches. Default: an error.
  bool literal_tilde = false;
};

class Pointer {
 public:
  // The whole document.
  Pointer() = default;
  Pointer(std::string_view text, const PointerOptions& options = {});
  Pointer(const char* text) : Pointer(std::string_view(text)) {}
  Pointer(const std::string& text) : Pointer(std::string_view(text)) {}
  // From parts that are not escaped: Pointer::of({"metadata", "labels", "a/b"}).
  static Pointer of(std::vector<std::string> parts);

  // The parts, not escaped.
  const std::vector<std::string>& parts() const { return parts_; }
  // The whole document?
  bool is_root() const { return parts_.empty(); }
  std::size_t depth() const { return parts_.size(); }
  // The last part. Not of the root.
  const std::string& back() const { return parts_.back(); }

  // One level up; the root is its own parent.
  Pointer parent() const;
  // One level down.
  Pointer child(std::string_view member) const;
  Pointer child(std::size_t index) const { return child(std::to_string(index)); }
  friend Pointer operator/(const Pointer& parent, std::string_view member) { return parent.child(member); }
  friend Pointer operator/(const Pointer& parent, const char* member) { return parent.child(member); }
  friend Pointer operator/(const Pointer& parent, std::integral auto index) {
    return parent.child(static_cast<std::size_t>(index));
  }
  // True when this is `other` or stands above it.
  bool contains(const Pointer& other) const;

  std::string to_string() const;
  // As people write it: `spec.containers[0].image`. Digits are taken as an index.
  std::string path() const { return path_of_pointer(to_string()); }

  friend bool operator==(const Pointer&, const Pointer&) = default;
  friend auto operator<=>(const Pointer&, const Pointer&) = default;

 private:
  std::vector<std::string> parts_;
};

// What `pointer` leads to, absent when it leads nowhere.
View find(View document, const Pointer& pointer);
// The same in a temporary: the slice keeps the buffer alive.
Value find(Value&& document, const Pointer& pointer);

// The array index a part stands for: digits without a leading zero.
std::optional<std::size_t> index_of_part(std::string_view part);

// Appends "/" and the part, escaped.
void append_part(std::string& pointer, std::string_view part);

}  // namespace flyball::json
