// Object: a value of a kind that is known only at run time.
//
//   reflect::Object object(*kube::find_kind("apps/v1", "Deployment"));
//   reflect::decode(text, object.type(), object.get());
//
// Thread-safety: none; an Object belongs to one thread.
#pragma once

#include <string>
#include <utility>

#include "flyball/base/error.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::reflect {

class Object {
 public:
  // Throws Error when the type is not a built-in kind.
  explicit Object(const Type& type) : type_(&type) {
    if (type.ops.make == nullptr) throw Error("objects of " + std::string(type.name) + " cannot be made at run time");
    object_ = type.ops.make();
  }
  Object(Object&& other) noexcept : type_(other.type_), object_(std::exchange(other.object_, nullptr)) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(type_, other.type_);
    std::swap(object_, other.object_);
    return *this;
  }
  ~Object() {
    if (object_ != nullptr) type_->ops.destroy(object_);
  }

  const Type& type() const { return *type_; }
  void* get() { return object_; }
  const void* get() const { return object_; }

 private:
  const Type* type_;
  void* object_ = nullptr;
};

}  // namespace flyball::reflect
