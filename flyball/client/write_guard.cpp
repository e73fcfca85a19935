#include "flyball/client/write_guard.hpp"

#include <string_view>
#include <utility>

namespace flyball::client {

bool may_write(const net::Request& request) {
  for (const std::string_view method : {"GET", "HEAD", "OPTIONS"}) {
    if (request.method == method) return false;
  }
  const std::string_view target = request.target;
  return !target.starts_with("/apis/authorization.k8s.io/") && !target.starts_with("/apis/authentication.k8s.io/");
}

GuardedTransport::GuardedTransport(std::shared_ptr<Transport> to, WriteGuard guard)
    : to_(std::move(to)), guard_(std::move(guard)) {}

void GuardedTransport::ask(const net::Request& request) const {
  if (may_write(request)) guard_(request);
}

net::Response GuardedTransport::send(net::Request request, const Stop& stop) {
  ask(request);
  return to_->send(std::move(request), stop);
}

std::unique_ptr<BodyStream> GuardedTransport::open(net::Request request, const Stop& stop, const OpenOptions& options) {
  ask(request);
  return to_->open(std::move(request), stop, options);
}

net::Upgraded GuardedTransport::upgrade(net::Request request, const Stop& stop) {
  guard_(request);
  return to_->upgrade(std::move(request), stop);
}

}  // namespace flyball::client
