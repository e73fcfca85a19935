// Engine: the Kubernetes API as a function from requests to answers. No sockets, no threads, no clock of its own.
//
//   RealClock clock;
//   Random random = Random::from_os();
//   Store store(clock);
//   Engine engine(clock, random, store);
//   net::Response answer = engine.handle({.target = "/api/v1/namespaces"}, admin, stop);
//
//   client::LocalTransport transport(clock, engine, {.caller = admin});       // clients in the same process
//   HttpFront front(clock, engine, {.port = 6443});                           // everybody else: http_front.hpp
//
// It speaks kube-apiserver's language so well that kubectl, client-go and kube-rs work with it as they are. It is a
// server for development and tests: docs/apiserver.md says what it is not.
//
// Every request goes through one chain:
//   authenticate → authorise → decode → convert → default → mutate → validate → admit → store → encode
//
// Thread-safety: may be called from any thread, or from one only. Lifetime: clock, random and store outlive the engine,
// the engine outlives the streams it opened.
#pragma once

#include <atomic>
#include <memory>

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/engine_options.hpp"
#include "flyball/client/local_transport.hpp"

namespace flyball::apiserver {

class PodDoor;
struct PodRequest;

class Engine final : public client::Service {
 public:
  // Makes what every cluster has, unless the store has it.
  Engine(Clock& clock, Random& random, Store& store, EngineOptions options = {});

  net::Response handle(const net::Request& request, const net::PeerIdentity& caller, const Stop& stop) override;
  std::unique_ptr<client::BodyStream> open(const net::Request& request, const net::PeerIdentity& caller,
                                           const Stop& stop) override;

  // Who sends this, by the certificate of the connection or a token. Throws Refusal 401.
  net::PeerIdentity identify(const net::Request& request, const net::PeerIdentity& peer);
  // What a request for exec, attach or port-forward asks for, or the answer that refuses it; serve_pod_request()
  // (pod_requests.hpp) does the rest.
  PodRequest open_pod_request(const net::Request& request, const net::PeerIdentity& caller, const Stop& stop);

  // The node of this cluster, for what only it can answer: pod_door.hpp. Null: there is none any more.
  void set_pod_door(PodDoor* door) noexcept { door_ = door; }

  // Whether the answer to this request goes on: a watch, a log that is followed.
  static bool is_stream(const net::Request& request);

  const Registry& registry() const noexcept { return world_.registry; }

 private:
  // Taken apart, and allowed.
  Call enter(const net::Request& request, const net::PeerIdentity& caller);
  net::Response answer(const Call& call, const Stop& stop);
  net::Response answer_resource(const Call& call, const Stop& stop);
  Context context_of(const Call& call, const Stop& stop);
  std::unique_ptr<client::BodyStream> open_log(const net::Request& request, const net::PeerIdentity& caller,
                                               const Stop& stop, PodDoor& door);

  World world_;
  std::atomic<PodDoor*> door_ = nullptr;
};

}  // namespace flyball::apiserver
