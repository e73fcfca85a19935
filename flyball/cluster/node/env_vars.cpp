#include "flyball/cluster/node/env_vars.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include "flyball/cluster/node/field_ref.hpp"

namespace flyball::cluster::node {

namespace core = kube::core::v1;

namespace {

std::string upper(std::string_view text) {
  std::string name(text);
  for (char& letter : name) {
    letter = letter == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return name;
}

void add_links(const core::Service& service, const std::string& name, Variables& to) {
  bool first = true;
  for (const core::ServicePort& port : service.spec.ports) {
    const std::string number = std::to_string(port.port);
    const std::string protocol = port.protocol.empty() ? "TCP" : upper(port.protocol);
    std::string lower = protocol;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string url = lower;
    url.append("://").append(service.spec.clusterIP).append(":").append(number);
    std::string prefix = name;
    prefix.append("_PORT_").append(number).append("_").append(protocol);
    if (first) to[name + "_PORT"] = url;
    first = false;
    to[prefix] = url;
    to[prefix + "_PROTO"] = lower;
    to[prefix + "_PORT"] = number;
    to[prefix + "_ADDR"] = service.spec.clusterIP;
  }
}

template <class Object>
std::optional<std::string> key_of(const std::optional<Object>& object, const std::string& key, bool optional,
                                  const std::string& kind, const std::string& where, const std::string& name) {
  if (!object) {
    if (optional) return std::nullopt;
    throw ConfigError((kind == "Secret" ? "secret \"" : "configmap \"") + name + "\" not found");
  }
  const auto found = object->data.find(key);
  if (found != object->data.end()) return std::string(std::string_view(found->second));
  if (optional) return std::nullopt;
  throw ConfigError("couldn't find key " + key + " in " + kind + " " + where + "/" + name);
}

class Environment {
 public:
  Environment(const core::Pod& pod, const core::Container& container, const PodSources& sources)
      : pod_(pod), container_(container), sources_(sources) {}

  Variables make() {
    if (pod_.spec.enableServiceLinks.value_or(true)) {
      add_service_variables(sources_.services(), all_);
    } else {
      // The API server is told of in any case.
      std::vector<core::Service> services = sources_.services();
      std::erase_if(services, [](const core::Service& service) {
        return service.metadata.namespace_ != "default" || service.metadata.name != "kubernetes";
      });
      add_service_variables(services, all_);
    }
    for (const core::EnvFromSource& source : container_.envFrom) add_all(source);
    for (const core::EnvVar& variable : container_.env) add(variable);
    return std::move(all_);
  }

 private:
  template <class Object>
  void take(const std::optional<Object>& object, const std::string& prefix, bool optional, const std::string& kind,
            const std::string& name) {
    if (!object && !optional) throw ConfigError(kind + " \"" + name + "\" not found");
    if (!object) return;
    for (const auto& [key, value] : object->data) all_[prefix + key] = std::string(std::string_view(value));
  }

  void add_all(const core::EnvFromSource& source) {
    if (const auto& from = source.configMapRef) {
      take(sources_.config_map(from->name), source.prefix, from->optional.value_or(false), "configmap", from->name);
    }
    if (const auto& from = source.secretRef) {
      take(sources_.secret(from->name), source.prefix, from->optional.value_or(false), "secret", from->name);
    }
  }

  void add(const core::EnvVar& variable) {
    if (!variable.valueFrom) {
      all_[variable.name] = expand(variable.value, all_);
      return;
    }
    if (auto value = from(*variable.valueFrom)) all_[variable.name] = std::move(*value);
  }

  std::optional<std::string> from(const core::EnvVarSource& source) {
    const std::string& where = pod_.metadata.namespace_;
    if (const auto& field = source.fieldRef) return field_text(pod_, field->fieldPath);
    if (const auto& field = source.resourceFieldRef) return resource_text(container_, *field);
    if (const auto& map = source.configMapKeyRef) {
      return key_of(sources_.config_map(map->name), map->key, map->optional.value_or(false), "ConfigMap", where,
                    map->name);
    }
    if (const auto& secret = source.secretKeyRef) {
      return key_of(sources_.secret(secret->name), secret->key, secret->optional.value_or(false), "Secret", where,
                    secret->name);
    }
    throw ConfigError("this node knows variables from fields, resources, config maps and secrets only");
  }

  const core::Pod& pod_;
  const core::Container& container_;
  const PodSources& sources_;
  Variables all_;
};

}  // namespace

void add_service_variables(const std::vector<core::Service>& services, Variables& to) {
  for (const core::Service& service : services) {
    if (service.spec.clusterIP.empty() || service.spec.clusterIP == "None" || service.spec.ports.empty()) continue;
    const std::string name = upper(service.metadata.name);
    to[name + "_SERVICE_HOST"] = service.spec.clusterIP;
    to[name + "_SERVICE_PORT"] = std::to_string(service.spec.ports.front().port);
    for (const core::ServicePort& port : service.spec.ports) {
      if (!port.name.empty()) to[name + "_SERVICE_PORT_" + upper(port.name)] = std::to_string(port.port);
    }
    add_links(service, name, to);
  }
}

Variables env_of(const core::Pod& pod, const core::Container& container, const PodSources& sources) {
  return Environment(pod, container, sources).make();
}

}  // namespace flyball::cluster::node
