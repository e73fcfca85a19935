// json::Positions: where in a text each part of a value was written.
//
// Later checks (an unknown field, a value out of range) know a JSON Pointer; a person wants a line. Readers fill a
// Positions only when asked to, because it costs one entry per member and element.
//
//   json::Positions positions;
//   json::Value value = json::parse_yaml(text, {.positions = &positions});
//   throw InputError(positions.nearest("/spec/replics"), "spec.replics", "unknown field");   // "line 7, column 3: …"
//
// Thread-safety: as a std::map: many readers or one writer.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "flyball/base/error.hpp"

namespace flyball::json {

class Positions {
 public:
  void add(std::string pointer, Position position) { by_pointer_.insert_or_assign(std::move(pointer), position); }
  void clear() { by_pointer_.clear(); }
  std::size_t size() const { return by_pointer_.size(); }

  // A member stands where its key starts, an element where its value starts. Line 0 when the pointer is not known.
  Position find(std::string_view pointer) const {
    const auto found = by_pointer_.find(std::string(pointer));
    return found == by_pointer_.end() ? Position() : found->second;
  }

  // The position of the pointer, or of the closest thing around it: for members that are missing.
  Position nearest(std::string_view pointer) const {
    for (;;) {
      if (const Position position = find(pointer); position.line != 0 || pointer.empty()) return position;
      const std::size_t slash = pointer.rfind('/');
      pointer = slash == std::string_view::npos ? std::string_view() : pointer.substr(0, slash);
    }
  }

 private:
  std::unordered_map<std::string, Position> by_pointer_;
};

}  // namespace flyball::json
