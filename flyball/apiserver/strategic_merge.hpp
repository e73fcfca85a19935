// Strategic merge patch: a partial object laid over another, with what the tables of the built-in kinds say of lists.
//
//   const reflect::Type& type = *kube::find_kind("v1", "Pod");
//   json::Value patched = strategic_merge(pod, json::parse(R"({"spec": {"containers": [{"name": "web", "image":
//   "nginx:2"}]}})"), type);
//
// Objects are merged member by member and null removes, as in a merge patch. A list that the table merges is merged by
// its key (or as a set, when it holds scalars); all others are replaced. Directives in the patch say otherwise:
//
//   $patch: replace | delete                     on an object, or on an item of a merged list
//   $deleteFromPrimitiveList/finalizers: [a]     takes scalars out of a list
//   $setElementOrder/containers: [{name: a}]     the order of the result
//   $retainKeys: [type]                          what is not named is cleared
//
// Where the items of a merged list stand follows kube-apiserver: those of the patch in its order, the others where they
// stood. Custom resources have no such table; kube-apiserver refuses strategic patches of them, and so should callers.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "flyball/base/error.hpp"
#include "flyball/json/value.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::apiserver {

// The patch is malformed or does not fit the object; `what()` is what kube-apiserver says.
class StrategicMergeError : public Error {
 public:
  StrategicMergeError(int code, const std::string& message) : Error(message), code_(code) {}

  // The HTTP status it is answered with: 400, 422 or, as upstream has it for most, 500.
  int code() const noexcept { return code_; }

 private:
  int code_;
};

// Throws StrategicMergeError.
json::Value strategic_merge(json::View original, json::View patch, const reflect::Type& type);

}  // namespace flyball::apiserver
