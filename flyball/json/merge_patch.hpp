// JSON Merge Patch (RFC 7386): a partial document that is laid over another.
//
//   json::Value edited = json::merge_patch(pod, json::parse(R"({"metadata": {"labels": {"app": "web", "old":
//   null}}})")); if (auto patch = json::create_merge_patch(before, after)) client_sends(*patch); else
//   fall_back_to(json::to_json_patch(json::diff(before, after)));     // diff.hpp
//
// Members of the patch replace those of the target, objects are merged member by member, null removes, arrays are
// replaced as a whole. A patch that is not an object replaces the target. Every pair of values has a result.
//
// Thread-safety: pure functions.
#pragma once

#include <optional>

#include "flyball/json/value.hpp"

namespace flyball::json {

struct MergeOptions {
  // kube-apiserver also drops null members of objects inside the arrays of a patch, except where the array replaces an
  // object; the RFC leaves arrays alone. True does as kube-apiserver. Default: the RFC.
  bool drop_nulls_in_arrays = false;
};

Value merge_patch(View target, View patch, const MergeOptions& options = {});

// The smallest merge patch that turns `from` into `to`; `{}` when they are equal objects.
//
// Nothing when there is none: in a merge patch null means "remove", so it cannot set a member to null (a null that
// stays where it was is fine, and so are nulls that are elements of arrays). With drop_nulls_in_arrays, null members of
// objects in a changed array cannot be set either. Use a JSON Patch then.
std::optional<Value> create_merge_patch(View from, View to, const MergeOptions& options = {});

}  // namespace flyball::json
