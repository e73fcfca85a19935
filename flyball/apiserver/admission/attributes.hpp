// Attributes: what a request wants to do to one object, as everybody who may object to it sees it.
//
//   const Attributes asked = attributes_of(context, Operation::create, &object, nullptr);
//
// Thread-safety: a value. Lifetime: the objects outlive it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/object.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

enum class Operation : std::uint8_t { create, update, remove, connect };

// "CREATE", as rules name it.
std::string_view to_string(Operation operation) noexcept;

struct Attributes {
  Operation operation = Operation::create;
  ResourcePointer resource = {};  // that of the path
  std::string subresource = {};
  std::string namespace_ = {};  // of a Namespace: its own name
  std::string name = {};        // may be empty: of a new object whose name is generated, of a deletecollection
  Object* object = nullptr;     // null on delete
  const Object* old = nullptr;  // null on create
  json::Value options = {};     // CreateOptions, UpdateOptions, DeleteOptions
  bool dry_run = false;

  // The kind of the objects: that of the resource, or Scale, Binding, Eviction of a subresource.
  const Resource& kind() const { return object != nullptr ? object->resource() : old->resource(); }
  bool is_own_kind() const { return kind().kind == resource->kind; }
};

// Of a create or an update.
Attributes attributes_of(const Context& context, Operation operation, Object* object, const Object* old);

}  // namespace flyball::apiserver
