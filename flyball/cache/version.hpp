// Versions of objects, as numbers. Kubernetes calls a resourceVersion opaque, and promises since 1.35 that those of one
// resource are whole numbers that grow. Whatever else comes is only ever compared for equality.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string_view>

namespace flyball::cache {

// The number; or, for what is none, a hash with the highest bit set.
std::uint64_t version_number(std::string_view resource_version);

inline bool is_ordered(std::uint64_t version) { return (version >> 63U) == 0; }

// Whether `a` is `b`, or certainly later.
inline bool at_least(std::uint64_t a, std::uint64_t b) { return a == b || (is_ordered(a) && is_ordered(b) && a > b); }

}  // namespace flyball::cache
