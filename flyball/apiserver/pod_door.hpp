// PodDoor: the way from the API server to the node that runs a pod: what kubectl logs, exec, attach, cp and
// port-forward ask for.
//
//   engine.set_pod_door(&door);           // flyball dev has one; without it such requests are refused
//
//   const auto process = door.run({.pod = pod, .container = "web", .command = {"ls"}, .out = true}, stop);
//   while (…) read_some(process->output());                                     // to its end
//   process->wait(stop);                                                        // what it ended with
//
// Thread-safety: may be called from any thread. Lifetime: outlives the engine's requests.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flyball/client/transport.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/time.hpp"
#include "flyball/net/descriptor.hpp"

namespace flyball::apiserver {

struct PodLogRequest {
  kube::core::v1::Pod pod = {};
  std::string container = {};  // one of the pod's
  bool follow = false;         // goes on while the container runs
  bool previous = false;       // of the run before
  bool timestamps = false;
  std::optional<std::int64_t> tail_lines = {};
  std::optional<std::int64_t> limit_bytes = {};
  std::optional<kube::Time> since = {};
};

// A command in a container, or being attached to the one that runs there.
struct PodCommand {
  kube::core::v1::Pod pod = {};
  std::string container = {};             // one of the pod's
  std::vector<std::string> command = {};  // empty: attach
  bool in = false;                        // which of its streams are wanted
  bool out = false;
  bool error = false;
  bool tty = false;  // a terminal; then there is one output
};

// What runs. The descriptors are ours, do not block, and are -1 where nothing was asked for.
//
// Thread-safety: one thread may deal with the input and the terminal's size while another reads and waits.
// Lifetime: a command that still runs when this goes is killed; what one is attached to goes on.
class PodProcess {
 public:
  PodProcess() = default;
  PodProcess(const PodProcess&) = delete;
  PodProcess& operator=(const PodProcess&) = delete;
  virtual ~PodProcess() = default;

  virtual int input() const noexcept = 0;
  virtual int output() const noexcept = 0;
  virtual int error() const noexcept = 0;
  virtual void end_input() = 0;
  virtual void resize(std::uint16_t width, std::uint16_t height) = 0;
  // What it ended with: 128 and the signal, where one killed it. Throws Stopped.
  virtual int wait(const Stop& stop) = 0;
};

class PodDoor {
 public:
  PodDoor() = default;
  PodDoor(const PodDoor&) = delete;
  PodDoor& operator=(const PodDoor&) = delete;
  virtual ~PodDoor() = default;

  // Throws Error for what the client shall be told: `container "a" in pod "web" is waiting to start: …`.
  virtual std::unique_ptr<client::BodyStream> logs(const PodLogRequest& request) = 0;

  // Whether the container is there to run something in. Throws Error: `container not found ("web")`.
  virtual void check(const PodCommand& command) = 0;
  // Throws Error when it could not be started.
  virtual std::unique_ptr<PodProcess> run(const PodCommand& command, const Stop& stop) = 0;
  // A connection to a port of the pod, that does not block. Throws Error.
  virtual net::OwnedDescriptor connect(const kube::core::v1::Pod& pod, std::uint16_t port, const Stop& stop) = 0;
};

}  // namespace flyball::apiserver
