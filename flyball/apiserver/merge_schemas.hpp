// MergeSchemas: how each resource's objects merge, made when it is first needed.
//
// Thread-safety: may be used from any thread. Lifetime: what it gives lives as long as this.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "flyball/apiserver/merge/merge_type.hpp"
#include "flyball/apiserver/resource.hpp"
#include "flyball/base/mutex.hpp"

namespace flyball::apiserver {

class MergeSchemas {
 public:
  const merge::MergeSchema& of(const Resource& resource);

 private:
  Mutex mutex_;
  struct Held {
    std::shared_ptr<const CustomKind> kind = {};  // of a custom one: nobody else gets its address
    std::unique_ptr<merge::MergeSchema> schema = {};
  };
  // Built-in ones by type, custom ones by their kind's address: a changed definition is another kind.
  std::map<const void*, Held> schemas_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace flyball::apiserver
