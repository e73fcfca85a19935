#include "flyball/apiserver/kind_steps.hpp"

#include <algorithm>
#include <utility>

#include "flyball/apiserver/custom_steps.hpp"
#include "flyball/apiserver/definition_steps.hpp"
#include "flyball/apiserver/schema/definition.hpp"
#include "flyball/json/draft.hpp"

namespace flyball::apiserver {
namespace {

bool has_status(const Resource& resource) { return resource.subresource("status") != nullptr; }

// The same object with the status of another, or none.
Object with_status_of(const Object& object, const Object* other) {
  json::Draft draft(object.value());
  const json::Value status = other == nullptr ? json::Value() : other->value();
  if (const json::View part = status["status"]; part.exists()) {
    draft.root().set("status", json::Value(part));
  } else {
    draft.root().erase("status");
  }
  return Object::from(object.resource_pointer(), draft.build());
}

void keep_metadata(Object& to, const Object& from) { to.metadata() = from.metadata(); }

// Kinds without rules of their own: the status belongs to its subresource.
void prepare_usual(Object& object, const Object* old, Part part) {
  if (!has_status(object.resource())) return;
  if (part == Part::whole) {
    object = with_status_of(object, old);
    return;
  }
  Object next = with_status_of(*old, &object);
  if (!object.resource().is_custom()) {
    keep_metadata(next, object);
  } else {
    // A custom resource's status brings nothing else along.
    next.metadata().managedFields = object.metadata().managedFields;
    next.metadata().resourceVersion = object.metadata().resourceVersion;
  }
  object = std::move(next);
}

void prepare_by_rules(Context& context, const Rules& rules, Object& object, const Object* old, Part part) {
  if (old == nullptr) {
    rules.prepare_create_object(object.get());
  } else if (part == Part::status) {
    rules.prepare_status_object(object.get(), old->get());
  } else {
    rules.prepare_update_object(object.get(), old->get());
  }
  const Writer writer{
      .now = context.now(), .user = context.call.caller.common_name, .groups = context.call.caller.organizations};
  rules.stamp_object(object.get(), old == nullptr ? nullptr : old->get(), part == Part::status, writer);
}

void count_generation(Object& object, const Object* old, Part part) {
  const Traits& traits = object.resource().traits;
  if (!traits.generation) return;
  std::int64_t& generation = object.metadata().generation;
  if (old == nullptr) {
    generation = traits.first_generation;
    return;
  }
  generation = old->metadata().generation;
  if (part == Part::status || traits.generation_stays) return;
  if (!same_generation(object, *old)) ++generation;
}

}  // namespace

bool same_generation(const Object& object, const Object& old) {
  const json::Value next = object.value();
  const json::Value before = old.value();
  const bool status_counts = object.resource().is_custom() && !has_status(object.resource());
  const auto counts = [&](std::string_view key) { return key != "metadata" && (key != "status" || status_counts); };
  const auto covers = [&](const json::Value& a, const json::Value& b) {
    for (const auto [key, value] : a.entries()) {
      if (counts(key) && b[key] != value) return false;
    }
    return true;
  };
  if (!covers(next, before) || !covers(before, next)) return false;
  const std::string_view also = object.resource().traits.generation_also;
  return also.empty() || next["metadata"][also] == before["metadata"][also];
}

void set_defaults(Object& object) {
  if (is_definition(object.resource())) return default_definition_object(object);
  if (const Rules* rules = object.resource().rules) return rules->default_object(object.get());
  if (object.resource().is_custom()) default_custom(object);
}

void prepare(Context& context, Object& object, const Object* old, Part part) {
  if (is_definition(object.resource())) {
    prepare_definition_object(object, old, part);
  } else if (const Rules* rules = object.resource().rules) {
    prepare_by_rules(context, *rules, object, old, part);
  } else {
    prepare_usual(object, old, part);
  }
  count_generation(object, old, part);
}

Problems validate(const Object& object, const Object* old, Part part) {
  Problems problems;
  const Rules* rules = object.resource().rules;
  if (is_definition(object.resource())) {
    validate_definition_object(object, old, part, problems);
  } else if (object.resource().is_custom()) {
    validate_custom(object, old, part, problems);
  } else if (rules == nullptr) {
    return problems;
  } else if (old == nullptr) {
    rules->validate_object(object.get(), problems);
  } else if (part == Part::status) {
    rules->validate_status_object(object.get(), old->get(), problems);
  } else {
    rules->validate_update_object(object.get(), old->get(), problems);
  }
  return problems;
}

std::vector<std::string> warnings_of(const Object& object, const Object* old) {
  const Rules* rules = object.resource().rules;
  if (is_definition(object.resource())) {
    return definition_warnings(object.value(), old == nullptr ? json::Value().slice({}) : old->value());
  }
  if (rules == nullptr) return {};
  return rules->warnings_of(object.get(), old == nullptr ? nullptr : old->get());
}

std::optional<std::int64_t> grace_of(const Object& object, std::optional<std::int64_t> asked) {
  const Rules* rules = object.resource().rules;
  if (rules == nullptr) return std::nullopt;
  return rules->grace_of(object.get(), asked);
}

std::vector<std::string> prune(Object& object) {
  if (!object.resource().is_custom()) return {};
  return prune_custom(object);
}

}  // namespace flyball::apiserver
