#include "flyball/cluster/node/process_pod.hpp"

#include <chrono>
#include <csignal>
#include <string_view>
#include <utility>

#include "flyball/cluster/node/cluster_network.hpp"
#include "flyball/cluster/node/process_command.hpp"
#include "flyball/cluster/node/terminal.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::cluster::node {
namespace {

constexpr std::chrono::seconds kStartPatience{30};
constexpr std::chrono::seconds kEndPatience{5};
constexpr std::int32_t kStartError = 128;
constexpr std::int32_t kKilled = 137;

std::string first_part(const std::string& uid) { return uid.substr(0, uid.find('-')); }

json::Value signal_command(std::int64_t id, int number) {
  return json::object({{"signal", json::object({{"id", id}, {"number", number}})}});
}

}  // namespace

ProcessPod::ProcessPod(Clock& clock, const std::string& program, const SandboxSetup& setup, std::string uid,
                       std::uint32_t address, PodRuntime::Listener listener)
    : clock_(clock),
      uid_(std::move(uid)),
      address_(address),
      listener_(std::move(listener)),
      changed_(clock),
      door_(std::make_unique<DescriptorListener>(setup.streams, setup.socket)),
      process_(clock, {program, "sandbox"}, {.in = Redirect::to_pipe(), .out = Redirect::to_pipe()}) {
  {
    MutexLock lock(mutex_);
    write(to_json(setup));
  }
  const json::Value answer = json::parse(read_line(clock, process_, ahead_));
  if (const json::View broken = answer["broken"]) throw Error(std::string(broken.string_or("")));
  channel_ = door_->accept();
  door_.reset();
  reader_ = std::make_unique<Thread>(clock, "pod " + first_part(uid_), [this] { listen(); });
}

ProcessPod::~ProcessPod() { end(); }

void ProcessPod::end() {
  if (!gone_.request_stop("the pod is removed")) return;
  if (reader_ != nullptr) reader_->join();
  MutexLock lock(mutex_);
  process_.close_input();
  lock.unlock();
  try {
    // It ends what its containers have started; where there is a namespace, the kernel does.
    process_.wait(Stop().with_deadline(clock_, clock_.after(kEndPatience)));
  } catch (const Stopped&) {
    process_.signal(SIGKILL);
  }
}

