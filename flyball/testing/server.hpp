// Server: an API server for a test, in the same process: no socket, no file, ready in a moment.
//
//   RealClock clock;                                   // or a ManualClock
//   testing::Server server(clock);
//   server.client().create(config_map);
//
// It is the engine of apiserver/engine.hpp behind a LocalTransport. Namespaces begin empty, as with envtest. Uids and
// generated names come from the seed: the same every time.
//
// Thread-safety: the client and the transport may be used from any thread. Lifetime: the clock outlives the server.
#pragma once

#include <cstdint>

#include "flyball/apiserver/engine.hpp"
#include "flyball/apiserver/store.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/base/random.hpp"
#include "flyball/client/client.hpp"
#include "flyball/client/local_transport.hpp"

namespace flyball::testing {

struct ServerOptions {
  std::uint64_t seed = 1;
  apiserver::EngineOptions engine = {.namespace_defaults = false};
};

class Server {
 public:
  explicit Server(Clock& clock, ServerOptions options = {});

  // An administrator's.
  client::Client& client() noexcept { return client_; }
  client::Transport& transport() noexcept { return transport_; }
  // Somebody else's.
  client::LocalTransport transport_for(net::PeerIdentity caller);

  // For what only a test does: going back to a snapshot, forgetting the past.
  apiserver::Store& store() noexcept { return store_; }
  apiserver::Engine& engine() noexcept { return engine_; }

 private:
  Clock& clock_;
  Random random_;
  apiserver::Store store_;
  apiserver::Engine engine_;
  client::LocalTransport transport_;
  client::Client client_;
};

}  // namespace flyball::testing
