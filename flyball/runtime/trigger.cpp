#include "flyball/runtime/trigger.hpp"

namespace flyball::runtime::detail {

void TriggerState::fire(const kube::ObjectKey& object, const std::string& reason) {
  const MutexLock lock(mutex_);
  if (sink_) return sink_(object, reason);
  waiting_.emplace_back(object, reason);
}

void TriggerState::connect(Sink sink) {
  const MutexLock lock(mutex_);
  sink_ = std::move(sink);
  if (!sink_) return;
  for (const auto& [object, reason] : waiting_) sink_(object, reason);
  waiting_.clear();
}

}  // namespace flyball::runtime::detail
