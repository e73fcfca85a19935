#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"

// Environment variables, and the fields of a pod that they and volumes can show.
namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace names = kube::names;

constexpr std::array<std::string_view, 14> kFields = {
    "metadata.annotations", "metadata.labels", "metadata.name",      "metadata.namespace",
    "metadata.uid",         "spec.nodeName",   "spec.restartPolicy", "spec.serviceAccountName",
    "spec.schedulerName",   "status.phase",    "status.hostIP",      "status.hostIPs",
    "status.podIP",         "status.podIPs"};

struct Subscripted {
  std::string_view path;
  std::string_view key;
};

// metadata.labels['app']
std::optional<Subscripted> split_subscript(std::string_view path) {
  if (!path.ends_with("']")) return std::nullopt;
  const std::size_t open = path.find("['");
  if (open == std::string_view::npos || open == 0) return std::nullopt;
  return Subscripted{path.substr(0, open), path.substr(open + 2, path.size() - open - 4)};
}

template <class Selector>
void check_key(const Selector& selector, const FieldPath& at, Problems& problems) {
  check_name(selector.name, names::dns1123_subdomain, at.child("name"), problems);
  if (selector.key.empty()) {
    problems.required(at.child("key"));
  } else {
    check_name(selector.key, names::config_map_key, at.child("key"), problems);
  }
}

void check_file_key(const core::FileKeySelector& selector, const FieldPath& at, Problems& problems) {
  if (selector.key.empty()) {
    problems.required(at.child("key"));
  } else {
    check_name(selector.key, names::relaxed_env_var_name, at.child("key"), problems);
  }
  if (selector.volumeName.empty()) {
    problems.required(at.child("volumeName"));
  } else {
    check_name(selector.volumeName, names::dns1123_label, at.child("volumeName"), problems);
  }
  if (selector.path.empty()) {
    problems.required(at.child("path"));
  } else {
    check_no_backsteps(selector.path, at.child("path"), problems);
  }
}

void check_value_from(const core::EnvVar& variable, const FieldPath& at, Problems& problems) {
  static const std::vector<std::string_view> shown_fields = {
      "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
      "status.hostIP", "status.hostIPs",     "status.podIP", "status.podIPs"};
  const core::EnvVarSource& from = *variable.valueFrom;
  int sources = 0;
  if (from.fieldRef) {
    ++sources;
    check_field_ref(*from.fieldRef, shown_fields, at.child("fieldRef"), problems);
  }
  if (from.resourceFieldRef) {
    ++sources;
    check_resource_ref(*from.resourceFieldRef, false, at.child("resourceFieldRef"), problems);
  }
  if (from.configMapKeyRef) {
    ++sources;
    check_key(*from.configMapKeyRef, at.child("configMapKeyRef"), problems);
  }
  if (from.secretKeyRef) {
    ++sources;
    check_key(*from.secretKeyRef, at.child("secretKeyRef"), problems);
  }
  if (from.fileKeyRef) {
    ++sources;
    check_file_key(*from.fileKeyRef, at.child("fileKeyRef"), problems);
  }
  if (sources == 0) {
    problems.invalid(at, "",
                     "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or "
                     "`fileKeyRef`");
  } else if (!variable.value.empty()) {
    problems.invalid(at, "", "may not be specified when `value` is not empty");
  } else if (sources > 1) {
    problems.invalid(at, "", "may not have more than one field specified at a time");
  }
}

template <class Source>
void check_source_name(const Source& source, const FieldPath& at, Problems& problems) {
  if (source.name.empty()) {
    problems.required(at.child("name"));
    return;
  }
  problems.invalid(at.child("name"), source.name, names::dns1123_subdomain(names::mask_trailing_dash(source.name)));
}

bool is_divisor(const kube::Quantity& divisor, bool of_cpu) {
  const std::string text = divisor.to_string();
  if (of_cpu) return text == "1m" || text == "1";
  static constexpr std::array<std::string_view, 13> kUnits = {"1",   "1k",  "1M",  "1G",  "1T",  "1P", "1E",
                                                              "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"};
  return std::ranges::find(kUnits, text) != kUnits.end();
}

