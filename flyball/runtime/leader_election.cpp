#include "flyball/runtime/leader_election.hpp"

#include <algorithm>
#include <utility>

#include "flyball/base/text.hpp"
#include "flyball/runtime/detail/lease_record.hpp"

namespace flyball::runtime {
namespace {

using detail::holder_of;
using kube::coordination::v1::Lease;

// Until a watch that was refused is tried again.
constexpr Duration kDeaf = std::chrono::minutes(1);
// Of the last request, when the program ends.
constexpr Duration kRelease = std::chrono::seconds(5);

LeaderElectionOptions checked(LeaderElectionOptions options) {
  options.check();
  return options;
}

detail::LeaseTerms terms_of(const LeaderElectionOptions& options) {
  return {.identity = options.identity, .duration = options.times.lease_duration};
}

}  // namespace

LeaderElection::LeaderElection(const client::Client& client, Clock& clock, Random& random,
                               LeaderElectionOptions options)
    : client_(client),
      clock_(clock),
      random_(random),
      options_(checked(std::move(options))),
      key_{options_.namespace_, options_.name},
      log_(options_.log.with("lease", key_.to_string())),
      changed_(clock) {
  if (options_.metrics == nullptr) return;
  const auto count = [&](const char* name, const char* help) {
    return options_.metrics->counter(name, help, {"name"}).with({options_.name});
  };
  instruments_ = Instruments{
      .status = options_.metrics
                    ->gauge("leader_election_master_status", "1 when this replica leads, 0 when it does not.", {"name"})
                    .with({options_.name}),
      .slow = count("leader_election_slowpath_total", "Renewals that had to read the Lease first."),
      .refused = count("flyball_leader_election_refused_writes_total",
                       "Writes that were not sent, because this replica did not lead.")};
  instruments_->status.set(0);
}

// --- What any thread may ask

bool LeaderElection::is_leading() const {
  const MutexLock lock(mutex_);
  return leading_;
}

TimePoint LeaderElection::valid_until() const {
  const MutexLock lock(mutex_);
  return valid_until_;
}

bool LeaderElection::leads() const {
  const MutexLock lock(mutex_);
  return leading_ && clock_.now() < valid_until_;
}

bool LeaderElection::wait_to_lead(const Stop& stop) {
  const MutexLock lock(mutex_);
  return changed_.wait(mutex_, stop, [&]() FLYBALL_REQUIRES(mutex_) { return leading_; });
}

std::string LeaderElection::holder() const {
  const MutexLock lock(mutex_);
  return holder_;
}

client::Client LeaderElection::fence(const client::Client& client) const {
  return client.guarded([this](const net::Request& request) { refuse_unless_leading(request); });
}

void LeaderElection::refuse_unless_leading(const net::Request& request) const {
  if (leads()) return;
  if (instruments_) instruments_->refused.add();
  std::string why = "another replica leads";
  if (lost_.stop().stopped()) {
    why = "leadership is lost: " + lost_.stop().reason();
  } else if (is_leading()) {
    why = "the lease was not renewed for " + duration_text(options_.times.renew_deadline) +
          ", and another replica may lead by now";
  }
  throw NotLeading(request.method + " " + request.target.substr(0, request.target.find('?')) + " was not sent: " + why +
                   " (lease " + key_.to_string() + ")");
}

// --- The thread that runs it

void LeaderElection::run(const Stop& stop) {
  while (!stop.stopped() && !lost_.stop().stopped()) {
    if (clock_.now() >= due_) {
      attempt(stop);
    } else if (is_leading()) {
      pause_until(clock_, due_, stop);
    } else if (clock_.now() < deaf_until_) {
      pause_until(clock_, std::min(due_, deaf_until_), stop);
    } else {
      const Stop until_due = stop.with_deadline(clock_, due_);
      listen([&](client::Watch& watch) { return watch.next(until_due); });
    }
  }
}

bool LeaderElection::step(const Stop& stop) {
  if (lost_.stop().stopped()) return false;
  if (clock_.now() >= due_) {
    attempt(stop);
    return true;
  }
  if (is_leading() || clock_.now() < deaf_until_) return false;
  return listen([&](client::Watch& watch) { return watch.poll(stop); });
}

TimePoint LeaderElection::next_due() const {
  if (lost_.stop().stopped()) return kNever;
  if (is_leading() || !watch_) return due_;
  return std::min(due_, watch_->next_due());
}

void LeaderElection::attempt(const Stop& stop) {
  const LeaderElectionTimes& times = options_.times;
  const TimePoint begin = clock_.now();
  const bool leading = is_leading();
  if (leading && begin >= valid_until()) {
    return lose("the lease was not renewed within " + duration_text(times.renew_deadline) +
                (trouble_.empty() ? "" : ", because " + trouble_));
  }
  // A request that hangs leaves time for a second one, on another connection.
  TimePoint deadline = begin + times.renew_deadline / 2;
  if (leading) deadline = std::min(deadline, valid_until());
  const client::Client in_time = client_.with(stop.with_deadline(clock_, deadline));
  try {
    leading ? renew(in_time) : acquire(in_time);
  } catch (const Stopped&) {
    if (stop.stopped()) return;
    failed("the API server did not answer within " + duration_text(deadline - begin));
  } catch (const Error& error) {
    failed(error.what());
  }
  if (is_leading()) {
    due_ = std::min(clock_.after(times.retry_period), valid_until());
  } else {
    due_ = clock_.after(random_.jitter(times.retry_period, LeaderElectionTimes::kJitter));
    if (free_at() > clock_.now()) due_ = std::min(due_, free_at());
  }
}

void LeaderElection::failed(const std::string& why) {
  const bool known = why == trouble_;
  trouble_ = why;
  if (is_leading()) {
    log_.warn("the lease could not be renewed; trying again", "left", valid_until() - clock_.now(), "error", why);
  } else if (!known) {
    log_.warn("the lease could not be looked at; trying again", "error", why);
  }
}

void LeaderElection::acquire(const client::Client& client) {
  const std::optional<Lease> stored = client.find<Lease>(key_);
  trouble_.clear();
  if (stored) observe(*stored);
  // Also of one that is gone: whoever held it may not know yet.
  if (free_at() > clock_.now()) return;
  try {
    put(client, stored);
  } catch (const ApiError& error) {
    if (!error.is_conflict() && !error.is_already_exists()) throw;
    log_.debug("another one was faster", "error", error);
  }
}

void LeaderElection::renew(const client::Client& client) {
  try {
    return put(client, observed_);
  } catch (const ApiError& error) {
    if (!error.is_conflict() && !error.is_not_found()) throw;
    log_.debug("the lease is not as it was left; reading it", "error", error);
  }
  if (instruments_) instruments_->slow.add();
  const std::optional<Lease> stored = client.find<Lease>(key_);
  const std::string holder = stored ? holder_of(*stored) : "";
  if (!holder.empty() && holder != options_.identity) return lose("\"" + holder + "\" has taken the lease");
  if (!stored) log_.warn("somebody has deleted the lease; making it anew");
  put(client, stored);
}

void LeaderElection::put(const client::Client& client, const std::optional<Lease>& stored) {
  // Before the request: others cannot have seen it earlier.
  const TimePoint begin = clock_.now();
  const WallTime wall = clock_.wall_now();
  observed_ = stored ? client.replace(detail::taken(*stored, terms_of(options_), wall))
                     : client.create(detail::first_lease(key_.namespace_, key_.name, terms_of(options_), wall));
  observed_at_ = begin;
  trouble_.clear();
  bool first = false;
  {
    const MutexLock lock(mutex_);
    first = !std::exchange(leading_, true);
    valid_until_ = begin + options_.times.renew_deadline;
    holder_ = options_.identity;
  }
  if (!first) return;
  watch_.reset();
  if (instruments_) instruments_->status.set(1);
  log_.info("this replica leads", "identity", options_.identity, "transitions",
            observed_->spec.leaseTransitions.value_or(0));
  changed_.notify_all();
}

void LeaderElection::lose(const std::string& why) {
  {
    const MutexLock lock(mutex_);
    leading_ = false;
    valid_until_ = {};
  }
  if (instruments_) instruments_->status.set(0);
  log_.error("leadership is lost; nothing more is written", "identity", options_.identity, "because", why);
  lost_.request_stop(why);
}

bool LeaderElection::release(const Stop& stop) {
  if (!leads()) return false;
  {
    const MutexLock lock(mutex_);
    leading_ = false;
    valid_until_ = {};
  }
  if (instruments_) instruments_->status.set(0);
  const client::Client in_time = client_.with(stop.with_deadline(clock_, clock_.after(kRelease)));
  try {
    try {
      in_time.replace(detail::released(*observed_, clock_.wall_now()));
    } catch (const ApiError& error) {
      if (!error.is_conflict()) throw;
      // A renewal whose answer was lost.
      const Lease stored = in_time.get<Lease>(key_);
      if (holder_of(stored) != options_.identity) return false;
      in_time.replace(detail::released(stored, clock_.wall_now()));
    }
  } catch (const Error& error) {
    log_.warn("the lease could not be released; others wait until it has run out", "error", error);
    return false;
  }
  log_.info("the lease is released; another replica may lead at once");
  return true;
}

// --- What a standby hears

bool LeaderElection::listen(const Next& next) {
  try {
    if (!watch_) {
      watch_.emplace(client_.watch(client::WatchOptions{
          .resource = client::resource_of<Lease>(), .namespace_ = key_.namespace_, .name = key_.name}));
    }
    const client::WatchEvent* event = next(*watch_);
    if (event == nullptr) return false;
    heard(*event);
  } catch (const Error& error) {
    log_.info("the lease cannot be watched; looking at it instead", "every", options_.times.retry_period, "error",
              error);
    watch_.reset();
    deaf_until_ = clock_.after(kDeaf);
  }
  return true;
}

void LeaderElection::heard(const client::WatchEvent& event) {
  using Kind = client::WatchEvent::Kind;
  if (event.kind == Kind::added || event.kind == Kind::modified) {
    const Lease lease = event.as<Lease>();
    // A watch may be behind: that it is free is for the next look to say.
    if (holder_of(lease).empty()) {
      due_ = clock_.now();
      return;
    }
    observe(lease);
  } else if (event.kind != Kind::deleted) {
    return;
  }
  due_ = std::min(due_, std::max(free_at(), clock_.now()));
}

void LeaderElection::observe(const Lease& lease) {
  if (!observed_ || observed_->spec != lease.spec) observed_at_ = clock_.now();
  observed_ = lease;
  const std::string holder = holder_of(lease);
  {
    const MutexLock lock(mutex_);
    if (holder == holder_) return;
    holder_ = holder;
  }
  if (holder.empty()) {
    log_.info("the lease is free");
  } else if (holder != options_.identity) {
    log_.info("standing by: another replica leads", "holder", holder);
  }
}

TimePoint LeaderElection::free_at() const {
  if (!observed_) return {};
  const std::string holder = holder_of(*observed_);
  if (holder.empty() || holder == options_.identity) return {};
  return observed_at_ + detail::duration_of(*observed_, options_.times.lease_duration);
}

}  // namespace flyball::runtime
