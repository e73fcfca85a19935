#include "flyball/runtime/loop_detector.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace flyball::runtime {
namespace {

std::string object_text(const kube::GroupVersionKind& kind, const kube::ObjectKey& object) {
  return kind.api_version() + " " + kind.kind + " " + object.to_string();
}

std::string version_text(const kube::GroupVersionKind& kind, const kube::ObjectKey& object,
                         const std::string& version) {
  return object_text(kind, object) + " @" + version;
}

// A chain is told up to here; loops are short.
constexpr std::size_t kTold = 8;

}  // namespace

bool LoopDetector::is_told(std::uint32_t rounds) const {
  if (rounds < options_.rounds || rounds % options_.rounds != 0) return false;
  const std::uint32_t times = rounds / options_.rounds;
  return (times & (times - 1)) == 0;  // 1, 2, 4, 8 …
}

const LoopDetector::Link* LoopDetector::link_of(std::uint64_t number) const {
  if (number < first_ || number - first_ >= links_.size()) return nullptr;
  return &links_[number - first_].second;
}

std::optional<std::uint64_t> LoopDetector::woken_by(const ReconcileRecord& record) const {
  // Of several writes that woke it, the one that its own key has most to do with.
  std::optional<std::uint64_t> best;
  std::uint32_t most = 0;
  for (const Cause& cause : record.causes.all()) {
    const auto found = numbers_.find(version_text(cause.kind, cause.object, cause.resource_version));
    if (found == numbers_.end()) continue;
    const std::uint32_t rounds = rounds_of(record.key, found->second);
    if (best && rounds <= most) continue;
    best = found->second;
    most = rounds;
  }
  return best;
}

std::uint32_t LoopDetector::rounds_of(const Key& key, std::optional<std::uint64_t> from) const {
  // The nearest link of the key knows those before it. Chains without the key end, or are cut: no loop is that long.
  for (std::size_t steps = 0; from && steps < kTold * 8; ++steps) {
    const Link* link = link_of(*from);
    if (link == nullptr) return 0;
    if (link->key == key) return link->rounds + 1;
    from = link->woken_by;
  }
  return 0;
}

std::string LoopDetector::tell(const Key& key, std::uint64_t from) const {
  std::vector<const Link*> chain;
  for (std::optional<std::uint64_t> at = from; at && chain.size() < kTold;) {
    const Link* link = link_of(*at);
    if (link == nullptr) break;
    chain.push_back(link);
    if (link->key == key) break;
    at = link->woken_by;
  }
  std::string text;
  for (const Link* link : chain | std::views::reverse) {
    text += text.empty() ? link->key.to_string() : ", which woke " + link->key.to_string() + ", which";
    text += " wrote " + link->what;
  }
  return text + ", which woke " + key.to_string();
}

void LoopDetector::remember(const ReconcileRecord& record, std::optional<std::uint64_t> cause, std::uint32_t rounds) {
  for (const RecordedWrite& write : record.writes) {
    if (!write.changed) continue;
    std::string version = version_text(write.kind, write.object, write.resource_version);
    numbers_[version] = first_ + links_.size();
    links_.emplace_back(std::move(version), Link{record.key, object_text(write.kind, write.object), cause, rounds});
  }
  while (links_.size() > options_.most_writes) {
    const auto found = numbers_.find(links_.front().first);
    if (found != numbers_.end() && found->second == first_) numbers_.erase(found);
    links_.pop_front();
    ++first_;
  }
}

std::optional<Loop> LoopDetector::fight_in(const ReconcileRecord& record) {
  std::map<std::string, Fight> now;
  std::optional<Loop> loop;
  const auto before = fights_.find(record.key);
  for (const RecordedWrite& write : record.writes) {
    if (!write.changed) continue;
    const std::string what = object_text(write.kind, write.object);
    Fight& fight = now[what];
    fight.wrote = true;
    if (before == fights_.end()) continue;
    const auto was = before->second.find(what);
    if (was == before->second.end() || !was->second.wrote) continue;
    const bool woken = std::ranges::any_of(record.causes.all(), [&](const Cause& cause) FLYBALL_REQUIRES(mutex_) {
      return cause.kind == write.kind && cause.object == write.object &&
             !numbers_.contains(version_text(cause.kind, cause.object, cause.resource_version));
    });
    if (!woken) continue;
    fight.rounds = was->second.rounds + 1;
    if (!is_told(fight.rounds)) continue;
    loop = Loop{Loop::Kind::fight, record.key, fight.rounds,
                record.key.to_string() + " writes " + what + " and somebody else changes it back, " +
                    std::to_string(fight.rounds) + " times in a row; its managedFields say who"};
  }
  if (now.empty())
    fights_.erase(record.key);
  else
    fights_[record.key] = std::move(now);
  return loop;
}

std::optional<Loop> LoopDetector::passed(const ReconcileRecord& record) {
  MutexLock lock(mutex_);
  auto loop = fight_in(record);
  const auto cause = woken_by(record);
  const std::uint32_t rounds = rounds_of(record.key, cause);
  // A pass that writes nothing ends the chain.
  if (record.changes() > 0 && is_told(rounds)) {
    loop = Loop{Loop::Kind::itself, record.key, rounds,
                tell(record.key, *cause) + ", " + std::to_string(rounds) + " times in a row"};
  }
  remember(record, cause, rounds);
  return loop;
}

}  // namespace flyball::runtime
