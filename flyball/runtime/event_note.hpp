// EventNote: what an operator has to say about an object. events.hpp tells it to the cluster.
//
//   events.record({.regarding = reference_to(memcached), .type = EventType::warning, .reason = "ImageMissing",
//                  .action = "Reconcile", .note = "the image memcached:9 cannot be pulled"});
//
// Thread-safety: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/owner.hpp"

namespace flyball::runtime {

enum class EventType : std::uint8_t {
  normal,
  warning,  // somebody should look
};

struct EventNote {
  kube::core::v1::ObjectReference regarding = {};
  std::optional<kube::core::v1::ObjectReference> related = {};
  EventType type = EventType::normal;
  std::string reason = {};             // why, in one word for machines: "Scaled"; cut at 128 bytes
  std::string action = "Reconciling";  // what the controller was doing; cut at 128 bytes
  std::string note = {};               // for a person; cut at 1024 bytes
};

// The object that an event is about.
inline kube::core::v1::ObjectReference reference_to(const kube::ObjectRef& object) {
  return {.apiVersion = std::string(object.kind.api_version),
          .kind = std::string(object.kind.kind),
          .name = object.metadata.name,
          .namespace_ = object.metadata.namespace_,
          .uid = object.metadata.uid,
          .resourceVersion = object.metadata.resourceVersion};
}
template <kube::TypedObject T>
kube::core::v1::ObjectReference reference_to(const T& object) {
  return reference_to(kube::object_ref(object));
}

}  // namespace flyball::runtime
