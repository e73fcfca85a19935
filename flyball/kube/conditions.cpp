#include "flyball/kube/conditions.hpp"

#include <algorithm>
#include <array>

#include "flyball/reflect/type.hpp"

namespace flyball::kube {

namespace {

// Set in this pass; stamp() puts the object's generation in its place.
constexpr std::int64_t kUnstamped = -1;

}  // namespace

void Conditions::set(std::string_view type, bool holds, std::string_view reason, std::string_view message) {
  set_status(type, holds ? "True" : "False", reason, message);
}

void Conditions::set_unknown(std::string_view type, std::string_view reason, std::string_view message) {
  set_status(type, "Unknown", reason, message);
}

void Conditions::set_status(std::string_view type, std::string_view status, std::string_view reason,
                            std::string_view message) {
  auto found = std::ranges::find(items_, type, &Condition::type);
  if (found == items_.end()) found = items_.insert(items_.end(), {.type = std::string(type)});
  if (found->status != status) {
    found->status = status;
    found->lastTransitionTime = {};
  }
  found->reason = reason;
  found->message = message;
  found->observedGeneration = kUnstamped;
}

void Conditions::remove(std::string_view type) {
  std::erase_if(items_, [&](const Condition& condition) { return condition.type == type; });
}

const Conditions::Condition* Conditions::find(std::string_view type) const {
  const auto found = std::ranges::find(items_, type, &Condition::type);
  return found == items_.end() ? nullptr : &*found;
}

bool Conditions::is_true(std::string_view type) const {
  const Condition* condition = find(type);
  return condition != nullptr && condition->status == "True";
}

bool Conditions::is_false(std::string_view type) const {
  const Condition* condition = find(type);
  return condition != nullptr && condition->status == "False";
}

void Conditions::stamp(Time now, std::int64_t generation) {
  for (Condition& condition : items_) {
    if (condition.lastTransitionTime.is_zero()) condition.lastTransitionTime = now;
    if (condition.observedGeneration == kUnstamped) condition.observedGeneration = generation;
  }
}

}  // namespace flyball::kube

namespace flyball::reflect {

// A list in every respect, merged by type in server-side apply.
template <>
const Type& type_of<kube::Conditions>() {
  using kube::Conditions;
  static constexpr std::array kAttributes = {attributes::list_type("map"), attributes::list_map_key("type")};
  static constexpr Type kType = [] {
    Type type{.shape = Shape::list, .name = "Conditions", .element = &type_of<Conditions::Condition>};
    type.attributes = kAttributes;
    type.own_attributes = kAttributes.size();
    type.ops.count = [](const void* of) { return static_cast<const Conditions*>(of)->items_.size(); };
    type.ops.element = [](const void* of, std::size_t index) -> const void* {
      return &static_cast<const Conditions*>(of)->items_[index];
    };
    type.ops.append = [](void* of) -> void* { return &static_cast<Conditions*>(of)->items_.emplace_back(); };
    type.ops.clear = [](void* of) { static_cast<Conditions*>(of)->items_.clear(); };
    return type;
  }();
  return kType;
}

}  // namespace flyball::reflect
