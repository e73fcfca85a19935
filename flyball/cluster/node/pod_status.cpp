#include "flyball/cluster/node/pod_status.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "flyball/cluster/node/pod_conditions.hpp"

namespace flyball::cluster::node {

namespace core = kube::core::v1;

namespace {

core::ContainerStateTerminated terminated(const ContainerRun& run) {
  const ContainerEnd& end = *run.end;
  std::string reason = end.reason;
  if (reason.empty()) reason = end.exit_code == 0 ? "Completed" : "Error";
  return {.exitCode = end.exit_code,
          .reason = std::move(reason),
          .message = end.message,
          .startedAt = run.started,
          .finishedAt = end.at,
          .containerID = run.id};
}

core::ContainerState state_of(const ContainerRun& run) {
  if (run.end) return {.terminated = terminated(run)};
  return {.running = core::ContainerStateRunning{.startedAt = run.started}};
}

core::ContainerStatus container_status(const core::Pod& pod, const core::Container& container, bool init,
                                       const PodRecord& pod_record) {
  const ContainerRecord& record = pod_record.of(container.name);
  core::ContainerStatus status{.name = container.name, .restartCount = record.restarts, .image = container.image};
  status.imageID = record.image_id;
  if (record.waiting) {
    status.state.waiting =
        core::ContainerStateWaiting{.reason = record.waiting->reason, .message = record.waiting->message};
    if (record.run) status.lastState = state_of(*record.run);
  } else if (record.run) {
    status.state = state_of(*record.run);
    if (record.before) status.lastState = state_of(*record.before);
  } else {
    const bool plain = pod.spec.initContainers.empty();
    status.state.waiting = core::ContainerStateWaiting{.reason = plain ? "ContainerCreating" : "PodInitializing"};
  }
  if (record.run) status.containerID = record.run->id;
  status.started = has_started(container, record);
  status.ready = init && !is_sidecar(container) ? record.succeeded() : is_ready_container(container, record);
  return status;
}

struct Tally {
  std::size_t waiting = 0;
  std::size_t running = 0;
  std::size_t stopped = 0;
  std::size_t stopped_for_good = 0;
  std::size_t succeeded = 0;
};

Tally tally(const core::Pod& pod, const PodRecord& record) {
  Tally sum;
  for (const core::Container& container : pod.spec.containers) {
    const ContainerRecord& of = record.of(container.name);
    if (!of.run) {
      ++sum.waiting;
    } else if (of.runs()) {
      ++sum.running;
    } else {
      ++sum.stopped;
      if (!restarts(pod.spec, container, false, of.run->end->exit_code)) ++sum.stopped_for_good;
      if (of.succeeded()) ++sum.succeeded;
    }
  }
  return sum;
}

std::string phase_of(const core::Pod& pod, const PodRecord& record) {
  if (record.deadline_exceeded) return "Failed";
  bool pending = false;
  for (const core::Container& init : pod.spec.initContainers) {
    const ContainerRecord& of = record.of(init.name);
    if (is_sidecar(init)) {
      pending = pending || !of.run || (of.runs() && !has_started(init, of));
    } else if (!of.succeeded()) {
      if (of.ended() && !restarts(pod.spec, init, true, of.run->end->exit_code)) return "Failed";
      pending = true;
    }
  }
  const Tally sum = tally(pod, record);
  const bool began = sum.running + sum.stopped > 0;
  if (pending && !began) return "Pending";
  if (sum.waiting > 0) return "Pending";
  if (sum.running > 0) return "Running";
  if (sum.stopped_for_good < sum.stopped) return "Running";
  return sum.succeeded == sum.stopped ? "Succeeded" : "Failed";
}

// What the deadline has stopped is not ready, and nobody waits for it.
void say_why(core::PodStatus& status, const PodRecord& record) {
  if (!record.deadline_exceeded) return;
  status.reason = "DeadlineExceeded";
  status.message = "Pod was active on the node longer than the specified deadline";
}

ContainerRecord remembered(const core::ContainerStatus& status) {
  ContainerRecord record{.restarts = status.restartCount, .image_id = status.imageID};
  const auto run_of = [&](const core::ContainerStateTerminated& ended) {
    return ContainerRun{
        .id = ended.containerID,
        .started = ended.startedAt,
        .end = ContainerEnd{
            .at = ended.finishedAt, .exit_code = ended.exitCode, .reason = ended.reason, .message = ended.message}};
  };
  if (status.state.terminated) {
    record.run = run_of(*status.state.terminated);
    if (status.lastState.terminated) record.before = run_of(*status.lastState.terminated);
  } else if (status.state.running) {
    record.run = ContainerRun{.id = status.containerID, .started = status.state.running->startedAt};
    if (status.lastState.terminated) record.before = run_of(*status.lastState.terminated);
  } else if (status.lastState.terminated) {
    record.run = run_of(*status.lastState.terminated);
  }
  return record;
}

}  // namespace

core::PodStatus status_of(const core::Pod& pod, const PodRecord& record, kube::Time now) {
  core::PodStatus status = pod.status;
  status.observedGeneration = pod.metadata.generation;
  status.initContainerStatuses.clear();
  status.containerStatuses.clear();
  for (const core::Container& init : pod.spec.initContainers) {
    status.initContainerStatuses.push_back(container_status(pod, init, true, record));
  }
  for (const core::Container& container : pod.spec.containers) {
    status.containerStatuses.push_back(container_status(pod, container, false, record));
  }
  status.ephemeralContainerStatuses.clear();
  for (const core::EphemeralContainer& ephemeral : pod.spec.ephemeralContainers) {
    core::ContainerStatus& one =
        status.ephemeralContainerStatuses.emplace_back(container_status(pod, as_container(ephemeral), false, record));
    // Nobody waits for it: it has no probes.
    one.ready = false;
    one.started.reset();
  }
  const bool over = pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
  if (!over) status.phase = phase_of(pod, record);
  say_why(status, record);
  if (record.seen && !status.startTime) status.startTime = *record.seen;
  status.hostIP = record.host_ip;
  status.hostIPs.clear();
  if (!record.host_ip.empty()) status.hostIPs = {{.ip = record.host_ip}};
  if (!record.ip.empty()) {
    status.podIP = record.ip;
    status.podIPs = {{.ip = record.ip}};
  }
  status.conditions = conditions_of(pod, record, status, now);
  return status;
}

PodRecord record_of(const core::Pod& pod) {
  PodRecord record{.uid = pod.metadata.uid, .seen = pod.status.startTime};
  for (const auto* statuses :
       {&pod.status.initContainerStatuses, &pod.status.containerStatuses, &pod.status.ephemeralContainerStatuses}) {
    for (const core::ContainerStatus& status : *statuses) record.containers[status.name] = remembered(status);
  }
  return record;
}

}  // namespace flyball::cluster::node
