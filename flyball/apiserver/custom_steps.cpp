#include "flyball/apiserver/custom_steps.hpp"

#include <utility>

#include "flyball/apiserver/schema/custom_kind.hpp"

namespace flyball::apiserver {

std::vector<std::string> prune_custom(Object& object) {
  default_custom(object);
  Pruned pruned = object.resource().custom->prune(object.custom());
  object.set_custom(std::move(pruned.object));
  std::vector<std::string> problems;
  problems.reserve(pruned.unknown.size());
  for (const std::string& path : pruned.unknown) problems.push_back("unknown field \"" + path + "\"");
  return problems;
}

void default_custom(Object& object) { object.set_custom(object.resource().custom->apply_defaults(object.custom())); }

void validate_custom(const Object& object, const Object* old, Part part, Problems& problems) {
  const CustomKind& kind = *object.resource().custom;
  const json::Value value = object.value();
  if (old == nullptr) return kind.validate(value, problems);
  const json::Value before = old->value();
  if (part == Part::status) return kind.validate_status(value, before, problems);
  kind.validate_update(value, before, problems);
}

}  // namespace flyball::apiserver
