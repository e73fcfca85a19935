// Cause: why a key is reconciled. Causes: all the reasons that came together before the pass began, in little space.
//
//   causes.add({.reason = "updated", .kind = deployment_kind, .object = {"shop", "web"}, .resource_version = "17"});
//   log.info("reconciling", "object", key, "because", causes);     // updated apps/v1 Deployment shop/web @17 (3 times)
//
// Causes of one reason and object are one cause with a count and the latest version. At most kDistinct different ones
// are kept; the rest are counted in `others`.
//
// Thread-safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "flyball/kube/resource_key.hpp"

namespace flyball::runtime {

struct Cause {
  std::string reason = {};           // one word or two: "created", "updated", "deleted", "retry", "timer"
  kube::GroupVersionKind kind = {};  // of what changed; empty when it was no object
  kube::ObjectKey object = {};
  std::string resource_version = {};  // of the object, the latest seen
  std::uint32_t times = 1;

  bool same_as(const Cause& other) const {
    return reason == other.reason && object == other.object && kind == other.kind;
  }
  std::string to_string() const;

  friend bool operator==(const Cause&, const Cause&) = default;
};

class Causes {
 public:
  static constexpr std::size_t kDistinct = 8;

  void add(Cause cause);
  void add(const Causes& more);

  // In the order they first came.
  const std::vector<Cause>& all() const { return causes_; }
  // How many came that are not in all().
  std::uint32_t others() const { return others_; }
  bool empty() const { return causes_.empty(); }
  std::string to_string() const;

 private:
  std::vector<Cause> causes_;
  std::uint32_t others_ = 0;
};

inline std::string log_text(const Causes& causes) { return causes.to_string(); }

}  // namespace flyball::runtime
