// PodRecord: what the node remembers of a pod: what its containers did. The pod's status is a function of its spec and
// this (pod_status.hpp), and so is what is to be done next (pod_plan.hpp).
//
// Thread-safety: values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "flyball/cluster/node/backoff.hpp"
#include "flyball/cluster/node/probe_counter.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::cluster::node {

// How a container ended.
struct ContainerEnd {
  kube::Time at = {};
  std::int32_t exit_code = 0;  // 128 and the signal, where one killed it
  std::string reason = {};     // empty: Completed or Error, by the code
  std::string message = {};

  friend bool operator==(const ContainerEnd&, const ContainerEnd&) = default;
};

// One run of a container.
struct ContainerRun {
  std::string id = {};  // "flyball://1f0c…"
  kube::Time started = {};
  std::optional<ContainerEnd> end = {};  // none: it runs

  friend bool operator==(const ContainerRun&, const ContainerRun&) = default;
};

// Why a container does not run and is not about to: CrashLoopBackOff, ErrImagePull.
struct Waiting {
  std::string reason = {};
  std::string message = {};
};

// One probe of a container that runs.
struct ProbeRecord {
  ProbeCounter counter;
  std::optional<kube::Time> last = {};  // when it was asked; none: not yet
};

struct ContainerRecord {
  std::int32_t restarts = 0;
  std::optional<ContainerRun> run = {};     // the one now, or the last when it has ended
  std::optional<ContainerRun> before = {};  // the one before that
  std::optional<Waiting> waiting = {};
  Backoff crashes = {};
  Backoff pulls = {};  // of its image
  std::optional<kube::Time> pull_failed = {};
  std::string pull_error = {};
  std::string image_id = {};
  // Of the run now.
  std::optional<ProbeRecord> startup = {};
  std::optional<ProbeRecord> readiness = {};
  std::optional<ProbeRecord> liveness = {};
  std::optional<kube::Time> kill_at = {};  // it was told to end, and is killed then
  bool killed = false;                     // by force

  bool runs() const { return run && !run->end; }
  bool ended() const { return run && run->end; }
  bool succeeded() const { return ended() && run->end->exit_code == 0; }
};

// A token of the pod's account, as its files have it.
struct HeldToken {
  std::string text = {};
  kube::Time renew = {};  // a new one is asked for then
};

struct PodRecord {
  std::string uid = {};
  std::string ip = {};  // empty: there is no sandbox yet
  std::string host_ip = {};
  std::optional<kube::Time> seen = {};                                    // when the node took it on
  std::map<std::string, ContainerRecord, std::less<>> containers = {};    // also init containers
  std::map<std::pair<std::string, std::int64_t>, HeldToken> tokens = {};  // by audience and seconds
  bool deadline_exceeded = false;
  bool told_to_end = false;  // its deletion has begun here

  const ContainerRecord& of(const std::string& container) const {
    static const ContainerRecord none;
    const auto found = containers.find(container);
    return found == containers.end() ? none : found->second;
  }
};

// An init container that goes on running beside the others.
inline bool is_sidecar(const kube::core::v1::Container& init) { return init.restartPolicy == "Always"; }

// A container that was added to a pod while it runs (kubectl debug), as what it is otherwise. It runs once.
kube::core::v1::Container as_container(const kube::core::v1::EphemeralContainer& ephemeral);

// Whether its program is up: its startup probe has said so, or it has none.
inline bool has_started(const kube::core::v1::Container& container, const ContainerRecord& record) {
  if (!record.runs()) return false;
  return !container.startupProbe || (record.startup && record.startup->counter.good());
}
inline bool is_ready_container(const kube::core::v1::Container& container, const ContainerRecord& record) {
  if (!has_started(container, record)) return false;
  return !container.readinessProbe || (record.readiness && record.readiness->counter.good());
}

// Whether a container of the pod that ended so is started again.
bool restarts(const kube::core::v1::PodSpec& spec, const kube::core::v1::Container& container, bool init,
              std::int32_t exit_code);

}  // namespace flyball::cluster::node
