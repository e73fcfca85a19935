#include "flyball/cache/reflector.hpp"

#include <utility>

#include "flyball/base/api_error.hpp"
#include "flyball/base/condition.hpp"

namespace flyball::cache {

using client::WatchEvent;

Reflector::Reflector(const client::Client& client, ByteStore& store, client::WatchOptions watch,
                     ReflectorOptions options)
    : client_(client),
      store_(store),
      watch_options_(std::move(watch)),
      options_(std::move(options)),
      source_{.namespace_ = watch_options_.namespace_},
      resume_at_(options_.resume_at) {
  if (resume_at_.empty()) return;
  // What was saved stands for the first sync.
  source_.synced = true;
  store_.advance(source_, resume_at_);
  status_.synced = true;
  position_ = resume_at_;
}

Reflector::~Reflector() = default;

void Reflector::run(const Stop& stop) {
  Clock& clock = client_.engine()->clock();
  const auto next = [&](client::Watch& watch) { return watch.next(stop); };
  while (!stop.stopped()) {
    if (clock.now() < asleep_until_ && !pause_until(clock, asleep_until_, stop)) return;
    take(next);
  }
}

bool Reflector::poll(const Stop& stop) {
  if (client_.engine()->clock().now() < asleep_until_) return false;
  return take([&](client::Watch& watch) { return watch.poll(stop); });
}

TimePoint Reflector::next_due() const {
  const Clock& clock = client_.engine()->clock();
  if (clock.now() < asleep_until_) return asleep_until_;
  const MutexLock lock(mutex_);
  return watch_ == nullptr ? clock.now() : watch_->next_due();
}

bool Reflector::take(const std::function<const WatchEvent*(client::Watch&)>& next) {
  try {
    const WatchEvent* event = next(watch());
    if (event == nullptr) return false;
    keep(*event);
  } catch (const ApiError& error) {
    refused(error);
  } catch (const BudgetError& error) {
    fail(error);
    // To go on would take what it may not have.
    asleep_until_ = kNever;
  }
  return true;
}

client::Watch& Reflector::watch() {
  {
    const MutexLock lock(mutex_);
    if (watch_ != nullptr) return *watch_;
  }
  client::WatchOptions options = watch_options_;
  options.resource_version = resume_at_;
  // Not under the lock: a watch comes and goes with metrics, and whoever reads those asks for our status.
  auto made = std::make_shared<client::Watch>(client_.watch(std::move(options)));
  const MutexLock lock(mutex_);
  watch_ = std::move(made);
  return *watch_;
}

void Reflector::keep(const WatchEvent& event) {
  try {
    apply(event);
  } catch (const BudgetError&) {
    throw;
  } catch (const Error& error) {
    // One object that makes no sense does not keep the others out.
    options_.log.error("an object cannot be kept", "kind", store_.options().kind.to_string(), "object",
                       event.key().to_string(), "error", error);
  }
}

void Reflector::apply(const WatchEvent& event) {
  const Arrival arrival{.format = event.format, .bytes = event.object, .metadata = &event.metadata};
  switch (event.kind) {
    case WatchEvent::Kind::resync_begin: return store_.begin_resync(source_);
    case WatchEvent::Kind::added:
    case WatchEvent::Kind::modified: store_.put(source_, arrival); break;
    case WatchEvent::Kind::deleted: store_.remove(source_, arrival); break;
    case WatchEvent::Kind::bookmark: store_.advance(source_, event.resource_version); break;
    case WatchEvent::Kind::synced:
      store_.end_resync(source_, event.resource_version);
      set([](ReflectorStatus& status) {
        status.synced = true;
        status.parked = false;
        status.trouble.clear();
      });
      break;
  }
  if (!source_.synced) return;
  const MutexLock lock(mutex_);
  position_ = source_.position_text;
  status_.trouble.clear();
}

void Reflector::refused(const ApiError& error) {
  if (!error.is_not_found()) {
    options_.log.error("the server does not let us watch; asking again", "kind", store_.options().kind.to_string(),
                       "error", error);
    return set([&](ReflectorStatus& status) { status.trouble = error.what(); });
  }
  // The kind took its objects with it.
  if (store_.count() != 0) store_.drop(source_);
  resume_at_.clear();
  if (!status().parked) {
    options_.log.info("the server does not have this kind yet; waiting for it", "kind",
                      store_.options().kind.to_string(), "looking_every", options_.park);
  }
  Clock& clock = client_.engine()->clock();
  asleep_until_ = clock.after(client_.engine()->random().jitter(options_.park, 0.2));
  {
    // Another watch: the pauses of this one grow with every refusal.
    std::shared_ptr<client::Watch> old;
    const MutexLock lock(mutex_);
    watch_.swap(old);
  }
  set([](ReflectorStatus& status) {
    status.parked = true;
    status.synced = false;
    status.trouble = "the server does not have this kind";
  });
}

void Reflector::fail(const Error& error) {
  options_.log.error("the cache has given up", "kind", store_.options().kind.to_string(), "error", error);
  set([&](ReflectorStatus& status) { status.failure = error.what(); });
}

void Reflector::set(const std::function<void(ReflectorStatus&)>& change) {
  {
    const MutexLock lock(mutex_);
    change(status_);
  }
  if (options_.on_status) options_.on_status();
}

ReflectorStatus Reflector::status() const {
  std::shared_ptr<client::Watch> watch;
  ReflectorStatus status;
  {
    const MutexLock lock(mutex_);
    status = status_;
    watch = watch_;
  }
  if (watch == nullptr) return status;
  const client::WatchStatus of_watch = watch->status();
  status.last_heard = of_watch.last_heard;
  if (status.trouble.empty()) status.trouble = of_watch.trouble;
  return status;
}

std::string Reflector::position() const {
  const MutexLock lock(mutex_);
  return position_;
}

}  // namespace flyball::cache
