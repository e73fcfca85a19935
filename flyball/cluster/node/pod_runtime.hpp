// PodRuntime: runs the containers of pods. The seam between what Kubernetes promises (kubelet.hpp) and how this machine
// keeps it.
//
//   runtime.listen([&](const std::string& uid) { wake(uid); });
//   const Sandbox sandbox = runtime.make_sandbox({.uid = uid, .name = "web-0"});      // its network: an address
//   const ContainerRun run = runtime.start(uid, {.name = "web", .command = {"/usr/bin/web"}});
//   runtime.signal(uid, "web", SIGTERM);
//   runtime.look(uid);                                                                // and how it ended
//   runtime.run(uid, {.container = "web", .command = {"ls"}, .out = true}, stop);     // kubectl exec
//   runtime.connect(uid, 8080, stop);                                                 // kubectl port-forward
//   runtime.remove(uid);
//
// Two of them: ProcessRuntime (process_runtime.hpp), where containers are processes in namespaces of their own, and
// StatusOnlyRuntime (status_only_runtime.hpp), where nothing runs and everything is well.
//
// Thread-safety: all members may be called from any thread, for one pod by one at a time. Lifetime: the destructor ends
// everything that runs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "flyball/apiserver/pod_door.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/base/error.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/cluster/node/expand.hpp"
#include "flyball/cluster/node/pod_record.hpp"
#include "flyball/net/descriptor.hpp"

namespace flyball::cluster::node {

struct SandboxRequest {
  std::string uid = {};
  std::string namespace_ = {};
  std::string name = {};
  std::string hostname = {};
  bool host_network = false;
};

struct Sandbox {
  std::string ip = {};
};

// A folder or file of the machine, as a container sees it.
struct Mount {
  std::string source = {};
  std::string target = {};
  bool read_only = false;
};

struct ContainerRequest {
  std::string name = {};
  std::vector<std::string> command = {};  // the program and its arguments
  Variables env = {};
  std::string working_dir = "/";
  std::string user = {};                   // a name or a number; empty: root, or whoever we are
  std::optional<std::int64_t> group = {};  // a number; none: the user's
  std::vector<Mount> mounts = {};
  std::string root = {};  // the folder that is its file system; empty: the machine's own
  std::string log = {};   // the file that gets what it prints; empty: nobody does
  bool in = false;        // it can be attached to, and written to then; else it reads nothing
  bool in_once = false;   // by one, after whom its input ends
  bool tty = false;       // all its streams are one terminal
};

// A command inside a container that runs, or being attached to it.
struct CommandRequest {
  std::string container = {};
  std::vector<std::string> command = {};  // empty: attach
  bool in = false;
  bool out = false;
  bool error = false;
  bool tty = false;
};

struct ContainerReport {
  std::string name = {};
  ContainerRun run = {};
};

struct ProbeRequest {
  enum class Kind : std::uint8_t { exec, tcp, http };
  Kind kind = Kind::exec;
  std::string container = {};
  std::vector<std::string> command = {};  // exec
  std::string host = {};                  // tcp, http; empty: the pod's address
  std::uint16_t port = 0;
  std::string scheme = "http";
  std::string path = "/";
  std::vector<std::pair<std::string, std::string>> headers = {};
  Duration timeout = std::chrono::seconds(1);
};

struct ProbeAnswer {
  bool success = false;
  std::string text = {};  // what went wrong, or what the program said
};

class PodRuntime {
 public:
  using Listener = std::function<void(const std::string& uid)>;

  PodRuntime() = default;
  PodRuntime(const PodRuntime&) = delete;
  PodRuntime& operator=(const PodRuntime&) = delete;
  virtual ~PodRuntime() = default;

  // Who is called, from any thread, when a container of a pod has ended. Once, before anything is started.
  virtual void listen(Listener listener) = 0;

  // Calling it again for the same pod gives the same one. Throws Error that says why it cannot.
  virtual Sandbox make_sandbox(const SandboxRequest& request) = 0;
  // What cannot be started has ended at once, with the reason StartError.
  virtual ContainerRun start(const std::string& uid, const ContainerRequest& request) = 0;
  // To its first process. Nothing happens when it has ended.
  virtual void signal(const std::string& uid, const std::string& container, int number) = 0;
  // The last run of each container; empty for a pod that is not known here.
  virtual std::vector<ContainerReport> look(const std::string& uid) = 0;
  virtual ProbeAnswer probe(const std::string& uid, const ProbeRequest& request, const Stop& stop) = 0;
  // With the container's environment, folder and user. Throws Error that says why it cannot.
  virtual std::unique_ptr<apiserver::PodProcess> run(const std::string& uid, const CommandRequest& request,
                                                     const Stop& stop);
  // To a port of the pod, as if from inside of it. Throws Error.
  virtual net::OwnedDescriptor connect(const std::string& uid, std::uint16_t port, const Stop& stop);
  // Kills what is left of it.
  virtual void remove(const std::string& uid) = 0;
};

}  // namespace flyball::cluster::node
