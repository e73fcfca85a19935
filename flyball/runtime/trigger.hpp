// Trigger: wakes objects for reasons that are not in the cluster: a message from a queue, a file that changed, a
// program's own thread.
//
//   Trigger alarm = op.reconcile<Database>(reconcile).trigger();
//   std::thread listener([alarm] { for (const auto& name : alarms()) alarm.fire({"shop", name}, "alarm"); });
//
// What is fired before the operator runs waits for it. What is fired for an object that does not exist costs an empty
// pass.
//
// Thread-safety: a handle; copies may be used from any thread, before, while and after the operator runs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "flyball/base/mutex.hpp"
#include "flyball/kube/resource_key.hpp"

namespace flyball::runtime {

namespace detail {

class TriggerState {
 public:
  using Sink = std::function<void(const kube::ObjectKey&, const std::string& reason)>;

  void fire(const kube::ObjectKey& object, const std::string& reason);
  // Gets what has waited, and from then on everything; an empty one: nobody listens any more.
  void connect(Sink sink);

 private:
  Mutex mutex_;
  Sink sink_ FLYBALL_GUARDED_BY(mutex_);
  std::vector<std::pair<kube::ObjectKey, std::string>> waiting_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace detail

class Trigger {
 public:
  explicit Trigger(std::shared_ptr<detail::TriggerState> state) : state_(std::move(state)) {}
  // `reason` is what the log and Context::causes() say.
  void fire(const kube::ObjectKey& object, const std::string& reason = "triggered") const {
    state_->fire(object, reason);
  }

 private:
  std::shared_ptr<detail::TriggerState> state_;
};

}  // namespace flyball::runtime

namespace flyball {
using runtime::Trigger;
}  // namespace flyball
