#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "flyball/apiserver/kinds/pod_validation.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

using kube::go::quote;

constexpr std::int64_t kMilli = 1000;

class Warnings {
 public:
  void add(const FieldPath& at, std::string_view why) {
    std::string text = at.text();
    text.append(": ").append(why);
    all_.push_back(std::move(text));
  }
  std::vector<std::string> take() && { return std::move(all_); }

 private:
  std::vector<std::string> all_;
};

void warn_of_volume(const core::Volume& volume, const FieldPath& at, Warnings& warnings) {
  const auto gone = [&](bool set, std::string_view name, std::string_view why) {
    if (set) warnings.add(at.child(name), why);
  };
  gone(volume.photonPersistentDisk.has_value(), "photonPersistentDisk",
       "deprecated in v1.11, non-functional in v1.16+");
  gone(volume.gitRepo.has_value(), "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+");
  gone(volume.scaleIO.has_value(), "scaleIO", "deprecated in v1.16, non-functional in v1.22+");
  gone(volume.flocker.has_value(), "flocker", "deprecated in v1.22, non-functional in v1.25+");
  gone(volume.storageos.has_value(), "storageOS", "deprecated in v1.22, non-functional in v1.25+");
  gone(volume.quobyte.has_value(), "quobyte", "deprecated in v1.22, non-functional in v1.25+");
  gone(volume.glusterfs.has_value(), "glusterfs", "deprecated in v1.25, non-functional in v1.26+");
  gone(volume.cephfs.has_value(), "cephfs", "deprecated in v1.28, non-functional in v1.31+");
  gone(volume.rbd.has_value(), "rbd", "deprecated in v1.28, non-functional in v1.31+");
}

void warn_of_fraction(const std::map<std::string, kube::Quantity>& list, const char* name, const FieldPath& at,
                      Warnings& warnings) {
  const auto found = list.find(name);
  if (found == list.end() || found->second.milli_value() % kMilli == 0) return;
  warnings.add(at.key(name),
               "fractional byte value " + quote(found->second.to_string()) + " is invalid, must be an integer");
}

// A second definition that builds on the first ("$(PATH):/more") is meant; any other hides it.
void warn_of_env(const std::vector<core::EnvVar>& variables, const FieldPath& at, Warnings& warnings) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const core::EnvVar& variable = variables[i];
    if (seen.insert(variable.name).second) continue;
    std::string reference = "$(";
    reference.append(variable.name).append(")");
    const bool builds_on =
        !variable.valueFrom && variable.value != reference && variable.value.find(reference) != std::string::npos;
    if (builds_on) continue;
    std::string why = "hides previous definition of ";
    warnings.add(at.index(i), why.append(quote(variable.name)).append(", which may be dropped when using apply"));
  }
}

// The containers with their places, init containers first.
using Places = std::vector<std::pair<const core::Container*, FieldPath>>;

Places places_of(const core::PodSpec& spec, const FieldPath& at) {
  Places places;
  for (std::size_t i = 0; i < spec.initContainers.size(); ++i) {
    places.emplace_back(&spec.initContainers[i], at.child("initContainers").index(i));
  }
  for (std::size_t i = 0; i < spec.containers.size(); ++i) {
    places.emplace_back(&spec.containers[i], at.child("containers").index(i));
  }
  return places;
}

void warn_of_same_port(const core::ContainerPort& port, const FieldPath& at, const core::ContainerPort& other,
                       const FieldPath& other_at, Warnings& warnings) {
  const bool one_ip = port.hostIP.empty() != other.hostIP.empty();
  std::string why;
  if (port.hostIP == other.hostIP && port.hostPort == other.hostPort) {
    why = "duplicate port definition with ";
  } else if (port.hostPort == 0 || other.hostPort == 0) {
    why = "overlapping port definition with ";
  } else if (port.hostPort == other.hostPort && one_ip) {
    why = "dangerously ambiguous port definition with ";
  } else {
    return;
  }
  warnings.add(at, why.append(other_at.text()));
}

