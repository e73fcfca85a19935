#include "flyball/cluster/node/process_runtime.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <utility>

#include <unistd.h>

#include "flyball/base/condition.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/cluster/node/sandbox_protocol.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::cluster::node {
namespace {

constexpr std::chrono::seconds kStartPatience{30};
constexpr std::chrono::seconds kEndPatience{5};
constexpr std::int32_t kStartError = 128;
constexpr std::int32_t kKilled = 137;

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::trunc);
  file << text;
  file.close();
  if (!file) throw Error("cannot write " + path + "; the disk may be full");
}

std::string first_part(const std::string& uid) { return uid.substr(0, uid.find('-')); }

}  // namespace

// The sandbox of one pod.
class ProcessRuntime::Pod {
 public:
  Pod(Clock& clock, const std::string& program, const SandboxSetup& setup, std::string uid, std::uint32_t address,
      Listener listener)
      : clock_(clock),
        uid_(std::move(uid)),
        address_(address),
        listener_(std::move(listener)),
        changed_(clock),
        process_(clock, {program, "sandbox"}, {.in = Redirect::to_pipe(), .out = Redirect::to_pipe()}) {
    write(to_json(setup));
    const json::Value answer = json::parse(read_line(clock, process_, ahead_));
    if (const json::View broken = answer["broken"]) throw Error(std::string(broken.string_or("")));
    reader_ = std::make_unique<Thread>(clock, "pod " + first_part(uid_), [this] { listen(); });
  }

  ~Pod() {
    gone_.request_stop("the pod is removed");
    reader_.reset();
    process_.close_input();
    try {
      // It ends what its containers have started; where there is a namespace, the kernel does.
      process_.wait(Stop().with_deadline(clock_, clock_.after(kEndPatience)));
    } catch (const Stopped&) {
      process_.signal(SIGKILL);
    }
  }
  Pod(const Pod&) = delete;
  Pod& operator=(const Pod&) = delete;

  std::uint32_t address() const noexcept { return address_; }

  ContainerRun start(const ContainerRequest& request) {
    MutexLock lock(mutex_);
    const std::int64_t id = ++last_;
    Container& container = containers_[request.name];
    container = {.id = id,
                 .run = {.id = "flyball://" + first_part(uid_) + "-" + request.name + "-" + std::to_string(id),
                         .started = clock_.wall_now()},
                 .request = request};
    answers_[id] = {};
    write(start_command(id, request));
    changed_.wait_until(mutex_, clock_.after(kStartPatience), gone_.stop(),
                        [&]() FLYBALL_REQUIRES(mutex_) { return answers_[id].done; });
    const Answer answer = std::exchange(answers_[id], {});
    answers_.erase(id);
    if (!answer.done || !answer.error.empty()) {
      const std::string why = answer.done ? answer.error : "the sandbox did not answer";
      container.run.end = ContainerEnd{.at = clock_.wall_now(),
                                       .exit_code = kStartError,
                                       .reason = "StartError",
                                       .message = "failed to start container: " + why};
    }
    return container.run;
  }

  void signal(const std::string& name, int number) {
    MutexLock lock(mutex_);
    const auto found = containers_.find(name);
    if (found == containers_.end() || found->second.run.end) return;
    write(json::object({{"signal", json::object({{"id", found->second.id}, {"number", number}})}}));
  }

  std::vector<ContainerReport> look() {
    MutexLock lock(mutex_);
    std::vector<ContainerReport> all;
    all.reserve(containers_.size());
    for (const auto& [name, container] : containers_) all.push_back({.name = name, .run = container.run});
    return all;
  }

