// The parts that make up a valid pod; pod_validation.cpp puts them together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/kinds/pod_defaults.hpp"
#include "flyball/apiserver/problems.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/names.hpp"

namespace flyball::apiserver {

// The volumes that are fine, by name: mounts refer to them.
using VolumesByName = std::map<std::string, const kube::core::v1::Volume*>;

// What containers are checked against.
struct PodAround {
  const kube::core::v1::PodSpec& spec;
  VolumesByName volumes = {};
};

// `metadata` is null in a template; `of_pod`: a Pod, not a template.
VolumesByName check_volumes(const std::vector<kube::core::v1::Volume>& volumes,
                            const kube::meta::v1::ObjectMeta* metadata, bool of_pod, const FieldPath& at,
                            Problems& problems);
void check_containers(const PodAround& pod, const FieldPath& spec, Problems& problems);
void check_env(const std::vector<kube::core::v1::EnvVar>& variables, const FieldPath& at, Problems& problems);
void check_env_from(const std::vector<kube::core::v1::EnvFromSource>& sources, const FieldPath& at, Problems& problems);
void check_mounts(const kube::core::v1::Container& container, const VolumesByName& volumes, const FieldPath& at,
                  Problems& problems);
void check_devices(const kube::core::v1::Container& container, const VolumesByName& volumes, const FieldPath& at,
                   Problems& problems);
void check_probes(const kube::core::v1::Container& container, std::int64_t grace_seconds, const FieldPath& at,
                  Problems& problems);

void check_affinity(const kube::core::v1::Affinity& affinity, const FieldPath& at, Problems& problems);
void check_node_selector(const kube::core::v1::NodeSelector& selector, const FieldPath& at, Problems& problems);
void check_tolerations(const std::vector<kube::core::v1::Toleration>& tolerations, const FieldPath& at,
                       Problems& problems);
void check_taint_effect(const std::string& effect, const FieldPath& at, Problems& problems);
void check_spread(const std::vector<kube::core::v1::TopologySpreadConstraint>& constraints, const FieldPath& at,
                  Problems& problems);
void check_container_security(const kube::core::v1::SecurityContext& context, bool host_users, const FieldPath& at,
                              Problems& problems);
void check_pod_security(const kube::core::v1::PodSpec& spec, const FieldPath& at, Problems& problems);

enum class ResourcesOf : std::uint8_t { container, pod };
void check_requirements(const kube::core::v1::ResourceRequirements& resources, ResourcesOf of,
                        const std::vector<kube::core::v1::PodResourceClaim>& claims, const FieldPath& at,
                        Problems& problems);
void check_resource_name(std::string_view name, const FieldPath& at, Problems& problems);
void check_container_resource_name(std::string_view name, const FieldPath& at, Problems& problems);
void check_quantity(std::string_view resource, const kube::Quantity& amount, const FieldPath& at, Problems& problems);
bool is_extended_resource(std::string_view name);

// Of volumes, environments and projections.
void check_field_ref(const kube::core::v1::ObjectFieldSelector& field, const std::vector<std::string_view>& allowed,
                     const FieldPath& at, Problems& problems);
void check_resource_ref(const kube::core::v1::ResourceFieldSelector& field, bool in_volume, const FieldPath& at,
                        Problems& problems);
// Relative, and nowhere above where it starts.
void check_descending_path(const std::string& path, const FieldPath& at, Problems& problems);
void check_no_backsteps(const std::string& path, const FieldPath& at, Problems& problems);
void check_port_or_name(const kube::IntOrString& port, const FieldPath& at, Problems& problems);
void check_pull_policy(const std::string& policy, const FieldPath& at, Problems& problems);
void check_driver_name(const std::string& name, const FieldPath& at, Problems& problems);

// What names:: says of a value, as problems.
inline void check_name(const std::string& value, kube::names::Messages (*rule)(std::string_view), const FieldPath& at,
                       Problems& problems) {
  problems.invalid(at, value, rule(value));
}
inline void require(const std::string& value, const FieldPath& at, Problems& problems) {
  if (value.empty()) problems.required(at);
}

}  // namespace flyball::apiserver
