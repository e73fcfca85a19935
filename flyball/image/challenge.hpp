// What a registry asks for: its WWW-Authenticate header.
//
//   parse_challenge(R"(Bearer realm="https://auth.example.com/token",service="registry")")
//
// Thread-safety: a pure function.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace flyball::image {

struct Challenge {
  std::string scheme = {};  // lower case: "bearer", "basic"; empty: none that can be read
  std::map<std::string, std::string> parameters = {};
};

Challenge parse_challenge(std::string_view header);

}  // namespace flyball::image
