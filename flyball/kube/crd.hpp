// crd<T>(): the CustomResourceDefinition of a described resource.
//
//   std::cout << json::write_yaml(kube::crd<Memcached>());
//   kube::crd<v1::Memcached, v1alpha1::Memcached>();            // two versions; the first is the one stored
//
// The schema comes from the structs; what belongs to the resource as a whole (short names, columns, scale, …) comes
// from FLYBALL_RESOURCE. A status type gives the status subresource.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flyball/json/value.hpp"
#include "flyball/kube/custom_resource.hpp"
#include "flyball/reflect/schema.hpp"

namespace flyball::kube {

// One column of `kubectl get`.
struct PrinterColumn {
  std::string name = {};
  // integer, number, string, boolean or date.
  std::string type = {};
  // Where the value is: ".spec.size".
  std::string jsonPath = {};
  std::string description = {};
  std::string format = {};
  // Columns above 0 show only with -o wide.
  std::int32_t priority = 0;
};

// What `kubectl scale` and autoscalers use.
struct ScalePaths {
  std::string specReplicasPath = ".spec.replicas";
  std::string statusReplicasPath = ".status.replicas";
  std::string labelSelectorPath = {};
};

struct ResourceOptions {
  // Default: the kind's English plural in lower case.
  std::string plural = {};
  // Default: the kind in lower case.
  std::string singular = {};
  std::vector<std::string> shortNames = {};
  // "all" makes `kubectl get all` list it.
  std::vector<std::string> categories = {};
  bool clusterScoped = false;
  // When there are any, an Age column is added behind them.
  std::vector<PrinterColumn> columns = {};
  std::optional<ScalePaths> scale = {};
  // Fields that `--field-selector` understands: ".spec.image".
  std::vector<std::string> selectableFields = {};
  bool served = true;
  bool deprecated = false;
  std::string deprecationWarning = {};
};

// One version of a resource, ready to be put into a definition.
struct CrdVersion {
  const reflect::Type& type;
  ResourceOptions options;
  bool has_status = false;
};

// The definition of a resource in one or more versions of one group and kind. Throws Error when they do not belong
// together or an option cannot be right.
json::Value crd(const std::vector<CrdVersion>& versions);

template <class T>
CrdVersion crd_version() {
  CrdVersion version{
      .type = reflect::type_of<T>(), .options = {}, .has_status = !std::is_same_v<typename T::Status, NoStatus>};
  if constexpr (requires { flyball_resource(reflect::Tag<T>{}); })
    version.options = flyball_resource(reflect::Tag<T>{});
  return version;
}

template <class... Versions>
json::Value crd() {
  return crd({crd_version<Versions>()...});
}

}  // namespace flyball::kube

// Stands behind the `using`, in the namespace of its spec: FLYBALL_RESOURCE(Memcached, {.shortNames = {"mc"}}).
#define FLYBALL_RESOURCE(TYPE, ...)                                                                          \
  [[maybe_unused]] inline ::flyball::kube::ResourceOptions flyball_resource(::flyball::reflect::Tag<TYPE>) { \
    return __VA_ARGS__;                                                                                      \
  }
