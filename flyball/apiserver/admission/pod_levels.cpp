// What baseline and restricted do not allow.
#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/admission/pod_security.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

using Names = std::vector<std::string>;

// What all three kinds of containers have and a rule looks at.
struct Seen {
  std::string name = {};
  core::SecurityContext security = {};
  std::vector<core::ContainerPort> ports = {};
  std::vector<core::Probe> probes = {};
  std::vector<core::LifecycleHandler> handlers = {};
};

struct Pod {
  const kube::meta::v1::ObjectMeta& metadata;
  const core::PodSpec& spec;
  core::PodSecurityContext security = {};
  std::vector<Seen> containers = {};
  bool windows = false;
};

// Empty: nothing is wrong. A reason with what is behind it in brackets.
using Rule = std::string (*)(const Pod&);

template <class Container>
Seen seen(const Container& container) {
  Seen made{.name = container.name, .ports = container.ports};
  if (container.securityContext) made.security = *container.securityContext;
  for (const auto* probe : {&container.livenessProbe, &container.readinessProbe, &container.startupProbe}) {
    if (*probe) made.probes.push_back(**probe);
  }
  if (container.lifecycle) {
    for (const auto* handler : {&container.lifecycle->postStart, &container.lifecycle->preStop}) {
      if (*handler) made.handlers.push_back(**handler);
    }
  }
  return made;
}

Pod pod_of(const kube::meta::v1::ObjectMeta& metadata, const core::PodSpec& spec) {
  Pod pod{.metadata = metadata, .spec = spec};
  if (spec.securityContext) pod.security = *spec.securityContext;
  for (const auto& container : spec.initContainers) pod.containers.push_back(seen(container));
  for (const auto& container : spec.containers) pod.containers.push_back(seen(container));
  for (const auto& container : spec.ephemeralContainers) pod.containers.push_back(seen(container));
  pod.windows = spec.os && spec.os->name == "windows";
  return pod;
}

