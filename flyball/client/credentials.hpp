// The credentials that need no refreshing. Those that do have headers of their own.
//
//   config.credentials = bearer_token(Secret("eyJhbGciOi..."));
//
// Thread-safety: what is returned may be used from any thread.
#pragma once

#include <memory>

#include "flyball/base/secret.hpp"
#include "flyball/client/config.hpp"

namespace flyball::client {

// "Authorization: Bearer <token>".
std::shared_ptr<Credentials> bearer_token(Secret token);

}  // namespace flyball::client
