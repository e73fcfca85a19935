// Groups of the Kubernetes community: definitions in them say who approved them.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "flyball/json/value.hpp"

namespace flyball::apiserver::detail {

inline constexpr std::string_view kApprovedAnnotation = "api-approved.kubernetes.io";

struct Approval {
  enum class State : std::uint8_t { invalid, approved, bypassed, missing };
  State state = State::missing;
  std::string reason = {};  // in upstream's words
};

// *.k8s.io and *.kubernetes.io.
bool is_protected_group(std::string_view group);
Approval approval_of(json::View definition);

}  // namespace flyball::apiserver::detail
