#include "flyball/cluster/node/expand.hpp"

namespace flyball::cluster::node {

std::string expand(std::string_view text, const Variables& variables) {
  std::string out;
  while (!text.empty()) {
    const std::size_t dollar = text.find('$');
    out += text.substr(0, dollar);
    if (dollar == std::string_view::npos) break;
    text.remove_prefix(dollar + 1);
    if (text.starts_with('$')) {
      out += '$';
      text.remove_prefix(1);
      continue;
    }
    const std::size_t close = text.starts_with('(') ? text.find(')') : std::string_view::npos;
    if (close == std::string_view::npos) {
      out += '$';
      continue;
    }
    const std::string_view name = text.substr(1, close - 1);
    const auto found = variables.find(name);
    if (found != variables.end()) {
      out += found->second;
    } else {
      out.append("$(").append(name).append(")");
    }
    text.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace flyball::cluster::node
