// What many kinds check in the same words: labels, selectors, fields that must not change or go below zero.
//
//   check_immutable(next.spec.selector, old.spec.selector, at.child("selector"), problems);
//   check_not_negative(spec.minReadySeconds, at.child("minReadySeconds"), problems);
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/problems.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/value.hpp"
#include "flyball/kube/equality.hpp"
#include "flyball/kube/int_or_string.hpp"
#include "flyball/kube/labels.hpp"
#include "flyball/kube/meta/v1.hpp"
#include "flyball/kube/scalars.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::apiserver {

inline constexpr std::string_view kImmutable = "field is immutable";
inline constexpr std::string_view kNegative = "must be greater than or equal to 0";

// How a value is shown in a problem.
template <class T>
json::Value shown(const T& value) {
  return json::parse(reflect::encode(value));
}
inline json::Value shown(const std::string& value) { return json::Value(value); }

template <class T>
void check_immutable(const T& value, const T& old, const FieldPath& at, Problems& problems) {
  if (!kube::semantic_equal(value, old)) problems.invalid(at, shown(value), kImmutable);
}

// The parts as one text.
std::string joined(std::initializer_list<std::string_view> parts);

void check_not_negative(std::int64_t value, const FieldPath& at, Problems& problems);
// One of the values allowed, which are shown in that order; `value` may not be empty.
void check_one_of(const std::string& value, const std::vector<std::string_view>& allowed, const FieldPath& at,
                  Problems& problems);

void check_labels(const kube::Labels& labels, const FieldPath& at, Problems& problems);
void check_annotations(const kube::Labels& annotations, const FieldPath& at, Problems& problems);
void check_label_selector(const kube::meta::v1::LabelSelector& selector, const FieldPath& at, Problems& problems);
inline bool is_empty(const kube::meta::v1::LabelSelector& selector) {
  return selector.matchLabels.empty() && selector.matchExpressions.empty();
}
// Conditions of the general kind.
void check_conditions(const std::vector<kube::meta::v1::Condition>& conditions, const FieldPath& at,
                      Problems& problems);

// acme.io/foo
void check_domain_prefixed_path(const std::string& path, const FieldPath& at, Problems& problems);
// hook.example.com: a domain of three parts at least.
void check_fully_qualified_name(const std::string& name, const FieldPath& at, Problems& problems);

// A number, or a percentage.
void check_int_or_percent(const kube::IntOrString& value, const FieldPath& at, Problems& problems);
void check_at_most_100_percent(const kube::IntOrString& value, const FieldPath& at, Problems& problems);
// The number in front of the percent sign, or the number itself.
std::int64_t int_or_percent_value(const kube::IntOrString& value);

}  // namespace flyball::apiserver
