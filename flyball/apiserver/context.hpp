// World: what the server is made of. Context: one request inside it. Every step of the chain gets a Context.
//
// Thread-safety: a World may be used from any thread; a Context belongs to one request.
// Lifetime: a World outlives its Contexts; clock, random and store outlive the World.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "flyball/apiserver/accept.hpp"
#include "flyball/apiserver/admission/webhook.hpp"
#include "flyball/apiserver/admission/webhook_call.hpp"
#include "flyball/apiserver/auth/auth.hpp"
#include "flyball/apiserver/call.hpp"
#include "flyball/apiserver/engine_options.hpp"
#include "flyball/apiserver/frame_cache.hpp"
#include "flyball/apiserver/kinds/service_addresses.hpp"
#include "flyball/apiserver/merge_schemas.hpp"
#include "flyball/apiserver/object.hpp"
#include "flyball/apiserver/resource.hpp"
#include "flyball/apiserver/store.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/stop.hpp"

namespace flyball::apiserver {

struct World {
  World(Clock& the_clock, Random& the_random, Store& the_store, EngineOptions the_options)
      : clock(the_clock), random(the_random), store(the_store), auth(the_store), options(std::move(the_options)) {
    const MutexLock lock(history.mutex);
    history.marked = clock.now();
  }

  Clock& clock;
  Random& random;
  Store& store;
  Registry registry;
  Auth auth;
  FrameCache frames;
  MergeSchemas schemas;
  const EngineOptions options;
  WebhookBook webhooks;
  WebhookCaller webhook_caller{clock, options.webhooks, store};
  // When the past was last looked at, and which revision was the latest then.
  struct History {
    Mutex mutex;
    TimePoint marked FLYBALL_GUARDED_BY(mutex) = {};
    Revision revision FLYBALL_GUARDED_BY(mutex) = 0;
  };
  History history;
  // Addresses and ports that Services got whose writes are under way, by write: they are given once.
  struct Services {
    Mutex mutex;
    std::uint64_t last FLYBALL_GUARDED_BY(mutex) = 0;
    std::map<std::uint64_t, TakenAddresses> reserved FLYBALL_GUARDED_BY(mutex) = {};
  };
  Services services;
  // Held from the check of a namespace's quotas to the end of the write that they count.
  Mutex quotas;
};

struct Context {
  World& world;
  const Call& call;
  ResourcePointer resource = {};
  Accept accept = {};
  Stop stop = {};
  std::vector<std::string> warnings = {};
  bool admitted = false;  // those who are asked about a request have said yes to this one already

  kube::Time now() const { return world.clock.wall_now(); }
  std::string key(std::string_view name) const { return key_of(*resource, call.namespace_, name); }
  StoreKey store_key(std::string_view name) const { return {resource->shelf, key(name)}; }
};

}  // namespace flyball::apiserver
