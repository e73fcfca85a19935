// The steps of the chain that differ by kind: defaults, what a write may set, checks. Built-in kinds have their Rules,
// custom ones their schema; this is where both become one.
//
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/object.hpp"
#include "flyball/apiserver/problems.hpp"

namespace flyball::apiserver {

// Which part of an object a write is about.
enum class Part : std::uint8_t { whole, status };

void set_defaults(Object& object);
// Takes away what this write may not set, counts generations. `old` is null on create.
void prepare(Context& context, Object& object, const Object* old, Part part);
Problems validate(const Object& object, const Object* old, Part part);
std::vector<std::string> warnings_of(const Object& object, const Object* old);
// How long it stays after DELETE; nothing: it goes at once.
std::optional<std::int64_t> grace_of(const Object& object, std::optional<std::int64_t> asked);

// What custom resources lose because their schema does not know it: `unknown field "spec.x"`.
std::vector<std::string> prune(Object& object);

// Whether everything that counts for metadata.generation is the same.
bool same_generation(const Object& object, const Object& old);

}  // namespace flyball::apiserver
