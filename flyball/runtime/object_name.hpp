// ObjectName: how a reconcile names another object: by its name alone, in the namespace it works in, or with one.
//
//   ctx.find<core::ConfigMap>("settings");
//   ctx.find<core::ConfigMap>({"kube-system", "settings"});
//
// Thread-safety: a value.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "flyball/kube/resource_key.hpp"

namespace flyball::runtime {

class ObjectName {
 public:
  // NOLINTBEGIN(*-explicit-*): that is what it is for
  ObjectName(const char* name) : key_{{}, name} {}
  ObjectName(std::string name) : key_{{}, std::move(name)} {}
  ObjectName(std::string_view name) : key_{{}, std::string(name)} {}
  ObjectName(kube::ObjectKey key) : key_(std::move(key)) {}
  // NOLINTEND(*-explicit-*)
  ObjectName(std::string in_namespace, std::string name) : key_{std::move(in_namespace), std::move(name)} {}

  // With this namespace, if it has none.
  kube::ObjectKey in(std::string_view in_namespace) const {
    return key_.namespace_.empty() ? kube::ObjectKey{std::string(in_namespace), key_.name} : key_;
  }

 private:
  kube::ObjectKey key_;
};

}  // namespace flyball::runtime
