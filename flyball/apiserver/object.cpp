#include "flyball/apiserver/object.hpp"

#include <algorithm>
#include <utility>

#include "flyball/json/builder.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/go_json.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::apiserver {
namespace {

std::size_t metadata_offset(const reflect::Type& type) {
  const auto found = std::ranges::find(type.fields, "metadata", &reflect::Field::name);
  return found->offset;  // every kind that is served has it
}

ObjectMeta metadata_from(json::View value) {
  ObjectMeta metadata;
  if (value.exists() && !value.is_null()) {
    reflect::decode(json::write(value), reflect::type_of<ObjectMeta>(), &metadata);
  }
  return metadata;
}

// The claims of a StatefulSet say what they are; protobuf has no place for it.
bool claims_say_types(const reflect::Type& type) { return type.kind->kind == "StatefulSet"; }

json::Value with_claim_types(json::Value set) {
  json::Draft draft(std::move(set));
  for (json::Draft::Node claim : draft.root()["spec"]["volumeClaimTemplates"].elements()) {
    claim.set("apiVersion", "v1");
    claim.set("kind", "PersistentVolumeClaim");
  }
  return draft.build();
}

}  // namespace

Object::Object(ResourcePointer resource) : resource_(std::move(resource)), typed_(std::in_place, *resource_->type) {}

Object::Object(ResourcePointer resource, reflect::Object typed)
    : resource_(std::move(resource)), typed_(std::move(typed)) {}

Object::Object(ResourcePointer resource, json::Value value)
    : resource_(std::move(resource)), custom_(std::move(value)), metadata_(metadata_from(custom_["metadata"])) {}

Object Object::parse(ResourcePointer resource, std::string_view text) {
  if (resource->is_custom()) {
    return {std::move(resource), json::parse(text, {.duplicates = json::Duplicates::last_wins})};
  }
  Object object(std::move(resource));
  reflect::decode(text, *object.resource().type, object.get());
  return object;
}

Object Object::from(ResourcePointer resource, json::View value) {
  if (resource->is_custom()) return {std::move(resource), json::Value(value)};
  return parse(std::move(resource), json::write(value));
}

Object Object::stored(ResourcePointer resource, Bytes text) {
  Object object = parse(std::move(resource), *text);
  // What a conversion made of a custom resource is not what we would write.
  if (!object.resource().is_custom()) object.source_ = std::move(text);
  return object;
}

const ObjectMeta& Object::metadata() const noexcept {
  if (!typed_) return metadata_;
  const auto* start = static_cast<const std::byte*>(typed_->get());
  return *reinterpret_cast<const ObjectMeta*>(start + metadata_offset(typed_->type()));
}

ObjectMeta& Object::metadata() noexcept {
  source_.reset();
  return const_cast<ObjectMeta&>(std::as_const(*this).metadata());
}

std::string Object::text() const {
  if (source_ != nullptr) return *source_;
  if (typed_ && !claims_say_types(typed_->type())) return kube::to_go_json(typed_->type(), typed_->get());
  return json::write(value());
}

json::Value Object::value() const {
  if (source_ != nullptr) {
    if (!source_value_) source_value_ = json::parse(*source_, {.duplicates = json::Duplicates::last_wins});
    return *source_value_;
  }
  if (typed_) {
    json::Value value =
        json::parse(kube::to_go_json(typed_->type(), typed_->get()), {.duplicates = json::Duplicates::last_wins});
    return claims_say_types(typed_->type()) ? with_claim_types(std::move(value)) : value;
  }
  json::Builder to;
  to.begin_object();
  // The type first, as people read it.
  to.key("apiVersion").value(custom_["apiVersion"]);
  to.key("kind").value(custom_["kind"]);
  to.key("metadata").value(json::parse(reflect::encode(metadata_)));
  for (const auto [key, part] : custom_.entries()) {
    if (key != "apiVersion" && key != "kind" && key != "metadata") to.key(key).value(part);
  }
  to.end();
  return to.finish();
}

std::string key_of(const Resource& resource, std::string_view space, std::string_view name) {
  if (!resource.namespaced) return std::string(name);
  return std::string(space) + "/" + std::string(name);
}

}  // namespace flyball::apiserver
