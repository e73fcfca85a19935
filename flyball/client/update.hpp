// What `update` sends: only what changed between what was read and what it shall become.
//
//   if (const auto patch = changes_between(read, changed, Part::object)) send(*patch);
//
// Fields that the server has and our types do not know stay as they are: they stand in neither document. The patch
// carries the version that was read, so that it fails with Conflict when somebody else was faster.
//
// It is a merge patch, except when something inside a list of objects changed: a merge patch would replace the list,
// and with it what we do not know of its elements, so a JSON patch addresses them one by one.
//
// Thread-safety: pure functions.
#pragma once

#include <optional>

#include "flyball/client/options.hpp"
#include "flyball/json/value.hpp"

namespace flyball::client {

enum class Part : std::uint8_t {
  object,  // everything; a status that the server keeps apart must not have changed
  status,  // the status alone
};

// Both are whole documents. Nothing when nothing changed. Throws InputError when `read` has no resourceVersion, or when
// they are not the same object.
std::optional<Patch> changes_between(const json::Value& read, const json::Value& changed, Part part,
                                     bool status_is_apart);

}  // namespace flyball::client
