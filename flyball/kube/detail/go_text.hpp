// The words of flyball/kube/go_text.hpp for the room's own files.
#pragma once

#include "flyball/kube/go_text.hpp"

namespace flyball::kube::detail {

using go::character_size;
using go::describe;
using go::IntError;
using go::parse_int64;
using go::ParsedInt;
using go::quote;

}  // namespace flyball::kube::detail