ContainerRun ProcessPod::start(const ContainerRequest& request) {
  Terminal terminal;
  net::DescriptorPair input;
  std::vector<int> given;
  if (request.tty) {
    terminal = make_terminal();
    given = {terminal.theirs.get(), terminal.ours.get()};
  } else if (request.in) {
    input = net::make_pipe();
    net::set_non_blocking(input.write.get());
    given = {input.read.get()};
  }
  MutexLock lock(mutex_);
  const std::int64_t id = ++last_;
  Container& container = containers_[request.name];
  container = {.id = id,
               .run = {.id = "flyball://" + first_part(uid_) + "-" + request.name + "-" + std::to_string(id),
                       .started = clock_.wall_now()},
               .request = request,
               .in = request.tty ? std::move(terminal.ours) : std::move(input.write)};
  answers_[id] = {};
  if (!given.empty()) channel_.send(given);
  write(start_command(id, request));
  changed_.wait_until(mutex_, clock_.after(kStartPatience), gone_.stop(),
                      [&]() FLYBALL_REQUIRES(mutex_) { return answers_[id].done || lost_; });
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

void ProcessPod::signal(const std::string& name, int number) {
  MutexLock lock(mutex_);
  const auto found = containers_.find(name);
  if (found == containers_.end() || found->second.run.end) return;
  write(signal_command(found->second.id, number));
}

std::vector<ContainerReport> ProcessPod::look() {
  MutexLock lock(mutex_);
  std::vector<ContainerReport> all;
  all.reserve(containers_.size());
  for (const auto& [name, container] : containers_) all.push_back({.name = name, .run = container.run});
  return all;
}

ProbeAnswer ProcessPod::probe(const ProbeRequest& request, const std::string& host, const Stop& stop) {
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
  write(signal_command(id, SIGKILL));
  return {.text = "command timed out"};
}

ProcessPod::Container& ProcessPod::running(const std::string& name) {
  const auto found = containers_.find(name);
  if (found == containers_.end() || found->second.run.end) throw Error("container not found (\"" + name + "\")");
  return found->second;
}

void ProcessPod::await_start(std::int64_t id, const Stop& stop) {
  changed_.wait_until(mutex_, clock_.after(kStartPatience), stop,
                      [&]() FLYBALL_REQUIRES(mutex_) { return answers_[id].done || lost_; });
  const Answer& answer = answers_[id];
  if (answer.done && answer.error.empty()) return;
  const std::string why = answer.done ? answer.error : "the sandbox did not answer";
  answers_.erase(id);
  write(signal_command(id, SIGKILL));
  stop.throw_if_stopped();
  throw Error("failed to exec in container: failed to start exec \"" + std::to_string(id) +
              "\": OCI runtime exec failed: exec failed: unable to start container process: " + why);
}

std::unique_ptr<apiserver::PodProcess> ProcessPod::exec(const CommandRequest& request, const Stop& stop) {
  CommandStreams streams = make_streams(request);
  std::int64_t id = 0;
  {
    MutexLock lock(mutex_);
    const Container& inside = running(request.container);
    ContainerRequest command = inside.request;
    command.command = request.command;
    id = ++last_;
    answers_[id] = {};
    channel_.send(streams.of_command());
    write(exec_command(id, inside.id, command,
                       {.in = request.in, .out = request.out, .error = request.error, .tty = request.tty}));
    await_start(id, stop);
  }
  return std::make_unique<ProcessCommand>(
      std::move(streams.ours),
      ProcessCommand::Actions{
          .wait = [pod = shared_from_this(), id](const Stop& until) { return pod->await_end(id, until); },
          .leave = [pod = shared_from_this(), id] { pod->end_command(id); },
      });
}

std::unique_ptr<apiserver::PodProcess> ProcessPod::attach(const CommandRequest& request, const Stop& stop) {
  // What it types goes to the container straight away; what the container prints comes by way of the sandbox, which
  // writes the log.
  CommandStreams streams = make_streams({.out = request.out, .error = request.error});
  bool once = false;
  {
    MutexLock lock(mutex_);
    const Container& inside = running(request.container);
    const bool in = request.in && inside.in;
    if (in) streams.ours.in = duplicate(inside.in);
    if (inside.request.tty && inside.in) streams.ours.terminal = duplicate(inside.in);
    once = in && inside.request.in_once && !inside.request.tty;
    const std::int64_t id = ++last_;
    answers_[id] = {};
    channel_.send(streams.of_command());
    write(attach_command(id, inside.id, {.out = request.out, .error = request.error}));
    await_start(id, stop);
    answers_.erase(id);
  }
  const auto end_its_input = [pod = shared_from_this(), name = request.container, once] {
    if (once) pod->end_input(name);
  };
  return std::make_unique<ProcessCommand>(std::move(streams.ours),
                                          ProcessCommand::Actions{.end_input = end_its_input, .leave = end_its_input});
}

void ProcessPod::end_input(const std::string& container) {
  MutexLock lock(mutex_);
  if (const auto found = containers_.find(container); found != containers_.end()) found->second.in.reset();
}

int ProcessPod::await_end(std::int64_t id, const Stop& stop) {
  MutexLock lock(mutex_);
  const bool over = changed_.wait(mutex_, stop, [&]() FLYBALL_REQUIRES(mutex_) { return answers_[id].ended || lost_; });
  if (!over) stop.throw_if_stopped();
  return answers_[id].ended ? static_cast<int>(answers_[id].code) : kKilled;
}

void ProcessPod::end_command(std::int64_t id) {
  MutexLock lock(mutex_);
  const auto found = answers_.find(id);
  if (found == answers_.end()) return;
  if (!found->second.ended && !lost_) write(signal_command(id, SIGKILL));
  answers_.erase(found);
}

net::OwnedDescriptor ProcessPod::make_socket(bool ipv6, const Stop& stop) {
  MutexLock lock(mutex_);
  const std::int64_t id = ++last_;
  answers_[id] = {};
  write(json::object({{"socket", json::object({{"id", id}, {"ipv6", ipv6}})}}));
  changed_.wait_until(mutex_, clock_.after(kStartPatience), stop,
                      [&]() FLYBALL_REQUIRES(mutex_) { return answers_[id].done || lost_; });
  Answer answer = std::move(answers_[id]);
  answers_.erase(id);
  stop.throw_if_stopped();
  if (!answer.descriptor) throw Error(answer.error.empty() ? "the sandbox did not answer" : answer.error);
  return std::move(answer.descriptor);
}

void ProcessPod::write(const json::Value& message) {
  if (lost_) return;
  try {
    process_.write(json::write(message) + "\n", gone_.stop());
  } catch (const Error&) {
    // It is gone: the reader sees that, and ends what it ran.
    changed_.notify_all();
  }
}

void ProcessPod::listen() {
  Lines lines;
  lines.add(ahead_);
  try {
    while (true) {
      while (const auto line = lines.next()) hear(json::parse(*line));
      const std::string piece = process_.read(gone_.stop());
      if (piece.empty()) break;
      lines.add(piece);
    }
  } catch (const Stopped&) {  // NOLINT(bugprone-empty-catch): the pod is removed; those who wait are told below
  } catch (const Error&) {    // NOLINT(bugprone-empty-catch): what cannot be read says nothing more
  }
  end_all();
}

void ProcessPod::hear(const json::Value& message) {
  bool ended = false;
  {
    MutexLock lock(mutex_);
    for (const char* kind : {"started", "refused", "ended", "made"}) {
      if (!message[kind].is_int()) continue;
      const std::int64_t id = message[kind].as_int();
      hear_answer(kind, id, message);
      if (std::string_view(kind) == "ended") ended = note_end(id, message) || ended;
    }
  }
  changed_.notify_all();
  if (ended && listener_) listener_(uid_);
}

void ProcessPod::hear_answer(std::string_view kind, std::int64_t id, const json::Value& message) {
  // Taken whether or not somebody still waits: it is sent before the line.
  std::vector<net::OwnedDescriptor> sent;
  if (kind == "made") sent = channel_.receive();
  const auto found = answers_.find(id);
  if (found == answers_.end()) return;
  Answer& answer = found->second;
  answer.done = true;
  answer.error = std::string(message["why"].string_or(""));
  answer.output = message["output"].string_or("");
  if (!sent.empty()) answer.descriptor = std::move(sent.front());
  if (kind != "ended") return;
  answer.ended = true;
  if (message["code"].is_int()) answer.code = message["code"].as_int();
  if (message["signal"].is_int() && message["signal"].as_int() != 0) answer.code = 128 + message["signal"].as_int();
}

bool ProcessPod::note_end(std::int64_t id, const json::Value& message) {
  for (auto& [name, container] : containers_) {
    if (container.id != id || container.run.end) continue;
    const std::int64_t signal = message["signal"].as_int();
    const std::int64_t code = signal != 0 ? 128 + signal : message["code"].as_int();
    container.run.end = ContainerEnd{.at = clock_.wall_now(), .exit_code = static_cast<std::int32_t>(code)};
    container.in.reset();
    return true;
  }
  return false;
}

void ProcessPod::end_all() {
  {
    MutexLock lock(mutex_);
    lost_ = true;
    for (auto& [name, container] : containers_) {
      if (!container.run.end) container.run.end = ContainerEnd{.at = clock_.wall_now(), .exit_code = kKilled};
      container.in.reset();
    }
  }
  changed_.notify_all();
  if (listener_ && !gone_.stop().stopped()) listener_(uid_);
}

}  // namespace flyball::cluster::node