void check_divisor(const core::ResourceFieldSelector& field, const FieldPath& at, Problems& problems) {
  if (field.divisor.is_zero()) return;
  const std::string& name = field.resource;
  const bool of_cpu = name == "limits.cpu" || name == "requests.cpu";
  std::string_view what;
  if (name == "limits.memory" || name == "requests.memory") what = "memory";
  if (name == "limits.ephemeral-storage" || name == "requests.ephemeral-storage") what = "local ephemeral storage";
  if (name.starts_with("limits.hugepages-") || name.starts_with("requests.hugepages-")) what = "hugepages";
  if ((!of_cpu && what.empty()) || is_divisor(field.divisor, of_cpu)) return;
  if (of_cpu) {
    problems.invalid(at.child("divisor"), name, "only divisor's values 1m and 1 are supported with the cpu resource");
    return;
  }
  problems.invalid(at.child("divisor"), name,
                   "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with "
                   "the " +
                       std::string(what) + " resource");
}

}  // namespace

void check_field_ref(const core::ObjectFieldSelector& field, const std::vector<std::string_view>& allowed,
                     const FieldPath& at, Problems& problems) {
  if (field.apiVersion.empty()) {
    problems.required(at.child("apiVersion"));
    return;
  }
  if (field.fieldPath.empty()) {
    problems.required(at.child("fieldPath"));
    return;
  }
  const auto wrong = [&](const std::string& why) {
    problems.invalid(at.child("fieldPath"), field.fieldPath, "error converting fieldPath: " + why);
  };
  if (field.apiVersion != "v1") return wrong("unsupported pod version: " + field.apiVersion);
  if (const auto parts = split_subscript(field.fieldPath)) {
    const std::string key(parts->key);
    if (parts->path == "metadata.annotations") {
      problems.invalid(at, key, names::annotation_key(key));
    } else if (parts->path == "metadata.labels") {
      problems.invalid(at, key, names::label_key(key));
    } else {
      wrong("field label does not support subscript: " + field.fieldPath);
    }
    return;
  }
  const std::string_view path = field.fieldPath == "spec.host" ? std::string_view("spec.nodeName") : field.fieldPath;
  if (std::ranges::find(kFields, path) == kFields.end()) return wrong("field label not supported: " + field.fieldPath);
  if (std::ranges::find(allowed, path) == allowed.end()) {
    problems.not_supported(at.child("fieldPath"), path, allowed);
  }
}

void check_resource_ref(const core::ResourceFieldSelector& field, bool in_volume, const FieldPath& at,
                        Problems& problems) {
  static const std::vector<std::string_view> known_resources = {
      "limits.cpu",   "limits.ephemeral-storage",   "limits.memory",
      "requests.cpu", "requests.ephemeral-storage", "requests.memory"};
  const std::string& name = field.resource;
  if (in_volume && field.containerName.empty()) {
    problems.required(at.child("containerName"));
  } else if (name.empty()) {
    problems.required(at.child("resource"));
  } else if (!name.starts_with("limits.hugepages-") && !name.starts_with("requests.hugepages-")) {
    check_one_of(name, known_resources, at.child("resource"), problems);
  }
  check_divisor(field, at, problems);
}

void check_env(const std::vector<core::EnvVar>& variables, const FieldPath& at, Problems& problems) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const core::EnvVar& variable = variables[i];
    const FieldPath here = at.index(i);
    if (variable.name.empty()) {
      problems.required(here.child("name"));
    } else {
      check_name(variable.name, names::relaxed_env_var_name, here.child("name"), problems);
    }
    if (variable.valueFrom) check_value_from(variable, here.child("valueFrom"), problems);
  }
}

void check_env_from(const std::vector<core::EnvFromSource>& sources, const FieldPath& at, Problems& problems) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const core::EnvFromSource& source = sources[i];
    const FieldPath here = at.index(i);
    if (!source.prefix.empty()) {
      check_name(source.prefix, names::relaxed_env_var_name, here.child("prefix"), problems);
    }
    if (source.configMapRef) check_source_name(*source.configMapRef, here.child("configMapRef"), problems);
    if (source.secretRef) check_source_name(*source.secretRef, here.child("secretRef"), problems);
    if (!source.configMapRef && !source.secretRef) {
      problems.invalid(at, "", "must specify one of: `configMapRef` or `secretRef`");
    } else if (source.configMapRef && source.secretRef) {
      problems.invalid(at, "", "may not have more than one field specified at a time");
    }
  }
}

}  // namespace flyball::apiserver
