#include "kinds.hpp"

#include <map>
#include <string>

#include "flyball/base/error.hpp"

namespace flyball::scenarios {

kube::GroupVersionKind kind_of(std::string_view name) {
  static const std::map<std::string_view, std::string_view> groups = {{"ConfigMap", "v1"},
                                                                      {"Endpoints", "v1"},
                                                                      {"Namespace", "v1"},
                                                                      {"Node", "v1"},
                                                                      {"PersistentVolume", "v1"},
                                                                      {"PersistentVolumeClaim", "v1"},
                                                                      {"Pod", "v1"},
                                                                      {"Secret", "v1"},
                                                                      {"Service", "v1"},
                                                                      {"ServiceAccount", "v1"},
                                                                      {"ControllerRevision", "apps/v1"},
                                                                      {"DaemonSet", "apps/v1"},
                                                                      {"Deployment", "apps/v1"},
                                                                      {"ReplicaSet", "apps/v1"},
                                                                      {"StatefulSet", "apps/v1"},
                                                                      {"CronJob", "batch/v1"},
                                                                      {"Job", "batch/v1"},
                                                                      {"EndpointSlice", "discovery.k8s.io/v1"},
                                                                      {"StorageClass", "storage.k8s.io/v1"}};
  if (const auto known = groups.find(name); known != groups.end()) {
    return kube::GroupVersionKind::parse(known->second, name);
  }
  const auto slash = name.rfind('/');
  if (slash == std::string_view::npos)
    throw Error("the kind " + std::string(name) + " needs its apiVersion: g/v1/Kind");
  return kube::GroupVersionKind::parse(name.substr(0, slash), name.substr(slash + 1));
}

}  // namespace flyball::scenarios
