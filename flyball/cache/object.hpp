// Object: one object out of the cache, in the bytes it came in. It is yours: nothing you do to it reaches the cache.
//
//   if (const auto pod = store.find({"default", "web"})) {
//     pod->metadata().label("app");                 // reads the metadata alone
//     pod->as<core::Pod>();                         // the whole, typed
//     pod->json();                                  // the whole, as dynamic JSON
//   }
//
// Errors: as<T>() throws InputError or reflect::DecodeError when the object does not fit the type.
// Thread-safety: a value. Lifetime: views of metadata() point into the Object.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "flyball/client/wire.hpp"
#include "flyball/json/value.hpp"
#include "flyball/kube/metadata.hpp"
#include "flyball/kube/resource_key.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::cache {

using client::Format;

class Object {
 public:
  Object(const kube::GroupVersionKind& kind, Format format, std::string bytes)
      : kind_(&kind), format_(format), bytes_(std::move(bytes)) {}

  template <class T>
  T as() const {
    T value{};
    decode(reflect::type_of<T>(), &value);
    return value;
  }
  void decode(const reflect::Type& type, void* to) const;
  // With its apiVersion and kind. Brings the tables of all built-in kinds along, for protobuf.
  json::Value json() const;
  // What indexes and predicates ask for; nothing else is decoded.
  kube::Metadata metadata() const;
  kube::ObjectKey key() const;

  Format format() const noexcept { return format_; }
  // A protobuf message without an envelope, or JSON that may lack apiVersion and kind.
  std::string_view bytes() const noexcept { return bytes_; }

 private:
  const kube::GroupVersionKind* kind_;  // the store's, which outlives what it gives out
  Format format_;
  std::string bytes_;
};

}  // namespace flyball::cache
