#include "flyball/apiserver/admission/attributes.hpp"

#include "flyball/json/builder.hpp"

namespace flyball::apiserver {
namespace {

// What was done, not what was asked for: a patch is an update, or a create.
json::Value options_of(const Call& call, Operation operation) {
  json::Builder to;
  to.begin_object();
  to.key("kind").string(operation == Operation::create ? "CreateOptions" : "UpdateOptions");
  to.key("apiVersion").string("meta.k8s.io/v1");
  if (const auto dry = call.query.all("dryRun"); !dry.empty()) {
    to.key("dryRun").begin_array();
    for (const std::string& one : dry) to.string(one);
    to.end();
  }
  for (const char* name : {"fieldManager", "fieldValidation"}) {
    if (const std::string_view value = call.query[name]; !value.empty()) to.key(name).string(value);
  }
  to.end();
  return to.finish();
}

}  // namespace

std::string_view to_string(Operation operation) noexcept {
  switch (operation) {
    case Operation::create: return "CREATE";
    case Operation::update: return "UPDATE";
    case Operation::remove: return "DELETE";
    default: return "CONNECT";
  }
}

Attributes attributes_of(const Context& context, Operation operation, Object* object, const Object* old) {
  Attributes asked{.operation = operation,
                   .resource = context.resource,
                   .subresource = context.call.subresource,
                   .namespace_ = context.call.namespace_,
                   .name = context.call.name,
                   .object = object,
                   .old = old,
                   .options = options_of(context.call, operation),
                   .dry_run = !context.call.query.all("dryRun").empty()};
  if (asked.name.empty() && object != nullptr) asked.name = object->metadata().name;
  if (context.resource->shelf == "namespaces") asked.namespace_ = asked.name;
  return asked;
}

}  // namespace flyball::apiserver
