#include "flyball/apiserver/merge_schemas.hpp"

#include "flyball/apiserver/schema/custom_kind.hpp"

namespace flyball::apiserver {

const merge::MergeSchema& MergeSchemas::of(const Resource& resource) {
  const void* key = resource.is_custom() ? static_cast<const void*>(resource.custom.get()) : resource.type;
  const MutexLock lock(mutex_);
  Held& held = schemas_[key];
  if (held.schema == nullptr) {
    held.kind = resource.custom;
    held.schema = std::make_unique<merge::MergeSchema>(
        resource.is_custom() ? merge::MergeSchema::of_custom(resource.custom->schema_text())
                             : merge::MergeSchema::of(*resource.type));
  }
  return *held.schema;
}

}  // namespace flyball::apiserver
