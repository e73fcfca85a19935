// Object: one API object on its way through the server. A built-in kind is a value of its C++ type, a custom resource
// is JSON; the metadata is a struct for both.
//
//   Object object = Object::parse(resource, stored_text);
//   object.metadata().labels["app"] = "web";
//   store(object.text());
//
// The text is what Go's server would write: it is what is stored, and what clients get.
//
// Thread-safety: none; an object belongs to one request.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "flyball/apiserver/resource.hpp"
#include "flyball/apiserver/stored_text.hpp"
#include "flyball/json/value.hpp"
#include "flyball/kube/meta/v1.hpp"
#include "flyball/reflect/object.hpp"

namespace flyball::apiserver {

using kube::meta::v1::ObjectMeta;

class Object {
 public:
  // A built-in one as its initialisers leave it.
  explicit Object(ResourcePointer resource);
  Object(ResourcePointer resource, reflect::Object typed);
  // A custom one. Throws InputError or reflect::DecodeError for metadata that is none.
  Object(ResourcePointer resource, json::Value value);

  // From the text of a stored object, or any other that is known to fit.
  static Object parse(ResourcePointer resource, std::string_view text);
  static Object from(ResourcePointer resource, json::View value);
  // The same from what the store holds. As long as nobody asks for a part that could be changed, its text and value are
  // those of the store.
  static Object stored(ResourcePointer resource, Bytes text);
  Object copy() const { return parse(resource_, text()); }

  const Resource& resource() const noexcept { return *resource_; }
  const ResourcePointer& resource_pointer() const noexcept { return resource_; }
  const ObjectMeta& metadata() const noexcept;
  ObjectMeta& metadata() noexcept;

  // A built-in object; null for a custom one.
  void* get() noexcept {
    source_.reset();
    return typed_ ? typed_->get() : nullptr;
  }
  const void* get() const noexcept { return typed_ ? typed_->get() : nullptr; }
  template <class T>
  T& as() {
    return *static_cast<T*>(get());
  }
  template <class T>
  const T& as() const {
    return *static_cast<const T*>(get());
  }
  // A custom object without its metadata.
  const json::Value& custom() const noexcept { return custom_; }
  void set_custom(json::Value value) {
    source_.reset();
    custom_ = std::move(value);
  }

  // The client said `managedFields: []`: whoever owned anything owns nothing.
  bool empties_managed_fields() const noexcept { return empties_managed_fields_; }
  void set_empties_managed_fields(bool empties) noexcept { empties_managed_fields_ = empties; }

  // The whole document.
  json::Value value() const;
  std::string text() const;

 private:
  ResourcePointer resource_;
  std::optional<reflect::Object> typed_;
  json::Value custom_;  // its own "metadata" does not count
  ObjectMeta metadata_;
  bool empties_managed_fields_ = false;
  Bytes source_;  // null when what is here may be another
  mutable std::optional<json::Value> source_value_;
};

// Where an object lies in the store.
std::string key_of(const Resource& resource, std::string_view space, std::string_view name);

}  // namespace flyball::apiserver
