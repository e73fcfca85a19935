#include "flyball/client/bodies.hpp"

#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::client {
namespace {

bool is_dynamic(const reflect::Type& type) { return type.shape == reflect::Shape::json; }

// Only what names the object, and its status.
json::Value status_alone(const json::Value& object) {
  json::Draft draft;
  for (const char* field : {"/apiVersion", "/kind", "/metadata/name", "/metadata/namespace", "/status"}) {
    if (const json::View found = json::find(object, field)) draft.set(field, json::Value(found));
  }
  return draft.build();
}

}  // namespace

json::Value as_json(ConstObject object) {
  if (is_dynamic(object.type)) return *static_cast<const json::Value*>(object.object);
  return json::parse(encode_object(object.type, object.object, Format::json));
}

std::string object_body(ConstObject object, Format format, const Resource& resource) {
  if (!is_dynamic(object.type)) return encode_object(object.type, object.object, format);
  return json::write(with_kind(as_json(object), resource.kind));
}

std::string apply_body(ConstObject object, const Resource& resource, Part part) {
  const json::Value whole = with_kind(as_json(object), resource.kind);
  if (part == Part::status) return json::write(status_alone(whole));
  json::Draft draft(whole);
  draft.erase("/metadata/managedFields");
  // Go's encoding has it always; applied, it would only be noise.
  if (whole["metadata"]["creationTimestamp"].is_null()) draft.erase("/metadata/creationTimestamp");
  if (resource.status) draft.erase("/status");
  return json::write(draft.build());
}

}  // namespace flyball::client
