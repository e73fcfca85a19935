#include "flyball/apiserver/definition_steps.hpp"

#include <utility>

#include "flyball/apiserver/definitions.hpp"
#include "flyball/apiserver/schema/definition.hpp"
#include "flyball/apiserver/schema/definition_status.hpp"
#include "flyball/json/draft.hpp"

namespace flyball::apiserver {
namespace {

// The object with another value; its metadata stays.
void replace(Object& object, const json::Value& value) {
  Object next = Object::from(object.resource_pointer(), value);
  next.metadata() = object.metadata();
  next.set_empties_managed_fields(object.empties_managed_fields());
  object = std::move(next);
}

json::Value with_part(const json::Value& object, std::string_view part, json::View value) {
  json::Draft draft(object);
  draft.root().set(part, json::Value(value));
  return draft.build();
}

}  // namespace

bool is_definition(const Resource& resource) { return resource.shelf == kDefinitionShelf; }

void default_definition_object(Object& object) { replace(object, default_definition(object.value())); }

void prepare_definition_object(Object& object, const Object* old, Part part) {
  const json::Value value = object.value();
  const json::Value before = old == nullptr ? json::Value() : old->value();
  if (part == Part::status) return replace(object, with_part(before, "status", value["status"]));
  const json::View absent_on_create = old == nullptr ? json::View() : json::View(before);
  replace(object, with_part(value, "status", prepare_definition_status(value, absent_on_create)));
}

void validate_definition_object(const Object& object, const Object* old, Part part, Problems& problems) {
  const json::Value value = object.value();
  if (part == Part::status) return validate_definition_status(value, problems);
  if (old == nullptr) return validate_definition(value, problems);
  const json::Value before = old->value();
  validate_definition_update(value, before, problems);
}

}  // namespace flyball::apiserver
