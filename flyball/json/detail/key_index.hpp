// Looking up many keys of one object: linear for small objects, by hash for large ones. Private to the room.
#pragma once

#include <string_view>
#include <unordered_map>

#include "flyball/json/value.hpp"

namespace flyball::json {

// Keeps looking-up of n keys in an object of n members from costing n². Where a key stands twice the first is found,
// as View::operator[] does.
class KeyIndex {
 public:
  explicit KeyIndex(View object) : object_(object) {
    if (object.size() <= kSmall) return;
    by_key_.reserve(object.size());
    for (auto [key, value] : object.entries()) by_key_.emplace(key, value);
  }

  View find(std::string_view key) const {
    if (by_key_.empty()) return object_[key];
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? View() : found->second;
  }

 private:
  static constexpr std::size_t kSmall = 24;
  View object_;
  std::unordered_map<std::string_view, View> by_key_;
};

}  // namespace flyball::json
