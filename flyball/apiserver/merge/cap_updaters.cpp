#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "flyball/apiserver/merge/managed_fields.hpp"

namespace flyball::apiserver::merge {

namespace {

constexpr std::string_view kAncient = "ancient-changes";
constexpr std::size_t kMostUpdaters = 10;

struct Updater {
  std::int64_t seconds = 0;
  std::string id = {};
  Manager* manager = nullptr;
  friend bool operator<(const Updater& a, const Updater& b) {
    return std::tie(a.seconds, a.id) < std::tie(b.seconds, b.id);
  }
};

// What the old updaters of one version become.
struct Bucket {
  Manager* first = nullptr;  // the oldest, as long as it stands alone
  Manager* ancient = nullptr;
};

std::vector<Updater> by_age(std::vector<Manager>& managers, std::map<std::string, Bucket>& buckets) {
  std::vector<Updater> updaters;
  for (Manager& manager : managers) {
    if (manager.id.applied) continue;
    updaters.push_back({manager.time ? manager.time->unix_seconds() : 0, manager.id.text(), &manager});
    const bool ancient = manager.id.name == kAncient && manager.id.subresource.empty();
    if (ancient) buckets[manager.id.api_version].ancient = &manager;
  }
  std::ranges::sort(updaters, std::less<>());
  return updaters;
}

}  // namespace

void Managed::cap_updaters() {
  const auto is_updater = [](const Manager& manager) { return !manager.id.applied; };
  auto count = static_cast<std::size_t>(std::ranges::count_if(managers_, is_updater));
  if (count <= kMostUpdaters) return;
  std::map<std::string, Bucket> buckets;
  for (const Updater& updater : by_age(managers_, buckets)) {
    if (count <= kMostUpdaters) break;
    Manager& oldest = *updater.manager;
    Bucket& bucket = buckets[oldest.api_version];
    if (bucket.first == nullptr) {
      bucket.first = &oldest;
      continue;
    }
    if (bucket.ancient == nullptr) {
      bucket.ancient = bucket.first;
      bucket.ancient->id = {.name = std::string(kAncient), .api_version = oldest.api_version};
    }
    bucket.ancient->fields = oldest.fields | bucket.ancient->fields;
    bucket.ancient->time = oldest.time;
    // Upstream, too, loses what a bucket held that is not its version's oldest.
    if (bucket.ancient == &oldest) bucket.ancient = nullptr;
    oldest.fields = {};
    --count;
  }
  erase_empty();
}

}  // namespace flyball::apiserver::merge
