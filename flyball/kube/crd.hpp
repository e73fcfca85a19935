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

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/json/value.hpp"
#include "flyball/kube/custom_resource.hpp"
#include "flyball/reflect/schema.hpp"

namespace flyball::kube {

// A few values, sixteen at most, as a constant: `{"all", "shop"}`.
template <class T>
class Few {
 public:
  static constexpr std::size_t kMost = 16;

  constexpr Few() = default;
  constexpr Few(std::initializer_list<T> values) : size_(values.size()) {
    if (size_ > kMost) throw Error("a resource lists at most 16 short names, categories, columns or fields");
    std::copy(values.begin(), values.end(), values_.begin());
  }
  constexpr const T* begin() const { return values_.data(); }
  constexpr const T* end() const { return values_.data() + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }

 private:
  std::array<T, kMost> values_ = {};
  std::size_t size_ = 0;
};

// One column of `kubectl get`.
struct PrinterColumn {
  std::string_view name = {};
  // integer, number, string, boolean or date.
  std::string_view type = {};
  // Where the value is: ".spec.size".
  std::string_view jsonPath = {};
  std::string_view description = {};
  std::string_view format = {};
  // Columns above 0 show only with -o wide.
  std::int32_t priority = 0;
};

// One label or annotation.
struct NameAndValue {
  std::string_view name = {};
  std::string_view value = {};
};

// What `kubectl scale` and autoscalers use.
struct ScalePaths {
  std::string_view specReplicasPath = ".spec.replicas";
  std::string_view statusReplicasPath = ".status.replicas";
  std::string_view labelSelectorPath = {};
};

// The webhook that converts between versions. Without one the versions must not differ but in their name.
struct ConversionWebhook {
  // Where it answers: a Service, or a URL in its place.
  std::string_view serviceName = {};
  std::string_view serviceNamespace = {};
  std::string_view path = {};
  std::int32_t port = 443;
  std::string_view url = {};
  // The certificate authority that signed its certificate: PEM, in base64.
  std::string_view caBundle = {};
  Few<std::string_view> reviewVersions = {"v1"};
};

// What belongs to the resource as a whole. Its texts are literals: they become part of the type.
struct ResourceOptions {
  // Default: the kind's English plural in lower case.
  std::string_view plural = {};
  // Default: the kind in lower case.
  std::string_view singular = {};
  Few<std::string_view> shortNames = {};
  // "all" makes `kubectl get all` list it.
  Few<std::string_view> categories = {};
  bool clusterScoped = false;
  // When there are any, an Age column is added behind them.
  Few<PrinterColumn> columns = {};
  std::optional<ScalePaths> scale = {};
  // Fields that `--field-selector` understands: ".spec.image".
  Few<std::string_view> selectableFields = {};
  // On the definition itself; those of the stored version.
  Few<NameAndValue> labels = {};
  Few<NameAndValue> annotations = {};
  // Of the stored version, for all of them.
  std::optional<ConversionWebhook> conversion = {};
  bool served = true;
  bool deprecated = false;
  std::string_view deprecationWarning = {};
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
#define FLYBALL_RESOURCE(TYPE, ...)                                                                             \
  [[maybe_unused]] constexpr ::flyball::kube::ResourceOptions flyball_resource(::flyball::reflect::Tag<TYPE>) { \
    return __VA_ARGS__;                                                                                         \
  }
