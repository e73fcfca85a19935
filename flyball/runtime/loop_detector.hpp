// LoopDetector: finds operators that keep themselves busy, and says how.
//
//   if (const auto loop = detector.passed(record)) log.warn("a reconcile triggers itself", "loop", loop->text);
//   // shop/a wrote v1 ConfigMap shop/x, which woke shop/b, which wrote v1 Secret shop/y, which woke shop/a, …
//
// Two kinds:
// - A chain of passes, each woken by what one before it wrote, in which the same key comes back again and again. Known
//   exactly, by the versions that were written and the versions that were the causes.
// - A fight: a pass writes an object, somebody else changes it back, and that wakes the pass. Known when it has
// happened
//   several times in a row.
//
// A loop is told when it has gone `rounds` times, and again each time it has gone twice as often: a loop that writes a
// thousand times a second must not log as often.
//
// Thread-safety: all members may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "flyball/base/mutex.hpp"
#include "flyball/runtime/key.hpp"
#include "flyball/runtime/reconcile_record.hpp"

namespace flyball::runtime {

struct Loop {
  enum class Kind : std::uint8_t { itself, fight };
  Kind kind = Kind::itself;
  Key key = {};              // whose pass closed it
  std::uint32_t rounds = 0;  // how often it has gone round
  std::string text = {};     // for a person
};

struct LoopDetectorOptions {
  std::uint32_t rounds = 5;         // before a loop is told
  std::size_t most_writes = 4'096;  // the latest ones that are remembered
};

class LoopDetector {
 public:
  explicit LoopDetector(LoopDetectorOptions options = {}) : options_(options) {}

  // A pass has ended.
  std::optional<Loop> passed(const ReconcileRecord& record);

 private:
  // A write, and the pass that made it.
  struct Link {
    Key key = {};
    std::string what = {};                       // "v1 ConfigMap shop/x"
    std::optional<std::uint64_t> woken_by = {};  // the write that was the cause of the pass
    std::uint32_t rounds = 0;                    // how often this key stands in the chain before
  };
  struct Fight {
    std::uint32_t rounds = 0;
    bool wrote = false;  // in the last pass
  };

  const Link* link_of(std::uint64_t number) const FLYBALL_REQUIRES(mutex_);
  std::optional<std::uint64_t> woken_by(const ReconcileRecord& record) const FLYBALL_REQUIRES(mutex_);
  std::uint32_t rounds_of(const Key& key, std::optional<std::uint64_t> from) const FLYBALL_REQUIRES(mutex_);
  std::string tell(const Key& key, std::uint64_t from) const FLYBALL_REQUIRES(mutex_);
  void remember(const ReconcileRecord& record, std::optional<std::uint64_t> cause, std::uint32_t rounds)
      FLYBALL_REQUIRES(mutex_);
  std::optional<Loop> fight_in(const ReconcileRecord& record) FLYBALL_REQUIRES(mutex_);
  bool is_told(std::uint32_t rounds) const;

  const LoopDetectorOptions options_;

  Mutex mutex_;
  std::unordered_map<std::string, std::uint64_t> numbers_
      FLYBALL_GUARDED_BY(mutex_);                                              // of writes, by object and version
  std::deque<std::pair<std::string, Link>> links_ FLYBALL_GUARDED_BY(mutex_);  // by number, from first_ on
  std::uint64_t first_ FLYBALL_GUARDED_BY(mutex_) = 0;
  std::map<Key, std::map<std::string, Fight>> fights_
      FLYBALL_GUARDED_BY(mutex_);  // by object; only of those that write
};

}  // namespace flyball::runtime
