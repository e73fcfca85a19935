// The rules of the built-in kinds, group by group; rules.cpp puts them into one table.
#pragma once

#include <span>
#include <string_view>

#include "flyball/apiserver/kinds/rules.hpp"

namespace flyball::apiserver {

struct RulesOfKind {
  std::string_view api_version = {};
  std::string_view kind = {};
  const Rules* rules = nullptr;
};

std::span<const RulesOfKind> pod_kinds();         // Pod, PodTemplate, ReplicationController
std::span<const RulesOfKind> service_kinds();     // Service, Endpoints, EndpointSlice
std::span<const RulesOfKind> config_kinds();      // ConfigMap, Secret, ServiceAccount
std::span<const RulesOfKind> cluster_kinds();     // Namespace, Node, Event, LimitRange, ResourceQuota
std::span<const RulesOfKind> volume_kinds();      // PersistentVolume, PersistentVolumeClaim
std::span<const RulesOfKind> workload_kinds();    // apps
std::span<const RulesOfKind> batch_kinds();       // Job, CronJob
std::span<const RulesOfKind> storage_kinds();     // storage.k8s.io
std::span<const RulesOfKind> rbac_kinds();        // rbac.authorization.k8s.io
std::span<const RulesOfKind> networking_kinds();  // networking.k8s.io
std::span<const RulesOfKind> policy_kinds();      // PodDisruptionBudget, autoscalers, leases, classes of pods
std::span<const RulesOfKind> admission_kinds();   // admissionregistration.k8s.io
std::span<const RulesOfKind> server_kinds();      // CertificateSigningRequest, APIService, FlowSchema and its levels

}  // namespace flyball::apiserver
