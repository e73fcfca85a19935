// The environment, or what a test puts in its place.
#pragma once

#include <cstdlib>
#include <functional>
#include <string>

namespace flyball::client::detail {

using Variable = std::function<std::string(const char*)>;

// `given`, or the environment when there is none. A variable that is not set is empty.
inline Variable variable_or_environment(const Variable& given) {
  if (given) return given;
  return [](const char* name) -> std::string {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
    return value == nullptr ? "" : value;
  };
}

}  // namespace flyball::client::detail
