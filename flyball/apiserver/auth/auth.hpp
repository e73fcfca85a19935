// Auth: what the server knows of callers: the key that signs tokens, and the rules of who may do what.
//
// Thread-safety: all members may be called from any thread. Lifetime: the store outlives it.
#pragma once

#include <memory>

#include "flyball/apiserver/auth/rbac.hpp"
#include "flyball/apiserver/auth/tokens.hpp"
#include "flyball/base/mutex.hpp"

namespace flyball::apiserver {

class Auth {
 public:
  explicit Auth(const Store& store) : rbac_(store) {}

  // The key is made for the first who asks: most servers of tests never issue a token.
  const TokenAuthority& tokens() {
    const MutexLock lock(mutex_);
    if (tokens_ == nullptr) tokens_ = std::make_unique<TokenAuthority>(net::SigningKey::make());
    return *tokens_;
  }
  Rbac& rbac() noexcept { return rbac_; }

 private:
  Rbac rbac_;
  Mutex mutex_;
  std::unique_ptr<TokenAuthority> tokens_ FLYBALL_GUARDED_BY(mutex_);  // never replaced
};

}  // namespace flyball::apiserver
