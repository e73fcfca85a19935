// How kube-apiserver shows parts of objects in its refusals: not as v1 writes them, but as its own types are.
//
//   internal_form("PodSpec", shown(pod.spec));      //
//   {"Volumes":null,"InitContainers":null,"Containers":[{"Name":"c",…
//
// Every field is there, in the order of the Go struct and under its name.
//
// Thread-safety: pure functions.
#pragma once

#include <string_view>

#include "flyball/json/value.hpp"

namespace flyball::apiserver {

// `type` is one that PodTemplateSpec, PersistentVolumeClaimSpec, PersistentVolumeSource, PodFailurePolicy,
// SuccessPolicy or VolumeAttachmentSpec leads to; `v1` is its JSON.
json::Value internal_form(std::string_view type, json::View v1);

// The table of types, in the form that its own file tells.
std::string_view internal_types();

}  // namespace flyball::apiserver