std::string joined(const Names& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

template <class Words>
std::string quoted(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + kube::go::quote(word);
  return text;
}

std::string number(std::size_t count, const char* one, const char* many) { return count == 1 ? one : many; }

std::string containers(const Names& names) {
  return number(names.size(), "container", "containers") + " " + quoted(names);
}

// The pod, if it is bad itself, and the containers that are.
std::string setters(bool pod, const Names& bad) {
  Names all;
  if (pod) all.emplace_back("pod");
  if (!bad.empty()) all.push_back(containers(bad));
  return joined(all, " and ");
}

Names names_if(const Pod& pod, const std::function<bool(const Seen&)>& bad) {
  Names names;
  for (const Seen& container : pod.containers) {
    if (bad(container)) names.push_back(container.name);
  }
  return names;
}

std::string said(const std::string& reason, const std::string& detail) {
  return detail.empty() ? "" : reason + " (" + detail + ")";
}

std::string app_armor(const Pod& pod) {
  constexpr std::string_view kPrefix = "container.apparmor.security.beta.kubernetes.io/";
  std::set<std::string> values;
  const auto bad = [&](const auto& profile) {
    if (!profile || profile->type == "RuntimeDefault" || profile->type == "Localhost") return false;
    values.insert(profile->type);
    return true;
  };
  const bool of_pod = bad(pod.security.appArmorProfile);
  Names all;
  if (const std::string who =
          setters(of_pod, names_if(pod, [&](const Seen& one) { return bad(one.security.appArmorProfile); }));
      !who.empty()) {
    all.push_back(who + " must not set AppArmor profile type to " + quoted(values));
  }
  Names annotations;
  for (const auto& [key, value] : pod.metadata.annotations) {
    if (!key.starts_with(kPrefix) || value.empty() || value == "runtime/default" || value.starts_with("localhost/")) {
      continue;
    }
    annotations.push_back(key + "=" + kube::go::quote(value));
    values.insert(value);
  }
  if (!annotations.empty()) {
    all.push_back(number(annotations.size(), "annotation", "annotations") + " " + joined(annotations, ", "));
  }
  return said(number(values.size(), "forbidden AppArmor profile", "forbidden AppArmor profiles"), joined(all, "; "));
}

// The containers that add what is not among `allowed`, and what they add.
Names adding(const Pod& pod, std::span<const std::string_view> allowed, std::set<std::string>& added) {
  return names_if(pod, [&](const Seen& one) {
    if (!one.security.capabilities) return false;
    bool bad = false;
    for (const std::string& capability : one.security.capabilities->add) {
      if (std::ranges::find(allowed, capability) != allowed.end()) continue;
      added.insert(capability);
      bad = true;
    }
    return bad;
  });
}

std::string must_not_add(const Names& bad, const std::set<std::string>& added) {
  return containers(bad) + " must not include " + quoted(added) + " in securityContext.capabilities.add";
}

std::string default_capabilities(const Pod& pod) {
  constexpr std::array<std::string_view, 13> kAllowed = {
      "AUDIT_WRITE",      "CHOWN",   "DAC_OVERRIDE", "FOWNER",  "FSETID", "KILL",      "MKNOD",
      "NET_BIND_SERVICE", "SETFCAP", "SETGID",       "SETPCAP", "SETUID", "SYS_CHROOT"};
  std::set<std::string> added;
  const Names bad = adding(pod, kAllowed, added);
  return bad.empty() ? "" : said("non-default capabilities", must_not_add(bad, added));
}

std::string host_namespaces(const Pod& pod) {
  Names used;
  if (pod.spec.hostNetwork) used.emplace_back("hostNetwork=true");
  if (pod.spec.hostPID) used.emplace_back("hostPID=true");
  if (pod.spec.hostIPC) used.emplace_back("hostIPC=true");
  return said("host namespaces", joined(used, ", "));
}

std::string host_paths(const Pod& pod) {
  Names names;
  for (const core::Volume& volume : pod.spec.volumes) {
    if (volume.hostPath) names.push_back(volume.name);
  }
  return names.empty() ? "" : said("hostPath volumes", number(names.size(), "volume", "volumes") + " " + quoted(names));
}

std::string host_ports(const Pod& pod) {
  std::set<std::string> ports;
  const Names bad = names_if(pod, [&](const Seen& one) {
    bool any = false;
    for (const core::ContainerPort& port : one.ports) {
      if (port.hostPort == 0) continue;
      ports.insert(std::to_string(port.hostPort));
      any = true;
    }
    return any;
  });
  if (bad.empty()) return {};
  return said("hostPort", containers(bad) + " " + number(bad.size(), "uses", "use") + " " +
                              number(ports.size(), "hostPort", "hostPorts") + " " +
                              joined({ports.begin(), ports.end()}, ", "));
}

std::string probe_hosts(const Pod& pod) {
  std::set<std::string> hosts;
  const auto look = [&](const auto& action) {
    if (!action || action->host.empty()) return false;
    hosts.insert(action->host);
    return true;
  };
  const Names bad = names_if(pod, [&](const Seen& one) {
    bool any = false;
    for (const auto& probe : one.probes) any = look(probe.httpGet) || look(probe.tcpSocket) || any;
    for (const auto& handler : one.handlers) any = look(handler.httpGet) || look(handler.tcpSocket) || any;
    return any;
  });
  if (bad.empty()) return {};
  return said("probe or lifecycle host", containers(bad) + " " + number(bad.size(), "uses", "use") +
                                             " probe or lifecycle " + number(hosts.size(), "host", "hosts") + " " +
                                             quoted(hosts));
}

std::string privileged(const Pod& pod) {
  const Names bad = names_if(pod, [](const Seen& one) { return one.security.privileged.value_or(false); });
  return bad.empty() ? "" : said("privileged", containers(bad) + " must not set securityContext.privileged=true");
}

std::string proc_mount(const Pod& pod) {
  std::set<std::string> kinds;
  const Names bad = names_if(pod, [&](const Seen& one) {
    if (!one.security.procMount || *one.security.procMount == "Default") return false;
    kinds.insert(*one.security.procMount);
    return true;
  });
  return bad.empty()
             ? ""
             : said("procMount", containers(bad) + " must not set securityContext.procMount to " + quoted(kinds));
}

std::string se_linux(const Pod& pod) {
  constexpr std::array<std::string_view, 5> kAllowed = {"", "container_t", "container_init_t", "container_kvm_t",
                                                        "container_engine_t"};
  std::set<std::string> types;
  bool user = false;
  bool role = false;
  const auto bad = [&](const auto& options) {
    if (!options) return false;
    const bool type = std::ranges::find(kAllowed, options->type) == kAllowed.end();
    if (type) types.insert(options->type);
    user = user || !options->user.empty();
    role = role || !options->role.empty();
    return type || !options->user.empty() || !options->role.empty();
  };
  const bool of_pod = bad(pod.security.seLinuxOptions);
  const std::string who =
      setters(of_pod, names_if(pod, [&](const Seen& one) { return bad(one.security.seLinuxOptions); }));
  if (who.empty()) return {};
  Names what;
  if (!types.empty()) what.push_back(number(types.size(), "type", "types") + " " + quoted(types));
  if (user) what.emplace_back("user may not be set");
  if (role) what.emplace_back("role may not be set");
  return said("seLinuxOptions", who + " set forbidden securityContext.seLinuxOptions: " + joined(what, "; "));
}

// Who sets a seccomp profile that is not among those allowed.
std::string bad_seccomp(const Pod& pod) {
  std::set<std::string> values;
  const auto bad = [&](const auto& profile) {
    if (!profile || profile->type == "RuntimeDefault" || profile->type == "Localhost") return false;
    values.insert(profile->type);
    return true;
  };
  const bool of_pod = bad(pod.security.seccompProfile);
  const std::string who =
      setters(of_pod, names_if(pod, [&](const Seen& one) { return bad(one.security.seccompProfile); }));
  if (who.empty()) return {};
  return said("seccompProfile", who + " must not set securityContext.seccompProfile.type to " + quoted(values));
}

std::string sysctls(const Pod& pod) {
  constexpr std::array<std::string_view, 12> kAllowed = {"kernel.shm_rmid_forced",
                                                         "net.ipv4.ip_local_port_range",
                                                         "net.ipv4.ip_unprivileged_port_start",
                                                         "net.ipv4.tcp_syncookies",
                                                         "net.ipv4.ping_group_range",
                                                         "net.ipv4.ip_local_reserved_ports",
                                                         "net.ipv4.tcp_keepalive_time",
                                                         "net.ipv4.tcp_fin_timeout",
                                                         "net.ipv4.tcp_keepalive_intvl",
                                                         "net.ipv4.tcp_keepalive_probes",
                                                         "net.ipv4.tcp_rmem",
                                                         "net.ipv4.tcp_wmem"};
  Names bad;
  for (const core::Sysctl& sysctl : pod.security.sysctls) {
    if (std::ranges::find(kAllowed, sysctl.name) == kAllowed.end()) bad.push_back(sysctl.name);
  }
  return said("forbidden sysctls", joined(bad, ", "));
}

std::string host_process(const Pod& pod) {
  const auto bad = [](const auto& options) { return options && options->hostProcess.value_or(false); };
  const bool of_pod = bad(pod.security.windowsOptions);
  const std::string who =
      setters(of_pod, names_if(pod, [&](const Seen& one) { return bad(one.security.windowsOptions); }));
  return who.empty() ? "" : said("hostProcess", who + " must not set securityContext.windowsOptions.hostProcess=true");
}

std::string escalation(const Pod& pod) {
  if (pod.windows) return {};
  const Names bad = names_if(pod, [](const Seen& one) { return one.security.allowPrivilegeEscalation.value_or(true); });
  return bad.empty() ? ""
                     : said("allowPrivilegeEscalation != false",
                            containers(bad) + " must set securityContext.allowPrivilegeEscalation=false");
}

std::string few_capabilities(const Pod& pod) {
  constexpr std::array<std::string_view, 1> kAllowed = {"NET_BIND_SERVICE"};
  if (pod.windows) return {};
  const Names keeping = names_if(pod, [](const Seen& one) {
    if (!one.security.capabilities) return true;
    const auto& drop = one.security.capabilities->drop;
    return std::ranges::find(drop, "ALL") == drop.end();
  });
  std::set<std::string> added;
  const Names bad = adding(pod, kAllowed, added);
  Names all;
  if (!keeping.empty()) all.push_back(containers(keeping) + R"( must set securityContext.capabilities.drop=["ALL"])");
  if (!bad.empty()) all.push_back(must_not_add(bad, added));
  return said("unrestricted capabilities", joined(all, "; "));
}

// What kind of volume it is, as its field is called; empty for those that are allowed.
std::string_view restricted_type(const core::Volume& volume) {
  const std::array<std::pair<std::string_view, bool>, 21> kinds = {
      {{"hostPath", static_cast<bool>(volume.hostPath)},
       {"gcePersistentDisk", static_cast<bool>(volume.gcePersistentDisk)},
       {"awsElasticBlockStore", static_cast<bool>(volume.awsElasticBlockStore)},
       {"gitRepo", static_cast<bool>(volume.gitRepo)},
       {"nfs", static_cast<bool>(volume.nfs)},
       {"iscsi", static_cast<bool>(volume.iscsi)},
       {"glusterfs", static_cast<bool>(volume.glusterfs)},
       {"rbd", static_cast<bool>(volume.rbd)},
       {"flexVolume", static_cast<bool>(volume.flexVolume)},
       {"cinder", static_cast<bool>(volume.cinder)},
       {"cephfs", static_cast<bool>(volume.cephfs)},
       {"flocker", static_cast<bool>(volume.flocker)},
       {"fc", static_cast<bool>(volume.fc)},
       {"azureFile", static_cast<bool>(volume.azureFile)},
       {"vsphereVolume", static_cast<bool>(volume.vsphereVolume)},
       {"quobyte", static_cast<bool>(volume.quobyte)},
       {"azureDisk", static_cast<bool>(volume.azureDisk)},
       {"portworxVolume", static_cast<bool>(volume.portworxVolume)},
       {"photonPersistentDisk", static_cast<bool>(volume.photonPersistentDisk)},
       {"scaleIO", static_cast<bool>(volume.scaleIO)},
       {"storageos", static_cast<bool>(volume.storageos)}}};
  const auto found = std::ranges::find_if(kinds, [](const auto& kind) { return kind.second; });
  return found == kinds.end() ? std::string_view() : found->first;
}

std::string volume_types(const Pod& pod) {
  Names names;
  std::set<std::string> types;
  for (const core::Volume& volume : pod.spec.volumes) {
    const std::string_view type = restricted_type(volume);
    if (type.empty()) continue;
    names.push_back(volume.name);
    types.emplace(type);
  }
  if (names.empty()) return {};
  return said("restricted volume types", number(names.size(), "volume", "volumes") + " " + quoted(names) + " " +
                                             number(names.size(), "uses", "use") + " " +
                                             number(types.size(), "restricted volume type", "restricted volume types") +
                                             " " + quoted(types));
}

std::string non_root(const Pod& pod) {
  const std::string reason = "runAsNonRoot != true";
  const auto& of_pod = pod.security.runAsNonRoot;
  const std::string who =
      setters(of_pod == false, names_if(pod, [](const Seen& one) { return one.security.runAsNonRoot == false; }));
  if (!who.empty()) return said(reason, who + " must not set securityContext.runAsNonRoot=false");
  if (of_pod == true) return {};
  const Names silent = names_if(pod, [](const Seen& one) { return !one.security.runAsNonRoot; });
  if (silent.empty()) return {};
  return said(reason, "pod or " + containers(silent) + " must set securityContext.runAsNonRoot=true");
}

std::string root_user(const Pod& pod) {
  const std::string who =
      setters(pod.security.runAsUser == 0, names_if(pod, [](const Seen& one) { return one.security.runAsUser == 0; }));
  return who.empty() ? "" : said("runAsUser=0", who + " must not set runAsUser=0");
}

std::string seccomp(const Pod& pod) {
  if (pod.windows) return {};
  if (std::string bad = bad_seccomp(pod); !bad.empty()) return bad;
  if (pod.security.seccompProfile) return {};
  const Names silent = names_if(pod, [](const Seen& one) { return !one.security.seccompProfile; });
  if (silent.empty()) return {};
  return said("seccompProfile",
              "pod or " + containers(silent) +
                  R"( must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")");
}

// In the order in which they are told: by their names upstream, those of baseline first.
constexpr std::array<Rule, 12> kBaseline = {app_armor,  default_capabilities, host_namespaces, host_paths,
                                            host_ports, probe_hosts,          privileged,      proc_mount,
                                            se_linux,   bad_seccomp,          sysctls,         host_process};
// Three of baseline's have stricter ones in their place.
constexpr std::array<Rule, 15> kRestricted = {app_armor,        host_namespaces, host_ports, probe_hosts,  privileged,
                                              proc_mount,       se_linux,        sysctls,    host_process, escalation,
                                              few_capabilities, volume_types,    non_root,   root_user,    seccomp};

}  // namespace

std::string pod_violations(PodLevel level, const kube::meta::v1::ObjectMeta& metadata, const core::PodSpec& spec) {
  if (level == PodLevel::privileged) return {};
  const Pod pod = pod_of(metadata, spec);
  const std::span<const Rule> rules =
      level == PodLevel::baseline ? std::span<const Rule>(kBaseline) : std::span<const Rule>(kRestricted);
  Names all;
  for (const Rule rule : rules) {
    if (std::string one = rule(pod); !one.empty()) all.push_back(std::move(one));
  }
  return joined(all, ", ");
}

}  // namespace flyball::apiserver
