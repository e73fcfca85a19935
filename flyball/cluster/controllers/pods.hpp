// What controllers ask of pods, and how they make them.
//
//   const auto active = std::ranges::count_if(pods, is_active);
//   ctx.create(pod_from(set.spec.template_, set.metadata.name));
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "flyball/base/clock.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/readiness.hpp"
#include "flyball/kube/selector.hpp"

namespace flyball::cluster {

// It has ended, and will not run again.
bool is_done(const kube::core::v1::Pod& pod);
// It runs or will: neither done nor going.
bool is_active(const kube::core::v1::Pod& pod);
// It still runs, and has been told to end.
bool is_terminating(const kube::core::v1::Pod& pod);

// Its processes answer; unlike kube::is_ready, one that is going may be.
inline bool answers(const kube::core::v1::Pod& pod) { return kube::has_condition(pod, "Ready"); }
// Since when it does; zero when it does not.
kube::Time ready_since(const kube::core::v1::Pod& pod);
// It has been ready for that long.
bool is_available(const kube::core::v1::Pod& pod, std::int32_t min_ready_seconds, kube::Time now);
// How long until it will have been, if it is ready and has not.
std::optional<Duration> until_available(const kube::core::v1::Pod& pod, std::int32_t min_ready_seconds, kube::Time now);

// A pod as the template has it; the server makes its name, which begins with the owner's.
kube::core::v1::Pod pod_from(const kube::core::v1::PodTemplateSpec& pattern, const std::string& owner_name);

inline kube::Selector selector_of(const kube::meta::v1::LabelSelector& selector) {
  return kube::Selector::from(selector.matchLabels, selector.matchExpressions);
}

}  // namespace flyball::cluster
