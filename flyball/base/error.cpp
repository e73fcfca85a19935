#include "flyball/base/error.hpp"

namespace flyball {

std::string InputError::compose(Position position, const std::string& path, const std::string& problem) {
  std::string text;
  if (position.line != 0) {
    text += "line " + std::to_string(position.line) + ", column " + std::to_string(position.column) + ": ";
  }
  if (!path.empty()) text += path + ": ";
  return text + problem;
}

}  // namespace flyball
