// What a case is run against: the real kube-apiserver, or the server of our own.
//
//   std::unique_ptr<Target> real = real_target(clock);
//   net::Response answer = real->transport().send(request, stop);
//
// Thread-safety: as the transport's. Lifetime: the clock outlives the target, the target its transport.
#pragma once

#include <chrono>
#include <memory>

#include "flyball/base/clock.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/client/transport.hpp"

namespace flyball::differential {

class Target {
 public:
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  virtual ~Target() = default;

  // Whoever asks through it is an administrator (group system:masters).
  virtual client::Transport& transport() = 0;
  // The server keeps no old version of anything: a watch or a list from one gets 410. Open streams may end.
  virtual void forget(const Stop& stop) = 0;
  // How long a step may take at most, against hangs; no step that is fine waits for it.
  virtual Duration patience() const { return std::chrono::seconds(5); }
};

// kube-apiserver with etcd, started for this; a few seconds.
std::unique_ptr<Target> real_target(Clock& clock);

// A fresh server of our own, in this process; null as long as there is none (embedded_target.cpp).
std::unique_ptr<Target> embedded_target(Clock& clock);

}  // namespace flyball::differential
