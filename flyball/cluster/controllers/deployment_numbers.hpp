// What a deployment's numbers come to, and what it notes on its ReplicaSets.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/kube/apps/v1.hpp"

namespace flyball::cluster {

using Sets = std::vector<kube::apps::v1::ReplicaSet>;

inline constexpr std::string_view kTemplateHash = "pod-template-hash";
inline constexpr const char* kRevision = "deployment.kubernetes.io/revision";
inline constexpr const char* kRevisionHistory = "deployment.kubernetes.io/revision-history";
inline constexpr const char* kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";
inline constexpr const char* kMaxReplicas = "deployment.kubernetes.io/max-replicas";

inline std::int32_t replicas(const kube::apps::v1::ReplicaSet& set) { return set.spec.replicas.value_or(1); }
inline std::int32_t replicas(const kube::apps::v1::Deployment& of) { return of.spec.replicas.value_or(1); }
inline bool is_rolling(const kube::apps::v1::Deployment& of) { return of.spec.strategy.type == "RollingUpdate"; }

// How many pods more than asked for there may be, and how many may be missing.
std::int32_t max_surge(const kube::apps::v1::Deployment& of);
std::int32_t max_unavailable(const kube::apps::v1::Deployment& of);

std::int32_t replicas(const Sets& sets);
// How many the new set may have now, next to the others.
std::int32_t allowed_replicas(const kube::apps::v1::Deployment& of, std::int32_t of_all, std::int32_t of_new);
// By how much a set grows or shrinks with the deployment: in proportion, within what is left to be added.
std::int32_t proportion(const kube::apps::v1::ReplicaSet& set, const kube::apps::v1::Deployment& of,
                        std::int32_t to_add, std::int32_t added);

bool is_same_template(const kube::apps::v1::ReplicaSet& set, const kube::apps::v1::Deployment& of);
// The number that stands in an annotation of the set, if one does.
std::optional<std::int32_t> number_in(const kube::apps::v1::ReplicaSet& set, const char* annotation);
std::int64_t revision(const kube::apps::v1::ReplicaSet& set);
std::int64_t last_revision(const Sets& sets);

// Notes how many the deployment wants, for the next time that changes.
void note_replicas(kube::apps::v1::ReplicaSet& set, const kube::apps::v1::Deployment& of);
// Notes the deployment's annotations and the revision, if it is a later one.
void note_revision(kube::apps::v1::ReplicaSet& set, const kube::apps::v1::Deployment& of, std::int64_t revision);

// Older first; of one age, by name.
bool is_older(const kube::apps::v1::ReplicaSet& a, const kube::apps::v1::ReplicaSet& b);

}  // namespace flyball::cluster
