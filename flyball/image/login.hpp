// Logins for registries, from where `docker login`, podman and skopeo keep them.
//
//   const Logins logins(clock, environment);
//   if (const auto login = logins.find("registry.example.com", stop)) ...
//
// Looked at, in this order: $REGISTRY_AUTH_FILE; $DOCKER_CONFIG/config.json; ~/.docker/config.json;
// $XDG_RUNTIME_DIR/containers/auth.json. In a file a credential helper for the host (credHelpers) comes first, then
// what stands under `auths`, then the helper for all (credsStore).
//
// Errors: Error that names the file, or the helper and what it said. Nothing of a password gets into it.
//
// Thread-safety: const members may be called from any thread. Lifetime: the clock outlives it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/secret.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/json/value.hpp"

namespace flyball::image {

struct Login {
  std::string user = {};
  Secret password = {};
  Secret identity_token = {};  // instead of both: to be changed for an access token
};

class Logins {
 public:
  // `variable` gives the value of an environment variable, or nothing.
  Logins(Clock& clock, const std::function<std::string(const char*)>& variable);
  // The process's own environment.
  static Logins from_environment(Clock& clock);

  std::optional<Login> find(const std::string& host, const Stop& stop) const;

 private:
  std::optional<Login> find_in(const std::string& file, const std::string& host, const Stop& stop) const;
  std::optional<Login> ask_helper(const std::string& helper, const std::string& host, const Stop& stop) const;

  Clock& clock_;
  std::vector<std::string> files_;
};

}  // namespace flyball::image
