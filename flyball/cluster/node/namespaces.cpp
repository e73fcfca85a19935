#include "flyball/cluster/node/namespaces.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "flyball/cluster/node/rtnetlink.hpp"
#include "flyball/cluster/node/system_call.hpp"

namespace flyball::cluster::node {
namespace {

void map_ids(unsigned inside_user, unsigned outside_user, unsigned inside_group, unsigned outside_group) {
  write_text("/proc/self/setgroups", "deny");
  write_text("/proc/self/uid_map", std::to_string(inside_user) + " " + std::to_string(outside_user) + " 1");
  write_text("/proc/self/gid_map", std::to_string(inside_group) + " " + std::to_string(outside_group) + " 1");
}

// Why the kernel refuses is told by one number; what to do about it is told by nothing.
void unshare_user(const std::string& what) {
  if (::unshare(CLONE_NEWUSER) == 0) return;
  const int number = errno;
  std::string advice;
  if (number == ENOSPC) advice = " (the sysctl user.max_user_namespaces allows no more of them)";
  if (number == EPERM) {
    advice =
        " (the sysctls kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns, or the "
        "seccomp profile of a container, forbid it to ordinary users)";
  }
  throw Error("cannot " + what + ": " + std::generic_category().message(number) + advice);
}

void join(int process, const std::string& kind, int flag) {
  const std::string path = "/proc/" + std::to_string(process) + "/ns/" + kind;
  const int fd = check(::open(path.c_str(), O_RDONLY | O_CLOEXEC), "open " + path);
  const int done = ::setns(fd, flag);
  const int number = errno;
  ::close(fd);
  errno = number;
  check(done, "join the cluster's " + kind + " namespace");
}

}  // namespace

void write_text(const std::string& path, const std::string& text) {
  const int fd = check(::open(path.c_str(), O_WRONLY | O_CLOEXEC), "open " + path);
  const ssize_t written = ::write(fd, text.data(), text.size());
  const int number = errno;
  ::close(fd);
  errno = number;
  check(written, "write " + path);
}

void enter_user_namespace() {
  const unsigned user = ::geteuid();
  const unsigned group = ::getegid();
  unshare_user("make a user namespace");
  map_ids(0, user, 0, group);
}

void become_inside(unsigned user, unsigned group) {
  unshare_user("make a user namespace for user " + std::to_string(user));
  map_ids(user, 0, group, 0);
}

void make_cluster_network(const std::string& bridge, const std::string& address, int prefix) {
  check(::unshare(CLONE_NEWNET | CLONE_NEWNS), "make a network namespace");
  RtNetlink net;
  net.set_up("lo");
  net.add_bridge(bridge);
  net.add_address(bridge, address, prefix);
  net.set_up(bridge);
}

void enter_pod_namespaces(const PodNetwork& network, const std::string& hostname) {
  if (network.user) join(network.holder, "user", CLONE_NEWUSER);
  join(network.holder, "net", CLONE_NEWNET);
  // Stays in the cluster's network when this process leaves it.
  RtNetlink cluster;
  check(::unshare(CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID),
        "make the pod's namespaces");
  // What is mounted here stays here.
  check(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "keep mounts apart");
  const int own = check(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), "open the pod's network namespace");
  cluster.add_veth(network.device, "eth0", own, network.bridge);
  ::close(own);
  RtNetlink net;
  net.set_up("lo");
  net.add_address("eth0", network.address, network.prefix);
  net.set_up("eth0");
  net.add_default_route(network.gateway);
  // Programs that are not root may have port 80 here, as in containers.
  write_text("/proc/sys/net/ipv4/ip_unprivileged_port_start", "0");
  check(::sethostname(hostname.data(), hostname.size()), "set the hostname to " + hostname);
}

void mount_proc() noexcept {
  // Where /proc is partly hidden the kernel refuses: then programs see the processes of the whole machine.
  [[maybe_unused]] const int done = ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
}

}  // namespace flyball::cluster::node
