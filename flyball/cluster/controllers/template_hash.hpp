// template_hash: a short word that tells one pod template from another: the suffix of a ReplicaSet's name, and the
// label pod-template-hash. Made as Kubernetes makes it (FNV-1a, 32 bits, in letters that spell no words), though of our
// own form of the template, so that the word for a template is another than Kubernetes' own.
//
//   const std::string name = deployment.metadata.name + "-" + template_hash(deployment.spec.template_, collisions);
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "flyball/kube/core/v1.hpp"

namespace flyball::cluster {

// `collisions` counts how often the word was taken already by something else.
std::string template_hash(const kube::core::v1::PodTemplateSpec& pattern, std::optional<std::int32_t> collisions);
// The same of any text.
std::string text_hash(std::string_view text, std::optional<std::int32_t> collisions);

}  // namespace flyball::cluster
