#include "flyball/cluster/node/pod_pass.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <utility>

#include "flyball/client/subresources.hpp"
#include "flyball/cluster/node/container_request.hpp"
#include "flyball/cluster/node/logs.hpp"
#include "flyball/cluster/node/pod_status.hpp"
#include "flyball/cluster/node/probing.hpp"
#include "flyball/cluster/node/volumes.hpp"

namespace flyball::cluster::node {

namespace core = kube::core::v1;

namespace {

constexpr std::int64_t kUsualGrace = 30;
constexpr std::int64_t kLongestHook = 240;  // seconds: a pass ends after five minutes
constexpr std::int32_t kLost = 255;         // what containers of a machine that was switched off end with

std::string pod_text(const core::Pod& pod) {
  return pod.metadata.name + "_" + pod.metadata.namespace_ + "(" + pod.metadata.uid + ")";
}

kube::Time later(kube::Time time, std::int64_t seconds) { return kube::Time::from_unix(time.unix_seconds() + seconds); }

// Where Services have no addresses that work, the API server is where it is.
void tell_where_the_api_is(core::Service& service, const KubeletOptions& options) {
  const bool api = service.metadata.namespace_ == "default" && service.metadata.name == "kubernetes";
  if (!api || options.api_host.empty() || service.spec.ports.empty()) return;
  service.spec.clusterIP = options.api_host;
  service.spec.ports.front().port = options.api_port;
}

}  // namespace

PodPass::PodPass(runtime::Context& ctx, PodRuntime& runtime, const KubeletOptions& options, core::Pod& pod,
                 PodRecord& record)
    : ctx_(ctx), runtime_(runtime), options_(options), pod_(pod), record_(record), now_(ctx.clock().wall_now()) {}

void PodPass::live() {
  observe();
  make_sandbox();
  check_deadline();
  // What has started may be what others waited for.
  while (start_what_can()) {
  }
  if (probe()) {
    while (start_what_can()) {
    }
  }
  start_ephemeral_ones();
  kill_late_ones();
  refresh_volumes();
  pod_.status = status_of(pod_, record_, now_);
}

bool PodPass::start_what_can() {
  const PodPlan plan = plan_of(pod_, record_, now_);
  if (plan.done) tell_all_to_end(grace());
  // Its own address is among what a container may ask for.
  pod_.status = status_of(pod_, record_, now_);
  for (const Held& held : plan.held) hold(held);
  bool started = false;
  for (const core::Container* container : plan.start) started = start(*container) || started;
  return started;
}

bool PodPass::end() {
  observe();
  record_.told_to_end = true;
  tell_all_to_end(pod_.metadata.deletionGracePeriodSeconds.value_or(grace()));
  kill_late_ones();
  pod_.status = status_of(pod_, record_, now_);
  for (const auto& [name, state] : record_.containers) {
    if (state.runs()) return false;
  }
  return true;
}

void PodPass::observe() {
  if (!record_.seen) record_.seen = now_;
  record_.host_ip = options_.host_ip;
  std::map<std::string, ContainerRun> known;
  for (ContainerReport& report : runtime_.look(record_.uid)) known[report.name] = std::move(report.run);
  for (auto& [name, state] : record_.containers) {
    if (!state.runs()) continue;
    const auto found = known.find(name);
    if (found != known.end() && found->second.id == state.run->id) {
      state.run->end = found->second.end;
    } else {
      state.run->end = ContainerEnd{.at = now_, .exit_code = kLost, .reason = "Unknown"};
    }
  }
}

void PodPass::make_sandbox() {
  if (!record_.ip.empty()) return;
  try {
    record_.ip = runtime_
                     .make_sandbox({.uid = record_.uid,
                                    .namespace_ = pod_.metadata.namespace_,
                                    .name = pod_.metadata.name,
                                    .hostname = hostname_of(pod_),
                                    .host_network = pod_.spec.hostNetwork})
                     .ip;
  } catch (const Error& error) {
    ctx_.warn("FailedCreatePodSandBox", std::string("Failed to create pod sandbox: ") + error.what());
    throw;
  }
}

void PodPass::check_deadline() {
  if (!pod_.spec.activeDeadlineSeconds || record_.deadline_exceeded) return;
  const kube::Time deadline = later(pod_.status.startTime.value_or(*record_.seen), *pod_.spec.activeDeadlineSeconds);
  if (now_ < deadline) return wake_at(deadline);
  record_.deadline_exceeded = true;
  ctx_.event("DeadlineExceeded", "Pod was active on the node longer than the specified deadline");
}

bool PodPass::start(const core::Container& container) {
  ContainerRecord& state = record_.containers[container.name];
  ContainerRequest request;
  try {
    request = request_of(container, state);
  } catch (const ImageError& error) {
    if (!state.waiting || state.waiting->reason != "ErrImagePull") ctx_.warn("Failed", "Error: ErrImagePull");
    ctx_.warn("Failed", "Failed to pull image \"" + container.image + "\": " + error.what());
    state.pulls.next(state.pull_failed.value_or(now_), now_);
    state.pull_failed = now_;
    state.pull_error = error.what();
    state.waiting = Waiting{.reason = "ErrImagePull", .message = error.what()};
    wake_at(later(now_, 1));
    return false;
  } catch (const ConfigError& error) {
    ctx_.warn("Failed", std::string("Error: ") + error.what());
    state.waiting = Waiting{.reason = "CreateContainerConfigError", .message = error.what()};
    return false;
  }
  if (state.ended()) state.crashes.next(state.run->end->at, now_);
  ctx_.event("Pulled", "Container image \"" + container.image + "\" already present on machine");
  const ContainerRun run = runtime_.start(record_.uid, request);
  ctx_.event("Created", "Container created");
  if (run.end) {
    ctx_.warn("Failed", "Error: " + run.end->message);
    wake_at(now_);
  } else {
    ctx_.event("Started", "Container started");
  }
  if (state.run) {
    ++state.restarts;
    state.before = std::exchange(state.run, std::nullopt);
  }
  state.run = run;
  state.waiting.reset();
  state.pull_failed.reset();
  state.pulls = {};
  state.startup.reset();
  state.readiness.reset();
  state.liveness.reset();
  state.kill_at.reset();
  state.killed = false;
  if (state.runs()) after_start(container);
  return state.runs();
}

void PodPass::start_ephemeral_ones() {
  if (plan_of(pod_, record_, now_).done) return;
  for (const core::EphemeralContainer& ephemeral : pod_.spec.ephemeralContainers) {
    const ContainerRecord& state = record_.of(ephemeral.name);
    if (state.run) continue;
    const core::Container container = as_container(ephemeral);
    if (state.pull_failed && state.pulls.waits(*state.pull_failed, now_)) {
      hold({.container = &container, .until = state.pulls.until(*state.pull_failed)});
    } else {
      start(container);
    }
  }
}

std::string PodPass::run_hook(const core::Container& container, const core::LifecycleHandler& hook, std::int64_t most) {
  core::Probe action{.httpGet = hook.httpGet, .tcpSocket = hook.tcpSocket, .exec = hook.exec};
  action.timeoutSeconds = static_cast<std::int32_t>(std::clamp<std::int64_t>(most, 1, kLongestHook));
  if (hook.sleep) action.exec = core::ExecAction{.command = {"sleep", std::to_string(hook.sleep->seconds)}};
  if (action.exec && options_.folder.empty()) return "";  // nothing runs here
  try {
    const ProbeAnswer answer = runtime_.probe(record_.uid, probe_request(container, action), ctx_.stop());
    return answer.success ? "" : answer.text.empty() ? "it failed" : answer.text;
  } catch (const ConfigError& error) {
    return error.what();
  }
}

void PodPass::after_start(const core::Container& container) {
  if (!container.lifecycle || !container.lifecycle->postStart) return;
  const std::string wrong = run_hook(container, *container.lifecycle->postStart, kLongestHook);
  if (wrong.empty()) return;
  ctx_.warn("FailedPostStartHook", "PostStartHook failed");
  ctx_.event("Killing", "FailedPostStartHook");
  tell_to_end(container.name, grace());
}

// Within the time that the container has to end.
void PodPass::before_end(const std::string& name, std::int64_t grace) {
  if (grace <= 0) return;
  for (const auto* containers : {&pod_.spec.initContainers, &pod_.spec.containers}) {
    for (const core::Container& container : *containers) {
      if (container.name != name || !container.lifecycle || !container.lifecycle->preStop) continue;
      const std::string wrong = run_hook(container, *container.lifecycle->preStop, grace);
      if (!wrong.empty()) ctx_.warn("FailedPreStopHook", "PreStopHook failed");
    }
  }
}

// What its files are made of may have changed.
void PodPass::refresh_volumes() {
  const auto made = [](const core::Volume& volume) {
    return volume.configMap || volume.secret || volume.projected || volume.downwardAPI;
  };
  if (options_.folder.empty() || std::ranges::none_of(pod_.spec.volumes, made)) return;
  try {
    Volumes(folder(), options_.folder + "/claims").make(pod_, sources());
  } catch (const ConfigError&) {  // NOLINT(bugprone-empty-catch): the files stay when what they are made of is gone
  }
}

ContainerRequest PodPass::request_of(const core::Container& container, ContainerRecord& state) {
  Image image;
  if (options_.images != nullptr) {
    image = options_.images->find(container.image);
    state.image_id = "flyball://" + (image.entrypoint.empty() ? "host" : image.entrypoint.front());
  } else {
    image.entrypoint = {"nothing"};
    state.image_id = "flyball://status-only";
  }
  if (options_.folder.empty()) return {.name = container.name, .command = {"nothing"}};
  Volumes volumes(folder(), options_.folder + "/claims");
  volumes.make(pod_, sources());
  ContainerRequest request = request_for(pod_, container, image, sources(), volumes);
  if (options_.shares_network && !pod_.spec.hostNetwork) bind_to(request, image, record_.ip);
  request.log = log_file(options_.folder, record_.uid, container.name, state.run ? state.restarts + 1 : state.restarts);
  std::filesystem::create_directories(std::filesystem::path(request.log).parent_path());
  return request;
}

void PodPass::hold(const Held& held) {
  ContainerRecord& state = record_.containers[held.container->name];
  wake_at(held.until);
  if (state.pull_failed && state.pulls.waits(*state.pull_failed, now_)) {
    const std::string text = "Back-off pulling image \"" + held.container->image + "\"";
    if (!state.waiting || state.waiting->reason != "ImagePullBackOff") ctx_.event("BackOff", text);
    state.waiting = Waiting{.reason = "ImagePullBackOff", .message = text + ": ErrImagePull: " + state.pull_error};
    return;
  }
  ctx_.warn("BackOff", "Back-off restarting failed container " + held.container->name + " in pod " + pod_text(pod_));
  state.waiting =
      Waiting{.reason = "CrashLoopBackOff",
              .message = "back-off " + kube::Duration(std::chrono::seconds(state.crashes.seconds())).to_string() +
                         " restarting failed container=" + held.container->name + " pod=" + pod_text(pod_)};
}

bool PodPass::probe() {
  Probing probing(runtime_, pod_, record_, now_, ctx_.stop());
  probing.run();
  for (const std::string& complaint : probing.complaints) ctx_.warn("Unhealthy", complaint);
  for (const Probing::Failed& failed : probing.failed) {
    const std::string& name = failed.container->name;
    ctx_.event("Killing", "Container " + name + " failed " + failed.kind + " probe, will be restarted");
    tell_to_end(name, failed.probe->terminationGracePeriodSeconds.value_or(grace()));
  }
  if (probing.next) wake_at(*probing.next);
  return probing.started;
}

void PodPass::tell_to_end(const std::string& container, std::int64_t grace) {
  ContainerRecord& state = record_.containers[container];
  if (!state.runs() || state.kill_at) return;
  state.kill_at = later(now_, grace);
  before_end(container, grace);
  runtime_.signal(record_.uid, container, grace > 0 ? SIGTERM : SIGKILL);
}

// Sidecars serve the others to the end.
void PodPass::tell_all_to_end(std::int64_t grace) {
  bool others = false;
  for (const core::Container& container : pod_.spec.containers) {
    if (!record_.of(container.name).runs()) continue;
    others = true;
    if (pod_.metadata.deletionTimestamp && !record_.of(container.name).kill_at) {
      ctx_.event("Killing", "Stopping container " + container.name);
    }
    tell_to_end(container.name, grace);
  }
  for (const core::Container& init : pod_.spec.initContainers) {
    if (!is_sidecar(init) || !others) tell_to_end(init.name, grace);
  }
  for (const core::EphemeralContainer& ephemeral : pod_.spec.ephemeralContainers) tell_to_end(ephemeral.name, grace);
}

void PodPass::kill_late_ones() {
  bool mains = false;
  for (const core::Container& container : pod_.spec.containers) mains = mains || record_.of(container.name).runs();
  if (record_.told_to_end && !mains) {
    const kube::Time end = pod_.metadata.deletionTimestamp.value_or(now_);
    for (const core::Container& init : pod_.spec.initContainers) {
      tell_to_end(init.name, std::max<std::int64_t>(end.unix_seconds() - now_.unix_seconds(), 1));
    }
  }
  for (auto& [name, state] : record_.containers) {
    if (!state.runs() || !state.kill_at || state.killed) continue;
    // A second deletion may have shortened the time.
    kube::Time at = *state.kill_at;
    if (pod_.metadata.deletionTimestamp) at = std::min(at, *pod_.metadata.deletionTimestamp);
    if (now_ < at) {
      wake_at(at);
      continue;
    }
    state.killed = true;
    runtime_.signal(record_.uid, name, SIGKILL);
  }
}

void PodPass::wake_at(kube::Time time) {
  const WallTime at = time.as<WallTime>();
  ctx_.requeue_after(std::max<Duration>(at - ctx_.clock().wall_now(), std::chrono::milliseconds(1)));
}

std::int64_t PodPass::grace() const { return pod_.spec.terminationGracePeriodSeconds.value_or(kUsualGrace); }

std::string PodPass::folder() const { return options_.folder + "/pods/" + record_.uid; }

PodSources PodPass::sources() {
  return {.config_map = [this](const std::string& name) { return ctx_.find<core::ConfigMap>(name); },
          .secret = [this](const std::string& name) { return ctx_.find<core::Secret>(name); },
          .services =
              [this] {
                auto services = ctx_.list<core::Service>({.namespace_ = pod_.metadata.namespace_});
                if (pod_.metadata.namespace_ != "default") {
                  if (auto api = ctx_.find<core::Service>({"default", "kubernetes"}))
                    services.push_back(std::move(*api));
                }
                for (core::Service& service : services) tell_where_the_api_is(service, options_);
                return services;
              },
          .volume = [this](const std::string& claim) { return volume_of(claim); },
          .token = [this](const std::string& audience, std::int64_t seconds) { return token(audience, seconds); }};
}

std::optional<std::string> PodPass::volume_of(const std::string& name) {
  const auto claim = ctx_.find<core::PersistentVolumeClaim>(name);
  if (!claim || claim->spec.volumeName.empty()) return std::nullopt;
  const auto volume = ctx_.find<core::PersistentVolume>(claim->spec.volumeName);
  if (!volume) return std::nullopt;
  if (volume->spec.hostPath) return volume->spec.hostPath->path;
  if (volume->spec.local) return volume->spec.local->path;
  throw ConfigError("volume \"" + volume->metadata.name + "\" of claim \"" + name +
                    "\" is no folder of this machine: this node has hostPath and local volumes only");
}

// One that has seen four fifths of its life is replaced.
std::string PodPass::token(const std::string& audience, std::int64_t seconds) {
  HeldToken& held = record_.tokens[{audience, seconds}];
  if (held.text.empty() || held.renew <= now_) {
    client::TokenOptions wish{
        .expires = std::chrono::seconds(seconds), .pod = pod_.metadata.name, .pod_uid = pod_.metadata.uid};
    if (!audience.empty()) wish.audiences = {audience};
    try {
      const std::string account = pod_.spec.serviceAccountName.empty() ? "default" : pod_.spec.serviceAccountName;
      held.text = client::request_token(ctx_.live(), {pod_.metadata.namespace_, account}, wish).token.reveal();
      held.renew = later(now_, seconds * 4 / 5);
    } catch (const ApiError& error) {
      if (held.text.empty()) throw ConfigError(std::string("failed to fetch token: ") + error.what());
    }
  }
  wake_at(std::max(held.renew, later(now_, 1)));
  return held.text;
}

}  // namespace flyball::cluster::node
