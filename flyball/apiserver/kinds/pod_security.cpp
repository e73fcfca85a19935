#include <algorithm>
#include <set>
#include <string>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/internal_form.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace names = kube::names;

constexpr std::size_t kLongestSysctl = 253;
constexpr const char* kSysctlPattern = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";

void check_seccomp(const core::SeccompProfile& profile, const FieldPath& at, Problems& problems) {
  if (profile.type.empty()) {
    problems.required(at.child("type"), "type is required when seccompProfile is set");
  } else {
    check_one_of(profile.type, {"Localhost", "RuntimeDefault", "Unconfined"}, at.child("type"), problems);
  }
  const FieldPath local = at.child("localhostProfile");
  if (profile.type == "Localhost") {
    if (!profile.localhostProfile) {
      problems.required(local, "must be set when seccomp type is Localhost");
    } else {
      check_descending_path(*profile.localhostProfile, local, problems);
    }
  } else if (profile.localhostProfile) {
    problems.invalid(local, internal_form("SeccompProfile", shown(profile)),
                     "can only be set when seccomp type is Localhost");
  }
}

void check_app_armor(const core::AppArmorProfile& profile, const FieldPath& at, Problems& problems) {
  const FieldPath local = at.child("localhostProfile");
  if (profile.type == "Localhost") {
    if (profile.localhostProfile.value_or("").empty()) {
      problems.required(local, "must be set when AppArmor type is Localhost");
    }
  } else if (profile.type == "RuntimeDefault" || profile.type == "Unconfined") {
    if (profile.localhostProfile) {
      problems.invalid(local, *profile.localhostProfile, "can only be set when AppArmor type is Localhost");
    }
  } else if (profile.type.empty()) {
    problems.required(at.child("type"), "type is required when appArmorProfile is set");
  } else {
    problems.not_supported(at.child("type"), profile.type, {"Localhost", "RuntimeDefault", "Unconfined"});
  }
}

// Words of letters and digits with dashes and underscores inside, joined by dots and slashes.
bool is_sysctl(std::string_view name) {
  if (name.empty() || name.size() > kLongestSysctl) return false;
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  bool at_start = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (plain(c)) {
      at_start = false;
      continue;
    }
    if (at_start || i + 1 == name.size()) return false;
    if (c == '.' || c == '/') {
      if (!plain(name[i - 1])) return false;
      at_start = true;
    } else if (c != '-' && c != '_') {
      return false;
    }
  }
  return true;
}

void check_sysctls(const std::vector<core::Sysctl>& sysctls, const FieldPath& at, Problems& problems) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < sysctls.size(); ++i) {
    const FieldPath name = at.index(i).child("name");
    if (sysctls[i].name.empty()) {
      problems.required(name);
    } else if (!is_sysctl(sysctls[i].name)) {
      problems.invalid(name, sysctls[i].name,
                       "must have at most 253 characters and match regex " + std::string(kSysctlPattern));
    } else if (!seen.insert(sysctls[i].name).second) {
      problems.duplicate(name, sysctls[i].name);
    }
  }
}

template <class Context>
void check_ids(const Context& context, const FieldPath& at, Problems& problems) {
  if (context.runAsUser) {
    problems.invalid(at.child("runAsUser"), *context.runAsUser, names::user_id(*context.runAsUser));
  }
  if (context.runAsGroup) {
    problems.invalid(at.child("runAsGroup"), *context.runAsGroup, names::group_id(*context.runAsGroup));
  }
}

void check_escalation(const core::SecurityContext& context, const FieldPath& at, Problems& problems) {
  if (context.allowPrivilegeEscalation.value_or(true)) return;
  if (context.privileged.value_or(false)) {
    problems.invalid(at, internal_form("SecurityContext", shown(context)),
                     "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
  }
  if (!context.capabilities) return;
  for (const std::string& capability : context.capabilities->add) {
    if (capability != "CAP_SYS_ADMIN") continue;
    problems.invalid(at, internal_form("SecurityContext", shown(context)),
                     "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
  }
}

}  // namespace

void check_container_security(const core::SecurityContext& context, bool host_users, const FieldPath& at,
                              Problems& problems) {
  check_ids(context, at, problems);
  if (context.procMount) {
    check_one_of(*context.procMount, {"Default", "Unmasked"}, at.child("procMount"), problems);
    if (host_users && *context.procMount == "Unmasked") {
      problems.invalid(at.child("procMount"), *context.procMount, "`hostUsers` must be false to use `Unmasked`");
    }
  }
  if (context.seccompProfile) check_seccomp(*context.seccompProfile, at.child("seccompProfile"), problems);
  check_escalation(context, at, problems);
  if (context.appArmorProfile) check_app_armor(*context.appArmorProfile, at.child("appArmorProfile"), problems);
}

void check_pod_security(const core::PodSpec& spec, const FieldPath& at, Problems& problems) {
  const core::PodSecurityContext& context = *spec.securityContext;
  if (context.fsGroup) problems.invalid(at.child("fsGroup"), *context.fsGroup, names::group_id(*context.fsGroup));
  check_ids(context, at, problems);
  for (std::size_t i = 0; i < context.supplementalGroups.size(); ++i) {
    const std::int64_t group = context.supplementalGroups[i];
    problems.invalid(at.child("supplementalGroups").index(i), group, names::group_id(group));
  }
  if (spec.shareProcessNamespace.value_or(false) && spec.hostPID) {
    problems.invalid(at.child("shareProcessNamespace"), true,
                     "ShareProcessNamespace and HostPID cannot both be enabled");
  }
  check_sysctls(context.sysctls, at.child("sysctls"), problems);
  if (context.fsGroupChangePolicy) {
    check_one_of(*context.fsGroupChangePolicy, {"Always", "OnRootMismatch"}, at.child("fsGroupChangePolicy"), problems);
  }
  if (context.seccompProfile) check_seccomp(*context.seccompProfile, at.child("seccompProfile"), problems);
  if (context.appArmorProfile) check_app_armor(*context.appArmorProfile, at.child("appArmorProfile"), problems);
  if (context.supplementalGroupsPolicy) {
    check_one_of(*context.supplementalGroupsPolicy, {"Merge", "Strict"}, at.child("supplementalGroupsPolicy"),
                 problems);
  }
  if (context.seLinuxChangePolicy) {
    check_one_of(*context.seLinuxChangePolicy, {"MountOption", "Recursive"}, at.child("seLinuxChangePolicy"), problems);
  }
}

}  // namespace flyball::apiserver
