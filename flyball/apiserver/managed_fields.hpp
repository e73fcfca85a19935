// Managed fields: who set what. The bridge between the chain and merge/, which knows the rules.
//
// Thread-safety: pure functions of a Context.
#pragma once

#include <string_view>

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/object.hpp"
#include "flyball/apiserver/options.hpp"

namespace flyball::apiserver {

// After a create, an update or a patch: the writer owns what it changed. `live` is null on create.
void track_write(Context& context, Object& next, const Object* live, const WriteOptions& options,
                 std::string_view subresource);

// Server-side apply. `live` is null when there is nothing yet. Throws Refusal 409 for conflicts.
Object apply_fields(Context& context, json::View applied, const Object* live, const WriteOptions& options,
                    std::string_view subresource);

// A write that changes nothing but the times of managed fields changes nothing.
void keep_times_if_same(Object& next, const Object& live);

}  // namespace flyball::apiserver
