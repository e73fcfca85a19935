#include "flyball/apiserver/custom_steps.hpp"

#include <utility>

#include "flyball/apiserver/schema/custom_kind.hpp"

namespace flyball::apiserver {

std::vector<std::string> prune_custom(Object& object) {
  const Resource& resource = object.resource();
  Coerced read = resource.custom->read(object.custom());
  if (read.wrong) {
    throw refuse::bad_request(resource.kind + " in version \"" + resource.version + "\" cannot be handled as a " +
                              resource.kind + ": " + read.wrong->text());
  }
  object.set_custom(std::move(read.object));
  std::vector<std::string> problems;
  problems.reserve(read.unknown.size());
  for (const std::string& path : read.unknown) problems.push_back("unknown field \"" + path + "\"");
  return problems;
}

void default_custom(Object& object) {
  object.set_custom(object.resource().custom->apply_defaults(object.custom(), Nulls::keep));
}

void validate_custom(const Object& object, const Object* old, Part part, Problems& problems) {
  const CustomKind& kind = *object.resource().custom;
  const json::Value value = object.value();
  if (old == nullptr) return kind.validate(value, problems);
  const json::Value before = old->value();
  if (part == Part::status) return kind.validate_status(value, before, problems);
  kind.validate_update(value, before, problems);
}

}  // namespace flyball::apiserver
