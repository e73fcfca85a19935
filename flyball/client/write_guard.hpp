// WriteGuard: what is asked before each request that may change something on the server. It throws when the request may
// not be sent.
//
//   const Client fenced = client.guarded([&](const net::Request&) {
//     if (!election.leads()) throw ApiError(Reason::Forbidden, "another replica leads");
//   });
//   fenced.apply(deployment);                              // asks first, also before each try that follows a failure
//   fenced.get<core::Pod>(key);                            // reads are not asked about
//
// It stands at the transport, below everything that writes: the verbs, raw(), exec, port-forward. What it throws is
// what the caller gets; nothing is tried again.
//
// A write that has left already is not called back: whoever guards leaves a margin for it.
//
// Thread-safety: a guard is called from every thread that writes. Lifetime: what a guard uses outlives the clients that
// were made with it.
#pragma once

#include <functional>
#include <memory>

#include "flyball/client/transport.hpp"

namespace flyball::client {

using WriteGuard = std::function<void(const net::Request&)>;

// Whether a request may change something. Questions that are asked by POST (access and token reviews) do not.
bool may_write(const net::Request& request);

// Sends through `to`, after the guard was asked. Client::guarded makes one.
class GuardedTransport final : public Transport {
 public:
  GuardedTransport(std::shared_ptr<Transport> to, WriteGuard guard);

  net::Response send(net::Request request, const Stop& stop) override;
  std::unique_ptr<BodyStream> open(net::Request request, const Stop& stop, const OpenOptions& options = {}) override;
  // Always counts as a write: what goes on in a pod is not known here.
  net::Upgraded upgrade(net::Request request, const Stop& stop) override;

 private:
  void ask(const net::Request& request) const;

  const std::shared_ptr<Transport> to_;
  const WriteGuard guard_;
};

}  // namespace flyball::client
