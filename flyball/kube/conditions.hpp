// Conditions: the `status.conditions` of an object, kept the way Kubernetes wants them kept.
//
//   m.status.conditions.set("Available", ready == m.spec.size, "PodsReady", "3 of 3 pods are ready");
//   if (m.status.conditions.is_true("Available")) …
//
// One entry per type. The transition time changes only when the status does, and the observed generation is that of
// the object the condition was set on; neither is the caller's business: they are filled in by stamp(), which the
// runtime calls once, when the status is written.
//
// Thread-safety: that of a vector.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/kube/meta/v1.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::kube {
class Conditions;
}  // namespace flyball::kube

namespace flyball::reflect {
template <>
const Type& type_of<kube::Conditions>();
}  // namespace flyball::reflect

namespace flyball::kube {

class Conditions {
 public:
  using Condition = meta::v1::Condition;

  // Says whether the condition holds: status "True" or "False". `reason` is one word in UpperCamel for programs,
  // `message` a sentence for people.
  void set(std::string_view type, bool holds, std::string_view reason, std::string_view message = {});
  // Status "Unknown".
  void set_unknown(std::string_view type, std::string_view reason, std::string_view message = {});
  void remove(std::string_view type);

  // The condition of that type, or null.
  const Condition* find(std::string_view type) const;
  bool is_true(std::string_view type) const;
  bool is_false(std::string_view type) const;

  // Fills in what set() left open: the time of every transition, the generation everything was set on.
  void stamp(Time now, std::int64_t generation);

  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }

  friend bool operator==(const Conditions&, const Conditions&) = default;

 private:
  friend const reflect::Type& reflect::type_of<Conditions>();
  void set_status(std::string_view type, std::string_view status, std::string_view reason, std::string_view message);

  std::vector<Condition> items_;
};

}  // namespace flyball::kube

namespace flyball {
using kube::Conditions;
}  // namespace flyball
