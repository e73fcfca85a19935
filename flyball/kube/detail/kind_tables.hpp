// The index of kinds that tools/kubegen writes. Private to the room: kinds.hpp is for everybody.
#pragma once

#include <cstddef>

#include "flyball/reflect/type.hpp"

namespace flyball::kube::detail {

extern const reflect::TypeRef kKinds[];  // by group, version and kind
extern const std::size_t kKindCount;
extern const reflect::TypeRef kServed[];  // what is a resource of its own, in the order of discovery
extern const std::size_t kServedCount;

}  // namespace flyball::kube::detail
