// What the kinds that make pods from a template have in common.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/meta/v1.hpp"

namespace flyball::apiserver {

// Go shows a map that is not there as null.
json::Value shown_labels(const kube::Labels& labels);

// A selector that is given and valid, and that the template's labels match. Our types cannot tell one that is left out
// from an empty one; people leave it out.
void check_selector_of_template(const kube::meta::v1::LabelSelector& selector, const kube::Labels& labels,
                                const FieldPath& at, Problems& problems, bool required = true);
void check_same_selector(const kube::meta::v1::LabelSelector& selector, const kube::meta::v1::LabelSelector& old,
                         const FieldPath& at, Problems& problems);
// Pods that run until somebody deletes them.
void check_runs_for_ever(const kube::core::v1::PodSpec& spec, std::string_view kind, const FieldPath& at,
                         Problems& problems);

// Counts of a status: none negative, and none above `all`.
struct NamedCount {
  std::string_view name;
  std::int64_t count = 0;
};
void check_counts(const std::vector<NamedCount>& counts, const FieldPath& at, Problems& problems);
void check_at_most(const std::vector<NamedCount>& counts, std::int64_t all, std::string_view why, const FieldPath& at,
                   Problems& problems);
void check_not_decremented(const std::optional<std::int32_t>& count, const std::optional<std::int32_t>& old,
                           const FieldPath& at, Problems& problems);

// Where most kinds have their template.
inline FieldPath template_path() { return FieldPath("spec").child("template"); }
void append_warnings(std::vector<std::string>& to, const std::vector<std::string>& more);

// For kinds whose name becomes part of their pods' names, and for pods.
void warn_of_name(const std::string& name, std::vector<std::string>& warnings,
                  std::string_view use = "Pod names and hostnames");

}  // namespace flyball::apiserver
