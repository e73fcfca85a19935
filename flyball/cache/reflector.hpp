// Reflector: keeps a store the way the server has it, with one watch, for as long as it runs.
//
//   ByteStore store({.kind = {"", "v1", "Pod"}});
//   Reflector reflector(client, store, {.resource = client::resource_of<core::Pod>(), .namespace_ = "shop"});
//   reflector.run(stop);                                 // on a thread of its own; comes back when stopped
//
// The watch does the work: it streams the present state in, never holds a list, resumes at its version, resyncs on 410
// and heals itself (client/watch.hpp). What the reflector adds is the store: marking and sweeping at a resync, and
// waiting where waiting is right. For a kind that the server does not have (a CRD that comes later) it is *parked*: it
// asks every few seconds, and starts when the kind is there. A store over its budget while it is read in is *failed*.
//
// Thread-safety: run() or poll() by one thread; the rest from any. Lifetime: client and store outlive it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "flyball/base/log.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/cache/byte_store.hpp"
#include "flyball/client/client.hpp"
#include "flyball/client/watch.hpp"

namespace flyball::cache {

struct ReflectorStatus {
  bool synced = false;        // everything has come once; since then it is kept up
  bool parked = false;        // the server does not have the kind
  std::string failure = {};   // it has given up: over budget
  std::string trouble = {};   // what went wrong last; empty when all is well
  TimePoint last_heard = {};  // when the server last said something
};

struct ReflectorOptions {
  Duration park = std::chrono::seconds(5);  // between two looks for a kind that is not there
  // Where a saved store ends (ByteStore::Source::position_text): the watch resumes there.
  std::string resume_at = {};
  Logger log = {};
  std::function<void()> on_status = {};  // synced, parked or failed has changed; on the thread of run()
};

class Reflector {
 public:
  Reflector(const client::Client& client, ByteStore& store, client::WatchOptions watch, ReflectorOptions options = {});
  ~Reflector();
  Reflector(const Reflector&) = delete;
  Reflector& operator=(const Reflector&) = delete;

  void run(const Stop& stop);
  // The same on somebody else's thread, one event at a time, without waiting: false when there is nothing to do now.
  bool poll(const Stop& stop);
  // When there may be, although the server says nothing; kNever when it has given up.
  TimePoint next_due() const;
  // What it put into the store goes. Not while it runs.
  void drop() { store_.drop(source_); }

  ReflectorStatus status() const;
  // Up to which version the store knows everything; empty when it does not yet.
  std::string position() const;

 private:
  void keep(const client::WatchEvent& event);
  void apply(const client::WatchEvent& event);
  // What `next` gives of the watch; false when that was nothing.
  bool take(const std::function<const client::WatchEvent*(client::Watch&)>& next);
  client::Watch& watch();
  void refused(const ApiError& error);
  void fail(const Error& error);
  void set(const std::function<void(ReflectorStatus&)>& change);

  // Constant after construction.
  const client::Client client_;
  ByteStore& store_;
  const client::WatchOptions watch_options_;
  const ReflectorOptions options_;

  // The running thread's.
  ByteStore::Source source_;
  std::string resume_at_;
  TimePoint asleep_until_ = {};

  mutable Mutex mutex_;
  std::shared_ptr<client::Watch> watch_ FLYBALL_GUARDED_BY(mutex_);
  ReflectorStatus status_ FLYBALL_GUARDED_BY(mutex_);
  std::string position_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace flyball::cache
