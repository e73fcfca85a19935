// ReconcileRecord: one pass over one key: why it ran, what it read, what it wrote, how it ended.
// ReconcileHistory keeps the latest of them, for a person who asks "why does this run all the time?"
//
//   std::cout << history.explain(key);
//   // pass 17 over shop/web took 12ms: done
//   //   because updated apps/v1 Deployment shop/web @4711
//   //   read v1 Pod in shop where app=web
//   //   wrote apply apps/v1 Deployment shop/web @4715
//
// Thread-safety: a record is a value; all members of ReconcileHistory may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/kube/resource_key.hpp"
#include "flyball/runtime/cause.hpp"
#include "flyball/runtime/key.hpp"
#include "flyball/runtime/read_set.hpp"

namespace flyball::runtime {

struct RecordedWrite {
  std::string verb = {};  // "create", "apply", "patch", "delete", "status"
  kube::GroupVersionKind kind = {};
  kube::ObjectKey object = {};
  std::string resource_version = {};  // that it has since; empty when it is gone
  bool changed = true;                // false: the server had it so already

  std::string to_string() const;
};

struct ReconcileRecord {
  std::string controller = {};
  Key key = {};
  std::uint64_t number = 0;  // of the controller's passes
  WallTime began = {};
  Duration took = {};
  Causes causes = {};
  std::vector<std::string> reads = {};  // as Read::to_string says them
  std::vector<RecordedWrite> writes = {};
  std::string outcome = {};  // "done", "again in 10m", "failed: …"

  // What a ReadSet knows of the pass; its verbs are "write" and "delete".
  void take(const ReadSet& reads);
  // How many writes changed something: 0 in a pass over what is as it should be.
  std::size_t changes() const;
  std::string to_string() const;
};

class ReconcileHistory {
 public:
  explicit ReconcileHistory(std::size_t most = 1000) : most_(most) {}

  void add(ReconcileRecord record);

  // Of one key, the latest first.
  std::vector<ReconcileRecord> of(const Key& key) const;
  std::optional<ReconcileRecord> latest(const Key& key) const;
  std::string explain(const Key& key) const;
  std::size_t size() const;

 private:
  const std::size_t most_;
  mutable Mutex mutex_;
  std::deque<ReconcileRecord> records_ FLYBALL_GUARDED_BY(mutex_);  // the latest last
};

}  // namespace flyball::runtime
