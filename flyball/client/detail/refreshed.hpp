// Credentials that are fetched, kept while they are good, and fetched again: by one thread, while the others wait.
#pragma once

#include <optional>

#include "flyball/base/condition.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/client/config.hpp"

namespace flyball::client::detail {

class RefreshedCredentials : public Credentials {
 public:
  void authorize(net::Headers& headers, const Stop& stop) override;
  std::optional<ClientCertificate> certificate(const Stop& stop) override;
  bool rejected(const net::Headers& sent) override;

 protected:
  struct Held {
    Secret token = {};
    std::optional<ClientCertificate> certificate = {};
    WallTime until = WallTime::max();
  };

  // `first` may be known from the start.
  explicit RefreshedCredentials(Clock& clock, std::optional<Held> first = {});
  // One call at a time.
  virtual Held fetch(const Stop& stop) = 0;
  // Whether fetch() may give something else after the server said no.
  virtual bool can_fetch() const { return true; }

 private:
  Held current(const Stop& stop);

  // Constant after construction.
  Clock& clock_;

  Mutex mutex_;
  Condition fetched_;
  bool fetching_ FLYBALL_GUARDED_BY(mutex_) = false;
  std::optional<Held> held_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace flyball::client::detail
