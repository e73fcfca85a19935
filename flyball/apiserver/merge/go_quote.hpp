// go_quote: a string as Go's %q prints it, which upstream's messages have manager names and keys in.
//
//   go_quote("kubectl")                     // "kubectl", with the quotes
//
// Thread-safety: pure function.
#pragma once

#include <string>
#include <string_view>

namespace flyball::apiserver::merge {

// For text that is UTF-8. Beyond ASCII only controls, spaces and formatting characters are escaped.
std::string go_quote(std::string_view text);

}  // namespace flyball::apiserver::merge
