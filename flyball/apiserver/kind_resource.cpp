#include "flyball/apiserver/kind_resource.hpp"

#include <string>

#include "flyball/kube/kinds.hpp"

namespace flyball::apiserver {

ResourcePointer kind_resource(std::string_view api_version, std::string_view kind) {
  const reflect::Type* type = kube::find_kind(api_version, kind);
  auto resource = std::make_shared<Resource>();
  resource->group = type->kind->group;
  resource->version = type->kind->version;
  resource->kind = type->kind->kind;
  resource->plural = resource->kind;
  resource->type = type;
  return resource;
}

}  // namespace flyball::apiserver
