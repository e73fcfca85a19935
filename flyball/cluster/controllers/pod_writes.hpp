// Making and deleting the pods of a set, with the events that people know, and the memory that it takes.
//
//   PodWrites writes;                                        // one for each controller
//   const auto made = writes.create(ctx, pod, missing);       // stops at the first that cannot be made
//   if (made.error) …
//   writes.delete_all(ctx, set.metadata.uid, surplus);
//
// A pod that was deleted is seen in the cache for a moment longer: it is remembered here, so that no other goes in its
// place. An error is not thrown but given back: it belongs into the status. again_after() says when to try again, later
// each time.
//
// Thread-safety: all members may be called from any thread. Lifetime: the controller's.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {

struct PodsWritten {
  std::vector<kube::core::v1::Pod> pods = {};
  std::optional<std::string> error = {};  // what stopped it, in the server's words
};

class PodWrites {
 public:
  // Copies of `pod`, owned by the reconciled object. In a namespace that is going nothing is made, without a word.
  PodsWritten create(Context& ctx, const kube::core::v1::Pod& pod, std::size_t count);
  PodsWritten delete_all(Context& ctx, const std::string& owner_uid, const std::vector<kube::core::v1::Pod>& pods);

  // One of them, without an event; errors are thrown.
  void delete_quietly(Context& ctx, const std::string& owner_uid, const kube::core::v1::Pod& pod);

  // Leaves out those that were deleted. `pods` are all that the cache shows of the owner, and that are not going.
  std::vector<kube::core::v1::Pod> without_deleted(const std::string& owner_uid, std::vector<kube::core::v1::Pod> pods);

  // After one more failure of that object.
  Duration again_after(const std::string& uid);
  void succeeded(const std::string& uid);

 private:
  Mutex mutex_;
  // By the uid of the owner.
  std::map<std::string, std::set<std::string>> deleted_ FLYBALL_GUARDED_BY(mutex_);  // that the cache may still show
  std::map<std::string, int> failures_ FLYBALL_GUARDED_BY(mutex_);                   // in a row
};

}  // namespace flyball::cluster
