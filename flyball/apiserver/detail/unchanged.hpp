// Parts of validate_update: which part of the old object a part of the new one was before.
//
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "flyball/apiserver/schema/structural.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver::detail {

struct Former {
  const SchemaNode* schema = nullptr;  // of both
  json::View value = {};
  json::View old = {};
};

// Nothing when the old object had no such part, or when it cannot be told: items of lists are only known again in
// lists that are maps, by their keys.
std::optional<Former> former_member(const Former& object, std::string_view name);
std::optional<Former> former_item(const Former& list, json::View item);

bool is_unchanged(const Former& part);

}  // namespace flyball::apiserver::detail
