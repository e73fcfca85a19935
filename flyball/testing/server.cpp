#include "flyball/testing/server.hpp"

#include <utility>

namespace flyball::testing {

Server::Server(Clock& clock, ServerOptions options)
    : clock_(clock),
      random_(options.seed),
      store_(clock),
      engine_(clock, random_, store_, std::move(options.engine)),
      transport_(clock, engine_, {.caller = {.common_name = "admin", .organizations = {"system:masters"}}}),
      client_(transport_, clock, random_) {}

client::LocalTransport Server::transport_for(net::PeerIdentity caller) {
  return {clock_, engine_, {.caller = std::move(caller)}};
}

}  // namespace flyball::testing
