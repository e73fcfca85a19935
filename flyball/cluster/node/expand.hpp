// expand: $(NAME) in commands, arguments and variables, as the kubelet reads it.
//
//   expand("--port=$(PORT)", values)      // "--port=11211"
//
// What is not known stays as it stands, and $$ is a dollar: $$(PORT) reads $(PORT).
//
// Thread-safety: a pure function.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace flyball::cluster::node {

using Variables = std::map<std::string, std::string, std::less<>>;

std::string expand(std::string_view text, const Variables& variables);

}  // namespace flyball::cluster::node
