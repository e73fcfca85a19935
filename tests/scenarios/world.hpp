// World: a cluster that scenarios happen in: ours in this process, in a time of its own; or any by HTTP, in real time.
//
//   const std::unique_ptr<World> world = embedded_world("scenario-ns");
//   world->client().create(…);
//   world->settle(fingerprint);               // the controllers have done all they had to do
//   world->wait(20s);
//
// Thread-safety: that of embedded_world is its test's; the others' may be used by many scenarios at once.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "flyball/base/clock.hpp"
#include "flyball/client/client.hpp"

namespace flyball::scenarios {

// What the scenario sees, in few words: two that are equal mean that nothing happened in between.
using Fingerprint = std::function<std::string()>;

class World {
 public:
  World() = default;
  virtual ~World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  virtual client::Client& client() = 0;
  virtual Clock& clock() = 0;
  virtual void settle(const Fingerprint& fingerprint) = 0;
  virtual void wait(Duration time) = 0;
};

// Our server and our controllers.
std::unique_ptr<World> embedded_world(bool scheduler);

enum class Controllers : std::uint8_t {
  theirs,  // kube-controller-manager and kube-scheduler
  ours,    // in this process, by HTTP
};
// The real kube-apiserver, with these controllers.
std::unique_ptr<World> kubernetes_world(Clock& clock, Controllers controllers, bool scheduler);
// Whatever cluster the kubeconfig leads to, as it is.
std::unique_ptr<World> world_of(Clock& clock, const std::string& kubeconfig);

}  // namespace flyball::scenarios
