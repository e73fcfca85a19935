// Rbac: who may do what, from the Roles and bindings that are in the store.
//
//   rbac.decide({.user = "jane", .groups = {"system:authenticated"}, .verb = "list", .resource = "pods", .namespace_ =
//   "shop"});
//
// The store's objects are read once, and again after forget(): every write of such an object calls it.
//
// Thread-safety: all members may be called from any thread. Lifetime: the store outlives it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "flyball/apiserver/store.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/kube/rbac/v1.hpp"

namespace flyball::apiserver {

// What somebody wants to do.
struct Action {
  std::string user = {};
  std::vector<std::string> groups = {};
  std::string verb = {};
  std::string namespace_ = {};  // empty: in all, or of what is in none
  std::string group = {};
  std::string resource = {};
  std::string subresource = {};
  std::string name = {};
  std::string path = {};  // of what is no resource; the five above are empty then

  // "pods/log"
  std::string resource_text() const { return subresource.empty() ? resource : resource + "/" + subresource; }
};

struct Decision {
  bool allowed = false;
  std::string reason = {};  // which binding allows it; or which role could not be found
};

class Rbac {
 public:
  explicit Rbac(const Store& store) : store_(store) {}

  Decision decide(const Action& action);
  // All that this user may do in the namespace, and in all.
  std::vector<kube::rbac::v1::PolicyRule> rules_of(const std::string& user, const std::vector<std::string>& groups,
                                                   const std::string& space);
  // An object has changed.
  void forget() noexcept { ++changes_; }

 private:
  struct Objects;
  std::shared_ptr<const Objects> objects();

  const Store& store_;
  std::atomic<std::uint64_t> changes_ = 1;
  Mutex mutex_;
  std::shared_ptr<const Objects> objects_ FLYBALL_GUARDED_BY(mutex_);
};

// Members of this group may do everything, whatever roles say.
inline constexpr std::string_view kMasters = "system:masters";

bool rule_allows(const kube::rbac::v1::PolicyRule& rule, const Action& action);

}  // namespace flyball::apiserver