void warn_of_ports(const Places& places, Warnings& warnings) {
  std::map<std::pair<std::int32_t, std::string>, std::vector<std::pair<const core::ContainerPort*, FieldPath>>> all;
  for (const auto& [container, at] : places) {
    for (std::size_t i = 0; i < container->ports.size(); ++i) {
      const core::ContainerPort& port = container->ports[i];
      const FieldPath here = at.child("ports").index(i);
      auto& same = all[{port.containerPort, port.protocol}];
      for (const auto& [other, other_at] : same) warn_of_same_port(port, here, *other, other_at, warnings);
      same.emplace_back(&port, here);
    }
  }
  std::map<std::string, std::string> named;
  for (const auto& [container, at] : places) {
    for (std::size_t i = 0; i < container->ports.size(); ++i) {
      const std::string& name = container->ports[i].name;
      const FieldPath here = at.child("ports").index(i);
      if (name.empty()) continue;
      const auto [first, fresh] = named.try_emplace(name, here.text());
      if (fresh) continue;
      std::string why = "duplicate port name ";
      why.append(quote(name)).append(" with ").append(first->second);
      why.append(", services and probes that select ports by name will use ").append(first->second);
      warnings.add(here, why);
    }
  }
}

template <class Items, class NameOf>
void warn_of_repeated(const Items& items, NameOf name_of, const char* field, const FieldPath& at, Warnings& warnings) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string& name = name_of(items[i]);
    if (seen.insert(name).second) continue;
    std::string why = "duplicate ";
    warnings.add(at.index(i).child(field), why.append(field).append(" ").append(quote(name)));
  }
}

template <class PodAffinity>
void warn_of_affinity(const Box<PodAffinity>& affinity, const FieldPath& at, Warnings& warnings) {
  constexpr std::string_view kWhy = "a null labelSelector results in matching no pod";
  if (!affinity) return;
  const auto& required = affinity->requiredDuringSchedulingIgnoredDuringExecution;
  for (std::size_t i = 0; i < required.size(); ++i) {
    if (required[i].labelSelector) continue;
    warnings.add(at.child("requiredDuringSchedulingIgnoredDuringExecution").index(i).child("labelSelector"), kWhy);
  }
  const auto& preferred = affinity->preferredDuringSchedulingIgnoredDuringExecution;
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    if (preferred[i].podAffinityTerm.labelSelector) continue;
    warnings.add(at.child("preferredDuringSchedulingIgnoredDuringExecution")
                     .index(i)
                     .child("podAffinityTerm")
                     .child("labelSelector"),
                 kWhy);
  }
}

}  // namespace

std::vector<std::string> pod_warnings(const core::PodSpec& spec, const FieldPath& around) {
  Warnings warnings;
  const FieldPath at = around.child("spec");
  for (std::size_t i = 0; i < spec.topologySpreadConstraints.size(); ++i) {
    if (spec.topologySpreadConstraints[i].labelSelector) continue;
    warnings.add(at.child("topologySpreadConstraints").index(i).child("labelSelector"),
                 "a null labelSelector results in matching no pod");
  }
  for (std::size_t i = 0; i < spec.volumes.size(); ++i) {
    warn_of_volume(spec.volumes[i], at.child("volumes").index(i), warnings);
  }
  warn_of_repeated(
      spec.hostAliases, [](const core::HostAlias& alias) -> const std::string& { return alias.ip; }, "ip",
      at.child("hostAliases"), warnings);
  const FieldPath secrets = at.child("imagePullSecrets");
  warn_of_repeated(
      spec.imagePullSecrets, [](const core::LocalObjectReference& secret) -> const std::string& { return secret.name; },
      "name", secrets, warnings);
  for (std::size_t i = 0; i < spec.imagePullSecrets.size(); ++i) {
    if (spec.imagePullSecrets[i].name.empty()) warnings.add(secrets.index(i).child("name"), "invalid empty name \"\"");
  }
  const Places places = places_of(spec, at);
  for (const auto& [container, place] : places) {
    const FieldPath resources = place.child("resources");
    for (const char* name : {"memory", "ephemeral-storage"}) {
      warn_of_fraction(container->resources.limits, name, resources.child("limits"), warnings);
      warn_of_fraction(container->resources.requests, name, resources.child("requests"), warnings);
    }
    warn_of_env(container->env, place.child("env"), warnings);
  }
  warn_of_ports(places, warnings);
  if (spec.terminationGracePeriodSeconds.value_or(0) < 0) {
    warnings.add(at.child("terminationGracePeriodSeconds"),
                 "must be >= 0; negative values are invalid and will be treated as 1");
  }
  if (spec.affinity) {
    warn_of_affinity(spec.affinity->podAffinity, at.child("affinity").child("podAffinity"), warnings);
    warn_of_affinity(spec.affinity->podAntiAffinity, at.child("affinity").child("podAntiAffinity"), warnings);
  }
  return std::move(warnings).take();
}

}  // namespace flyball::apiserver
