// How Go's package time quotes what it complains about: every byte outside printable ASCII as \xNN.
#pragma once

#include <string>
#include <string_view>

namespace flyball::kube::detail {

std::string time_quote(std::string_view text);

}  // namespace flyball::kube::detail
