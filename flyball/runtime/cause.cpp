#include "flyball/runtime/cause.hpp"

#include <algorithm>
#include <utility>

namespace flyball::runtime {

std::string Cause::to_string() const {
  std::string text = reason;
  if (!kind.kind.empty()) text += " " + kind.api_version() + " " + kind.kind;
  if (!object.name.empty()) text += " " + object.to_string();
  if (!resource_version.empty()) text += " @" + resource_version;
  if (times > 1) text += " (" + std::to_string(times) + " times)";
  return text;
}

void Causes::add(Cause cause) {
  const auto known = std::ranges::find_if(causes_, [&](const Cause& have) { return have.same_as(cause); });
  if (known != causes_.end()) {
    known->times += cause.times;
    if (!cause.resource_version.empty()) known->resource_version = std::move(cause.resource_version);
    return;
  }
  if (causes_.size() == kDistinct) {
    others_ += cause.times;
    return;
  }
  causes_.push_back(std::move(cause));
}

void Causes::add(const Causes& more) {
  for (const Cause& cause : more.causes_) add(cause);
  others_ += more.others_;
}

std::string Causes::to_string() const {
  std::string text;
  for (const Cause& cause : causes_) text += (text.empty() ? "" : ", ") + cause.to_string();
  if (others_ > 0) text += " and " + std::to_string(others_) + " more";
  return text;
}

}  // namespace flyball::runtime