  ProbeAnswer probe(const ProbeRequest& request, const std::string& host, const Stop& stop) {
    MutexLock lock(mutex_);
    const std::int64_t id = ++last_;
    answers_[id] = {};
    if (request.kind == ProbeRequest::Kind::exec) {
      const Container& inside = containers_[request.container];
      ContainerRequest command = inside.request;
      command.command = request.command;
      write(run_command(id, inside.id, command));
    } else {
      write(probe_command(id, request, host));
    }
    // Those over the network keep the time themselves, and say more when it is over.
    const Duration more = request.kind == ProbeRequest::Kind::exec ? Duration() : std::chrono::seconds(1);
    changed_.wait_until(mutex_, clock_.after(request.timeout + more), stop,
                        [&]() FLYBALL_REQUIRES(mutex_) { return answers_[id].done; });
    const Answer answer = std::exchange(answers_[id], {});
    answers_.erase(id);
    if (answer.done) return {.success = answer.error.empty() && answer.code == 0, .text = answer.error + answer.output};
    write(json::object({{"signal", json::object({{"id", id}, {"number", SIGKILL}})}}));
    return {.text = "command timed out"};
  }

 private:
  struct Container {
    std::int64_t id = 0;
    ContainerRun run = {};
    ContainerRequest request = {};
  };
  struct Answer {
    bool done = false;
    std::int64_t code = 0;
    std::string output = {};
    std::string error = {};
  };

  void write(const json::Value& message) {
    try {
      process_.write(json::write(message) + "\n", gone_.stop());
    } catch (const Error&) {
      // It is gone: the reader sees that, and ends what it ran.
      changed_.notify_all();
    }
  }

  void listen() {
    Lines lines;
    lines.add(ahead_);
    try {
      while (true) {
        while (const auto line = lines.next()) hear(json::parse(*line));
        const std::string piece = process_.read(gone_.stop());
        if (piece.empty()) break;
        lines.add(piece);
      }
    } catch (const Stopped&) {
      return;
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): what cannot be read says nothing more
    }
    end_all();
  }

  void hear(const json::Value& message) {
    bool ended = false;
    {
      MutexLock lock(mutex_);
      for (const char* kind : {"started", "refused", "ended"}) {
        if (!message[kind].is_int()) continue;
        const std::int64_t id = message[kind].as_int();
        const auto answer = answers_.find(id);
        const bool waited = answer != answers_.end();
        if (waited) {
          answer->second = {.done = true, .error = std::string(message["why"].string_or(""))};
          if (message["code"].is_int()) answer->second.code = message["code"].as_int();
          if (message["signal"].is_int() && message["signal"].as_int() != 0) answer->second.code = kKilled;
          answer->second.output = message["output"].string_or("");
        }
        if (std::string_view(kind) == "ended") ended = note_end(id, message) || ended;
      }
    }
    changed_.notify_all();
    if (ended && listener_) listener_(uid_);
  }

  bool note_end(std::int64_t id, const json::Value& message) FLYBALL_REQUIRES(mutex_) {
    for (auto& [name, container] : containers_) {
      if (container.id != id || container.run.end) continue;
      const std::int64_t signal = message["signal"].as_int();
      const std::int64_t code = signal != 0 ? 128 + signal : message["code"].as_int();
      container.run.end = ContainerEnd{.at = clock_.wall_now(), .exit_code = static_cast<std::int32_t>(code)};
      return true;
    }
    return false;
  }

  void end_all() {
    {
      MutexLock lock(mutex_);
      for (auto& [name, container] : containers_) {
        if (!container.run.end) container.run.end = ContainerEnd{.at = clock_.wall_now(), .exit_code = kKilled};
      }
    }
    changed_.notify_all();
    if (listener_) listener_(uid_);
  }

  // Constant after construction.
  Clock& clock_;
  const std::string uid_;
  const std::uint32_t address_;
  const Listener listener_;

  Mutex mutex_;
  Condition changed_;
  std::map<std::string, Container> containers_ FLYBALL_GUARDED_BY(mutex_);
  std::map<std::int64_t, Answer> answers_ FLYBALL_GUARDED_BY(mutex_);
  std::int64_t last_ FLYBALL_GUARDED_BY(mutex_) = 0;

  StopSource gone_;
  Process process_;
  std::string ahead_;  // the reader's, once there is one
  std::unique_ptr<Thread> reader_;
};

ProcessRuntime::ProcessRuntime(Clock& clock, ProcessRuntimeOptions options)
    : clock_(clock),
      options_(std::move(options)),
      addresses_(options_.network != nullptr ? options_.network->options().range : "127.77.0.0",
                 options_.network != nullptr ? options_.network->options().prefix : 16) {
  std::filesystem::create_directories(options_.folder + "/scratch");
}

