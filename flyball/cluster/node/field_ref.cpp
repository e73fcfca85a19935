#include "flyball/cluster/node/field_ref.hpp"

#include <map>
#include <string_view>

#include "flyball/json/write.hpp"

namespace flyball::cluster::node {

namespace core = kube::core::v1;

namespace {

// As in a file: one a line, values quoted.
std::string lines(const std::map<std::string, std::string>& entries) {
  std::string text;
  for (const auto& [name, value] : entries) {
    if (!text.empty()) text += '\n';
    text += name + "=";
    json::write_string(value, text, false);
  }
  return text;
}

template <class List>
std::string addresses(const List& list) {
  std::string text;
  for (const auto& each : list) text += (text.empty() ? "" : ",") + each.ip;
  return text;
}

std::string entry(const std::map<std::string, std::string>& entries, std::string_view path, std::size_t from) {
  // ['name']
  if (!path.ends_with("']") || path.size() < from + 4) throw ConfigError("invalid fieldPath: " + std::string(path));
  const auto found = entries.find(std::string(path.substr(from + 2, path.size() - from - 4)));
  return found == entries.end() ? "" : found->second;
}

}  // namespace

std::string field_text(const core::Pod& pod, const std::string& path) {
  constexpr std::string_view kLabel = "metadata.labels";
  constexpr std::string_view kAnnotation = "metadata.annotations";
  if (path == "metadata.name") return pod.metadata.name;
  if (path == "metadata.namespace") return pod.metadata.namespace_;
  if (path == "metadata.uid") return pod.metadata.uid;
  if (path == kLabel) return lines(pod.metadata.labels);
  if (path == kAnnotation) return lines(pod.metadata.annotations);
  if (path.starts_with(std::string(kLabel) + "['")) return entry(pod.metadata.labels, path, kLabel.size());
  if (path.starts_with(std::string(kAnnotation) + "['")) {
    return entry(pod.metadata.annotations, path, kAnnotation.size());
  }
  if (path == "spec.nodeName") return pod.spec.nodeName;
  if (path == "spec.serviceAccountName") return pod.spec.serviceAccountName;
  if (path == "status.hostIP") return pod.status.hostIP;
  if (path == "status.hostIPs") return addresses(pod.status.hostIPs);
  if (path == "status.podIP") return pod.status.podIP;
  if (path == "status.podIPs") return addresses(pod.status.podIPs);
  throw ConfigError("unsupported fieldPath: " + path);
}

std::string resource_text(const core::Container& container, const core::ResourceFieldSelector& field,
                          const std::map<std::string, kube::Quantity>& whole) {
  const std::size_t dot = field.resource.find('.');
  const std::string kind = field.resource.substr(0, dot);
  const std::string name = dot == std::string::npos ? "" : field.resource.substr(dot + 1);
  if (name.empty() || (kind != "limits" && kind != "requests")) {
    throw ConfigError("unsupported container resource : " + field.resource);
  }
  const auto& given = kind == "limits" ? container.resources.limits : container.resources.requests;
  kube::Quantity amount;
  if (const auto found = given.find(name); found != given.end()) {
    amount = found->second;
  } else if (const auto all = whole.find(name); kind == "limits" && all != whole.end()) {
    amount = all->second;
  }
  // Thousandths carry every divisor there is: 1m, 1, 1k, 1Mi, …
  const kube::Quantity divisor = field.divisor.is_zero() ? kube::Quantity(1) : field.divisor;
  const std::int64_t unit = divisor.milli_value();
  const std::int64_t milli = amount.milli_value();
  return std::to_string(milli / unit + (milli % unit != 0 ? 1 : 0));
}

}  // namespace flyball::cluster::node
