#include "replay/world.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <utility>

#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_split.hpp"

namespace bench {
namespace {

using flyball::MutexLock;
using flyball::kube::meta::v1::PartialObjectMetadata;
using flyball::kube::meta::v1::Status;

// Versions begin there, as those of a cluster that has been in use do.
constexpr std::uint64_t kFirstVersion = 918'000'000;
// How much of the past is kept for watchers.
constexpr std::size_t kLogBytes = std::size_t{256} << 20U;

// This moment, as wide as kNoStamp.
std::string stamp_text() {
  timespec now{};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  std::array<char, kNoStamp.size() + 1> text{};
  (void)std::snprintf(text.data(), text.size(), "%020lld",
                      static_cast<long long>(now.tv_sec) * 1'000'000'000 + static_cast<long long>(now.tv_nsec));
  return text.data();
}

void write_stamp(std::string& bytes, const std::string& stamp) {
  const std::size_t at = bytes.find(kNoStamp);
  if (at != std::string::npos) bytes.replace(at, kNoStamp.size(), stamp);
}

}  // namespace

World::World(flyball::Clock& clock, std::unique_ptr<Corpus> corpus, const std::vector<Format>& formats)
    : corpus_(std::move(corpus)), order_(corpus_->count()), changed_(clock), random_(corpus_->seed()) {
  const MutexLock lock(mutex_);
  std::vector<std::string> keys(corpus_->count());
  for (std::size_t slot = 0; slot < keys.size(); ++slot) keys[slot] = corpus_->key({.slot = slot});
  std::iota(order_.begin(), order_.end(), 0U);
  std::ranges::sort(order_, {}, [&](std::uint32_t slot) -> const std::string& { return keys[slot]; });
  states_.resize(keys.size());
  for (const Format format : formats) {
    items_[format].resize(keys.size());
    digests_[format] = {};
  }
  for (std::size_t slot = 0; slot < keys.size(); ++slot) {
    by_key_[keys[slot]] = slot;
    states_[slot] = {.slot = slot, .version = kFirstVersion + random_.below(1'000'000)};
    for (auto& [format, items] : items_) {
      items[slot] = encode(states_[slot], format);
      digests_[format].add(items[slot]);
    }
  }
  version_ = forgotten_ = kFirstVersion + 1'000'000;
}

std::map<Format, std::string> World::encode(const ObjectState& state) const {
  std::map<Format, std::string> made;
  for (const auto& [format, items] : items_) made[format] = encode(state, format);
  return made;
}

std::string World::encode(const ObjectState& state, Format format) const {
  std::string made = corpus_->encode(state, format);
  if (format == Format::protobuf || !made.starts_with(R"({"metadata")")) return made;
  const auto& kind = corpus_->resource().kind;
  return R"({"kind":")" + kind.kind + R"(","apiVersion":")" + kind.api_version() + R"(",)" + made.substr(1);
}

ObjectState World::next_state(std::size_t slot, ChangeKind kind) {
  ObjectState next = states_[slot];
  next.version = ++version_;
  if (kind == ChangeKind::modify) {
    ++next.generation;
  } else {
    ++next.incarnation;
    next.generation = 0;
  }
  return next;
}

void World::set_item(std::size_t slot, std::map<Format, std::string> items) {
  for (auto& [format, bytes] : items) {
    std::string& item = items_.at(format)[slot];
    digests_[format].remove(item);
    digests_[format].add(bytes);
    item = std::move(bytes);
  }
}

void World::publish(std::string_view type, const std::map<Format, std::string>& items) {
  Event event{.version = version_};
  for (const auto& [format, bytes] : items) {
    event.frames[format] = frame(format, type, bytes);
    log_bytes_ += event.frames[format].size();
  }
  log_.push_back(std::move(event));
  ++counts_.events;
  trim();
  changed_.notify_all();
}

void World::trim() {
  while (log_bytes_ > kLogBytes && log_.size() > 1) {
    for (const auto& [format, bytes] : log_.front().frames) log_bytes_ -= bytes.size();
    forgotten_ = log_.front().version;
    log_.pop_front();
    ++log_begin_;
  }
}

void World::change(ChangeKind kind) {
  if (corpus_->count() == 0) return;
  const MutexLock lock(mutex_);
  const std::size_t slot = random_.below(states_.size());
  if (kind == ChangeKind::replace) {
    // Its last state has the version of its end.
    ObjectState last = states_[slot];
    last.version = ++version_;
    publish("DELETED", encode(last));
    by_key_.erase(corpus_->key(states_[slot]));
  }
  const ObjectState next = next_state(slot, kind);
  auto items = encode(next);
  for (auto& [format, bytes] : items) write_stamp(bytes, stamp_text());
  states_[slot] = next;
  if (kind == ChangeKind::replace) by_key_[corpus_->key(next)] = slot;
  publish(kind == ChangeKind::replace ? "ADDED" : "MODIFIED", items);
  set_item(slot, std::move(items));
}

void World::burst(std::size_t count) {
  if (corpus_->count() == 0) return;
  struct Made {
    std::size_t slot = 0;
    std::map<Format, std::string> items = {};
    Event event = {};
  };
  std::vector<Made> made(count);
  {
    const MutexLock lock(mutex_);
    const std::size_t first = random_.below(states_.size());
    for (std::size_t i = 0; i < count; ++i) {
      Made& one = made[i];
      one.slot = (first + i) % states_.size();
      states_[one.slot] = next_state(one.slot, ChangeKind::modify);
      one.items = encode(states_[one.slot]);
      one.event.version = version_;
      for (const auto& [format, bytes] : one.items) one.event.frames[format] = frame(format, "MODIFIED", bytes);
    }
  }
  // A few at a time: watchers take what there is meanwhile.
  constexpr std::size_t kBatch = 16;
  for (std::size_t i = 0; i < count;) {
    const MutexLock lock(mutex_);
    for (const std::size_t end = std::min(count, i + kBatch); i < end; ++i) {
      const std::string now = stamp_text();
      for (auto& [format, bytes] : made[i].event.frames) {
        write_stamp(bytes, now);
        write_stamp(made[i].items[format], now);
        log_bytes_ += bytes.size();
      }
      log_.push_back(std::move(made[i].event));
      ++counts_.events;
    }
    changed_.notify_all();
  }
  const MutexLock lock(mutex_);
  for (Made& one : made) set_item(one.slot, std::move(one.items));
  trim();
}

void World::expire(double changed) {
  const MutexLock lock(mutex_);
  for (std::size_t slot = 0; slot < states_.size(); ++slot) {
    if (!random_.chance(changed)) continue;
    states_[slot] = next_state(slot, ChangeKind::modify);
    set_item(slot, encode(states_[slot]));
  }
  log_begin_ += log_.size() + 1;  // a place nobody is at
  log_.clear();
  log_bytes_ = 0;
  forgotten_ = ++version_;
  changed_.notify_all();
}

void World::bookmark() {
  const MutexLock lock(mutex_);
  Event event{.version = version_};
  for (const auto& [format, items] : items_) event.frames[format] = bookmark_frame(format, version_, false);
  log_.push_back(std::move(event));
  changed_.notify_all();
}

World::Page World::page(Format format, std::size_t from, std::size_t limit) {
  const MutexLock lock(mutex_);
  if (from == 0) ++counts_.lists;
  Page page{.version = version_};
  const std::size_t to = std::min(order_.size(), from + limit);
  for (std::size_t i = from; i < to; ++i) page.items.push_back(items_.at(format)[order_[i]]);
  page.next = to < order_.size() ? to : 0;
  return page;
}

std::optional<std::string> World::find(Format format, const std::string& key) const {
  const MutexLock lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return std::nullopt;
  return items_.at(format)[found->second];
}

void World::count_write() {
  const MutexLock lock(mutex_);
  ++counts_.writes;
}

std::optional<std::uint64_t> World::join(std::optional<std::uint64_t> version) {
  const MutexLock lock(mutex_);
  if (version && *version < forgotten_) return std::nullopt;
  ++counts_.watchers;
  std::uint64_t place = log_begin_ + log_.size();
  while (version && place > log_begin_ && log_[place - 1 - log_begin_].version > *version) --place;
  return place;
}

void World::leave() {
  const MutexLock lock(mutex_);
  --counts_.watchers;
}

World::News World::news(Format format, std::uint64_t& place, const flyball::Stop& stop) {
  constexpr std::size_t kPiece = std::size_t{256} * 1024;
  const MutexLock lock(mutex_);
  const bool come = changed_.wait(
      mutex_, stop, [&]() FLYBALL_REQUIRES(mutex_) { return place < log_begin_ || place < log_begin_ + log_.size(); });
  if (!come) return {.stopped = true};
  if (place < log_begin_) return {.expired = true};
  News news;
  for (; place < log_begin_ + log_.size() && news.frames.size() < kPiece; ++place) {
    news.frames += log_[place - log_begin_].frames.at(format);
  }
  return news;
}

std::string World::frame(Format format, std::string_view type, std::string_view item) const {
  const auto& kind = corpus_->resource().kind;
  if (format == Format::protobuf) {
    return flyball::kube::make_watch_frame(
        type, flyball::kube::seal_envelope({.api_version = kind.api_version(), .kind = kind.kind, .object = item}));
  }
  return (R"({"type":")" + std::string(type) + R"(","object":)").append(item) + "}\n";
}

std::string World::bookmark_frame(Format format, std::uint64_t version, bool initial_end) const {
  PartialObjectMetadata object;
  object.metadata.resourceVersion = std::to_string(version);
  if (initial_end) object.metadata.annotations["k8s.io/initial-events-end"] = "true";
  if (format == Format::protobuf) {
    return frame(format, "BOOKMARK",
                 flyball::kube::encode_message(flyball::reflect::type_of<PartialObjectMetadata>(), &object));
  }
  const std::string mark = initial_end ? R"(,"annotations":{"k8s.io/initial-events-end":"true"})" : "";
  const auto& kind = corpus_->resource().kind;
  return frame(format, "BOOKMARK",
               R"({"kind":")" + kind.kind + R"(","apiVersion":")" + kind.api_version() +
                   R"(","metadata":{"resourceVersion":")" + std::to_string(version) + "\"" + mark + "}}");
}

std::string World::expired_frame(Format format) const {
  Status status{.status = "Failure", .message = "too old resource version", .reason = "Expired", .code = 410};
  if (format == Format::protobuf) return flyball::kube::make_watch_frame("ERROR", flyball::kube::to_protobuf(status));
  return R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure",)"
         R"("message":"too old resource version","reason":"Expired","code":410}})"
         "\n";
}

std::uint64_t World::version() const {
  const MutexLock lock(mutex_);
  return version_;
}

World::Summary World::summary() const {
  const MutexLock lock(mutex_);
  Summary summary = counts_;
  summary.version = version_;
  summary.objects = states_.size();
  for (const auto& [format, digest] : digests_) summary.digests[format] = digest.text();
  return summary;
}

}  // namespace bench
