// Whether two objects mean the same, and whether one holds all that another asks for.
//
//   if (!semantic_equal(before.status, after.status)) write(after);
//   if (!holds(stored, desired)) apply(desired);                       // what the server added does not count
//   if (auto change = missing(stored, desired)) log.info("applying", "because", change->to_string());
//                                                                      // "spec.replicas: 1 → 3"
//
// semantic_equal is Kubernetes' own equality.Semantic.DeepEqual: quantities are equal by value (1 and 1000m), times by
// instant, and an empty list or map equals none. An optional that is set to zero differs from one that is not set.
//
// holds(actual, desired) asks for every value that the encoding of `desired` would write. Lists are taken as
// server-side apply takes them: elements of a list with keys are found by their keys, those of a set anywhere, all
// others must stand at the same place in a list of the same length.
//
// Both work on typed objects, and on JSON, alone or with the type that says what it is. JSON alone cannot tell a
// quantity from a text or a map from an object: there only null and the empty list equal what is absent.
//
// Thread-safety: pure functions.
#pragma once

#include <concepts>
#include <optional>
#include <string>

#include "flyball/json/value.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::kube {

// The first place where two values differ.
struct Difference {
  std::string path = {};  // "spec.containers[0].image"; empty for the whole
  std::string from = {};  // JSON, cut when long; empty when nothing is there
  std::string to = {};

  // `spec.replicas: 1 → 3`, `spec.paused: added true`, `metadata.labels.app: removed "web"`.
  std::string to_string() const;
};

// Nothing when the two mean the same.
std::optional<Difference> difference(const reflect::Type& type, const void* from, const void* to);
std::optional<Difference> difference(const reflect::Type& type, json::View from, json::View to);
std::optional<Difference> difference(json::View from, json::View to);

// Nothing when `actual` holds every value that `desired` sets.
std::optional<Difference> missing(const reflect::Type& type, const void* actual, const void* desired);
std::optional<Difference> missing(const reflect::Type& type, json::View actual, json::View desired);
std::optional<Difference> missing(json::View actual, json::View desired);

// The same for typed values.
template <class T>
  requires(!std::derived_from<T, json::View>)
std::optional<Difference> difference(const T& from, const T& to) {
  return difference(reflect::type_of<T>(), static_cast<const void*>(&from), static_cast<const void*>(&to));
}
template <class T>
  requires(!std::derived_from<T, json::View>)
std::optional<Difference> missing(const T& actual, const T& desired) {
  return missing(reflect::type_of<T>(), static_cast<const void*>(&actual), static_cast<const void*>(&desired));
}

template <class T>
bool semantic_equal(const T& a, const T& b) {
  return !difference(a, b);
}
template <class T>
bool holds(const T& actual, const T& desired) {
  return !missing(actual, desired);
}

}  // namespace flyball::kube
