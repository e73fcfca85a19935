// PodDoor: the way from the API server to the node that runs a pod: what kubectl logs asks for.
//
//   engine.set_pod_door(&door);           // flyball dev has one; without it such requests are refused
//
// Thread-safety: may be called from any thread. Lifetime: outlives the engine's requests.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "flyball/client/transport.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::apiserver {

struct PodLogRequest {
  kube::core::v1::Pod pod = {};
  std::string container = {};  // one of the pod's
  bool follow = false;         // goes on while the container runs
  bool previous = false;       // of the run before
  bool timestamps = false;
  std::optional<std::int64_t> tail_lines = {};
  std::optional<std::int64_t> limit_bytes = {};
  std::optional<kube::Time> since = {};
};

class PodDoor {
 public:
  PodDoor() = default;
  PodDoor(const PodDoor&) = delete;
  PodDoor& operator=(const PodDoor&) = delete;
  virtual ~PodDoor() = default;

  // Throws Error for what the client shall be told: `container "a" in pod "web" is waiting to start: …`.
  virtual std::unique_ptr<client::BodyStream> logs(const PodLogRequest& request) = 0;
};

}  // namespace flyball::apiserver
