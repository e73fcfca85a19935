#include "flyball/runtime/reconcile_record.hpp"

#include <algorithm>
#include <utility>

#include "flyball/base/text.hpp"

namespace flyball::runtime {

std::string RecordedWrite::to_string() const {
  std::string text = verb + " " + kind.api_version() + " " + kind.kind + " " + object.to_string();
  if (!resource_version.empty()) text += " @" + resource_version;
  return changed ? text : text + " (nothing changed)";
}

void ReconcileRecord::take(const ReadSet& from) {
  for (const auto& [identity, read] : from.reads()) reads.push_back(read.to_string());
  for (const Write& write : from.writes()) {
    const char* verb = write.resource_version.empty() ? "delete" : "write";
    writes.push_back(
        {.verb = verb, .kind = write.kind, .object = write.object, .resource_version = write.resource_version});
  }
}

std::size_t ReconcileRecord::changes() const {
  return static_cast<std::size_t>(std::ranges::count_if(writes, &RecordedWrite::changed));
}

std::string ReconcileRecord::to_string() const {
  std::string text = "pass " + std::to_string(number) + " over " + key.to_string() + " took " + duration_text(took) +
                     ": " + outcome + "\n";
  for (const Cause& cause : causes.all()) text += "  because " + cause.to_string() + "\n";
  if (causes.others() > 0) text += "  because of " + std::to_string(causes.others()) + " more\n";
  for (const std::string& read : reads) text += "  read " + read + "\n";
  for (const RecordedWrite& write : writes) text += "  wrote " + write.to_string() + "\n";
  return text;
}

void ReconcileHistory::add(ReconcileRecord record) {
  MutexLock lock(mutex_);
  records_.push_back(std::move(record));
  if (records_.size() > most_) records_.pop_front();
}

std::vector<ReconcileRecord> ReconcileHistory::of(const Key& key) const {
  MutexLock lock(mutex_);
  std::vector<ReconcileRecord> found;
  std::copy_if(records_.rbegin(), records_.rend(), std::back_inserter(found),
               [&](const ReconcileRecord& record) { return record.key == key; });
  return found;
}

std::optional<ReconcileRecord> ReconcileHistory::latest(const Key& key) const {
  auto found = of(key);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::string ReconcileHistory::explain(const Key& key) const {
  std::string text;
  for (const ReconcileRecord& record : of(key)) text += record.to_string();
  return text.empty() ? "no pass over " + key.to_string() + " is remembered\n" : text;
}

std::size_t ReconcileHistory::size() const {
  MutexLock lock(mutex_);
  return records_.size();
}

}  // namespace flyball::runtime
