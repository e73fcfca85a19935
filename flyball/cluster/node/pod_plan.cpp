#include "flyball/cluster/node/pod_plan.hpp"

#include <algorithm>

namespace flyball::cluster::node {

namespace core = kube::core::v1;

namespace {

class Planner {
 public:
  Planner(const core::Pod& pod, const PodRecord& record, kube::Time now) : pod_(pod), record_(record), now_(now) {}

  PodPlan make() {
    if (is_done()) {
      plan_.done = true;
      return std::move(plan_);
    }
    if (!initialize()) return std::move(plan_);
    for (const core::Container& container : pod_.spec.containers) consider(container, false);
    return std::move(plan_);
  }

 private:
  bool is_over(const core::Container& container, bool init) const {
    const ContainerRecord& record = record_.of(container.name);
    return record.ended() && !restarts(pod_.spec, container, init, record.run->end->exit_code);
  }

  bool is_done() const {
    if (record_.deadline_exceeded) return true;
    const auto failed = [&](const core::Container& init) {
      return !is_sidecar(init) && is_over(init, true) && !record_.of(init.name).succeeded();
    };
    if (std::ranges::any_of(pod_.spec.initContainers, failed)) return true;
    return std::ranges::all_of(pod_.spec.containers,
                               [&](const core::Container& container) { return is_over(container, false); });
  }

  // True when the others may run.
  bool initialize() {
    const bool was = std::ranges::any_of(pod_.spec.containers, [&](const core::Container& container) {
      return record_.of(container.name).run.has_value();
    });
    for (const core::Container& init : pod_.spec.initContainers) {
      const ContainerRecord& record = record_.of(init.name);
      if (is_sidecar(init)) {
        consider(init, true);
        if (!was && !has_started(init, record)) return false;
        continue;
      }
      if (was || record.succeeded()) continue;
      consider(init, true);
      return false;
    }
    return true;
  }

  void consider(const core::Container& container, bool init) {
    const ContainerRecord& record = record_.of(container.name);
    if (record.runs() || is_over(container, init)) return;
    if (record.pull_failed && record.pulls.waits(*record.pull_failed, now_)) {
      plan_.held.push_back({&container, record.pulls.until(*record.pull_failed)});
      return;
    }
    if (record.ended() && record.crashes.waits(record.run->end->at, now_)) {
      plan_.held.push_back({&container, record.crashes.until(record.run->end->at)});
      return;
    }
    plan_.start.push_back(&container);
  }

  const core::Pod& pod_;
  const PodRecord& record_;
  const kube::Time now_;
  PodPlan plan_;
};

}  // namespace

PodPlan plan_of(const core::Pod& pod, const PodRecord& record, kube::Time now) {
  return Planner(pod, record, now).make();
}

}  // namespace flyball::cluster::node
