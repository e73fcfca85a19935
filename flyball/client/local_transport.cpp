#include "flyball/client/local_transport.hpp"

#include <exception>
#include <utility>

#include "flyball/client/whole_body.hpp"
#include "flyball/json/value.hpp"
#include "flyball/json/write.hpp"

namespace flyball::client {
namespace {

// What a server over HTTP answers when its handler fails.
net::Response internal_error(const net::Request& request, const std::string& why) {
  const json::Value status = json::object({{"kind", "Status"},
                                           {"apiVersion", "v1"},
                                           {"metadata", json::object()},
                                           {"status", "Failure"},
                                           {"message", request.method + " " + request.target + ": " + why},
                                           {"reason", "InternalError"},
                                           {"code", 500}});
  return {.status = 500, .headers = {{"Content-Type", "application/json"}}, .body = json::write(status)};
}

// The server's stream, given up when nothing comes for too long: there is no connection that could tell.
class TimedBody final : public BodyStream {
 public:
  TimedBody(Clock& clock, std::unique_ptr<BodyStream> body, Duration idle_timeout, std::string about)
      : clock_(clock), body_(std::move(body)), idle_timeout_(idle_timeout), about_(std::move(about)) {}

  const net::Response& head() const noexcept override { return body_->head(); }
  std::string read(const Stop& stop) override {
    if (idle_timeout_ == Duration::zero()) return body_->read(stop);
    try {
      return body_->read(stop.with_deadline(clock_, clock_.now() + idle_timeout_));
    } catch (const Stopped&) {
      stop.throw_if_stopped();
      throw net::NetError(net::NetError::Kind::kTimeout,
                          about_ + ": nothing came for " + std::to_string(to_seconds(idle_timeout_)) + " s");
    }
  }

 private:
  static std::int64_t to_seconds(Duration duration) {
    return std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  }

  Clock& clock_;
  const std::unique_ptr<BodyStream> body_;
  const Duration idle_timeout_;
  const std::string about_;
};

}  // namespace

LocalTransport::LocalTransport(Clock& clock, Service& service, LocalTransportOptions options)
    : clock_(clock), service_(service), options_(std::move(options)) {}

net::Response LocalTransport::send(net::Request request, const Stop& stop) {
  stop.throw_if_stopped();
  try {
    return service_.handle(request, options_.caller, stop);
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    return internal_error(request, error.what());
  }
}

std::unique_ptr<BodyStream> LocalTransport::open(net::Request request, const Stop& stop, const OpenOptions& options) {
  stop.throw_if_stopped();
  const Duration idle = options.idle_timeout < Duration::zero() ? options_.idle_timeout : options.idle_timeout;
  try {
    return std::make_unique<TimedBody>(clock_, service_.open(request, options_.caller, stop), idle,
                                       request.method + " " + request.target);
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    return std::make_unique<WholeBody>(internal_error(request, error.what()));
  }
}

}  // namespace flyball::client
