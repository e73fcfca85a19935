// Which fields of an object a field manager owns, compared with those it wants.
//
//   if (holds(stored, desired) && owns_exactly(stored.metadata, "shop-operator", "apps/v1", json_of(desired)))
//     return;                                            // applying it would change nothing
//
// The server writes down who owns what in metadata.managedFields. Server-side apply changes something when a value is
// another, when the manager does not own one of the fields yet, or when it owns one that it no longer wants. The first
// is a matter of holds(); this is the rest. No schema is needed: the owned paths say themselves how lists are taken
// apart (by keys, as sets, or not at all).
//
// Thread-safety: a pure function.
#pragma once

#include <string_view>

#include "flyball/json/value.hpp"
#include "flyball/kube/meta/v1.hpp"

namespace flyball::runtime {

// `desired` is the object as it would be applied. A field that is owned as a whole counts, whatever is in it.
bool owns_exactly(const kube::meta::v1::ObjectMeta& stored, std::string_view manager, std::string_view api_version,
                  json::View desired);

}  // namespace flyball::runtime
