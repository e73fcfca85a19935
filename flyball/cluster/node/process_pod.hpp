// ProcessPod: the node's side of one pod's sandbox (sandbox.hpp): tells it what to do, and remembers what it told.
//
// A thread listens to the sandbox; whoever asks for something waits for that thread to hear the answer. What commands
// read and print goes between them and whoever asked, through descriptors: neither the sandbox nor this sees it.
//
// Thread-safety: all members may be called from any thread. Its one mutex is a leaf: nothing is called with it held but
// the pipe to the sandbox. The listener is called without it. Lifetime: the clock outlives it; commands keep it alive.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flyball/base/condition.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/process.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/cluster/node/descriptor_channel.hpp"
#include "flyball/cluster/node/pod_runtime.hpp"
#include "flyball/cluster/node/sandbox_protocol.hpp"
#include "flyball/json/value.hpp"

namespace flyball::cluster::node {

class ProcessPod : public std::enable_shared_from_this<ProcessPod> {
 public:
  // Throws Error when the sandbox cannot be made.
  ProcessPod(Clock& clock, const std::string& program, const SandboxSetup& setup, std::string uid,
             std::uint32_t address, PodRuntime::Listener listener);
  ~ProcessPod();
  ProcessPod(const ProcessPod&) = delete;
  ProcessPod& operator=(const ProcessPod&) = delete;

  std::uint32_t address() const noexcept { return address_; }
  // Kills all that runs in it, and waits for that. Commands that somebody still holds have ended then.
  void end();

  // As PodRuntime says.
  ContainerRun start(const ContainerRequest& request);
  void signal(const std::string& name, int number);
  std::vector<ContainerReport> look();
  ProbeAnswer probe(const ProbeRequest& request, const std::string& host, const Stop& stop);
  std::unique_ptr<apiserver::PodProcess> exec(const CommandRequest& request, const Stop& stop);
  std::unique_ptr<apiserver::PodProcess> attach(const CommandRequest& request, const Stop& stop);
  // A socket of the pod's network that is not connected yet and does not block.
  net::OwnedDescriptor make_socket(bool ipv6, const Stop& stop);

 private:
  class Command;
  struct Container {
    std::int64_t id = 0;
    ContainerRun run = {};
    ContainerRequest request = {};
    net::OwnedDescriptor in = {};  // to write to what it reads; of a terminal: our end
  };
  struct Answer {
    bool done = false;
    bool ended = false;  // of a command: it has also ended, with the code
    std::int64_t code = 0;
    std::string output = {};
    std::string error = {};
    net::OwnedDescriptor descriptor = {};
  };

  void write(const json::Value& message) FLYBALL_REQUIRES(mutex_);
  void listen();
  void hear(const json::Value& message);
  void hear_answer(std::string_view kind, std::int64_t id, const json::Value& message) FLYBALL_REQUIRES(mutex_);
  bool note_end(std::int64_t id, const json::Value& message) FLYBALL_REQUIRES(mutex_);
  void end_all();
  Container& running(const std::string& name) FLYBALL_REQUIRES(mutex_);
  // Waits until the command runs; throws Error when it cannot.
  void await_start(std::int64_t id, const Stop& stop) FLYBALL_REQUIRES(mutex_);
  int await_end(std::int64_t id, const Stop& stop);
  // A command nobody is there for any more.
  void end_command(std::int64_t id);
  void end_input(const std::string& container);

  // Constant after construction.
  Clock& clock_;
  const std::string uid_;
  const std::uint32_t address_;
  const PodRuntime::Listener listener_;

  Mutex mutex_;
  Condition changed_;
  std::map<std::string, Container> containers_ FLYBALL_GUARDED_BY(mutex_);
  std::map<std::int64_t, Answer> answers_ FLYBALL_GUARDED_BY(mutex_);
  std::int64_t last_ FLYBALL_GUARDED_BY(mutex_) = 0;
  bool lost_ FLYBALL_GUARDED_BY(mutex_) = false;  // the sandbox is gone

  StopSource gone_;
  std::unique_ptr<DescriptorListener> door_;  // until the sandbox has come in
  Process process_;
  DescriptorChannel channel_;  // sent to with the mutex, received from by the reader
  std::string ahead_;          // the reader's, once there is one
  std::unique_ptr<Thread> reader_;
};

}  // namespace flyball::cluster::node
