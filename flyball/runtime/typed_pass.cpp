#include "flyball/runtime/detail/typed_pass.hpp"

#include <algorithm>

namespace flyball::runtime::detail {

bool has_finalizer(const kube::meta::v1::ObjectMeta& metadata, const std::string& finalizer) {
  return std::ranges::find(metadata.finalizers, finalizer) != metadata.finalizers.end();
}

}  // namespace flyball::runtime::detail