ProcessRuntime::~ProcessRuntime() = default;

void ProcessRuntime::listen(Listener listener) {
  MutexLock lock(mutex_);
  listener_ = std::move(listener);
}

Sandbox ProcessRuntime::make_sandbox(const SandboxRequest& request) {
  if (const auto pod = find(request.uid)) return {.ip = address_text(pod->address())};
  std::uint32_t address = 0;
  Listener listener;
  SandboxSetup setup{.hostname = request.hostname,
                     .isolated = options_.network != nullptr,
                     .root = ::geteuid() == 0,
                     .scratch = options_.folder + "/scratch"};
  {
    MutexLock lock(mutex_);
    address = addresses_.take();
    listener = listener_;
    setup.network.gateway = addresses_.gateway();
  }
  setup.network.address = address_text(address);
  setup.network.device = "fb" + std::to_string(address & 0xffffffU);
  if (options_.network != nullptr) {
    setup.network.holder = options_.network->holder();
    setup.network.user = options_.network->has_user();
    setup.network.bridge = options_.network->options().bridge;
    setup.network.prefix = options_.network->options().prefix;
  }
  if (options_.network != nullptr) write_names(request, setup.network);
  try {
    const auto pod = std::make_shared<Pod>(clock_, options_.program, setup, request.uid, address, std::move(listener));
    MutexLock lock(mutex_);
    pods_[request.uid] = pod;
  } catch (...) {
    MutexLock lock(mutex_);
    addresses_.give_back(address);
    throw;
  }
  return {.ip = setup.network.address};
}

// How names are found inside the pod.
void ProcessRuntime::write_names(const SandboxRequest& request, const PodNetwork& network) const {
  const std::string folder = pod_folder(request.uid);
  std::filesystem::create_directories(folder);
  const std::string domain = ".svc.cluster.local ";
  write_file(folder + "/resolv.conf", "search " + request.namespace_ + domain + domain.substr(1) + "cluster.local\n" +
                                          "nameserver " + network.gateway + "\noptions ndots:5\n");
  write_file(folder + "/hosts",
             "127.0.0.1\tlocalhost\n::1\tlocalhost\n" + network.address + "\t" + request.hostname + "\n");
}

std::string ProcessRuntime::pod_folder(const std::string& uid) const { return options_.folder + "/pods/" + uid; }

std::shared_ptr<ProcessRuntime::Pod> ProcessRuntime::find(const std::string& uid) {
  MutexLock lock(mutex_);
  const auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : found->second;
}

ContainerRun ProcessRuntime::start(const std::string& uid, const ContainerRequest& request) {
  const auto pod = find(uid);
  if (pod == nullptr) throw Error("the pod has no sandbox");
  if (options_.network == nullptr) return pod->start(request);
  ContainerRequest with_names = request;
  for (const char* name : {"resolv.conf", "hosts"}) {
    with_names.mounts.push_back({.source = pod_folder(uid) + "/" + name, .target = std::string("/etc/") + name});
  }
  return pod->start(with_names);
}

void ProcessRuntime::signal(const std::string& uid, const std::string& container, int number) {
  if (const auto pod = find(uid)) pod->signal(container, number);
}

std::vector<ContainerReport> ProcessRuntime::look(const std::string& uid) {
  const auto pod = find(uid);
  return pod == nullptr ? std::vector<ContainerReport>() : pod->look();
}

ProbeAnswer ProcessRuntime::probe(const std::string& uid, const ProbeRequest& request, const Stop& stop) {
  const auto pod = find(uid);
  if (pod == nullptr) return {.text = "the pod has no sandbox"};
  return pod->probe(request, address_text(pod->address()), stop);
}

void ProcessRuntime::remove(const std::string& uid) {
  std::shared_ptr<Pod> pod;
  {
    MutexLock lock(mutex_);
    const auto found = pods_.find(uid);
    if (found == pods_.end()) return;
    pod = std::move(found->second);
    pods_.erase(found);
    addresses_.give_back(pod->address());
  }
}

}  // namespace flyball::cluster::node
