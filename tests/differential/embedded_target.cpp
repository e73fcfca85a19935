#include "target.hpp"

#include "flyball/apiserver/engine.hpp"
#include "flyball/base/random.hpp"
#include "flyball/client/local_transport.hpp"

namespace flyball::differential {
namespace {

// What a transport over HTTP says of itself.
class NamedTransport final : public client::Transport {
 public:
  explicit NamedTransport(client::Transport& inner) : inner_(inner) {}
  net::Response send(net::Request request, const Stop& stop) override {
    return inner_.send(named(std::move(request)), stop);
  }
  std::unique_ptr<client::BodyStream> open(net::Request request, const Stop& stop,
                                           const client::OpenOptions& options) override {
    return inner_.open(named(std::move(request)), stop, options);
  }

 private:
  static net::Request named(net::Request request) {
    if (!request.headers.contains("User-Agent")) request.headers.set("User-Agent", "flyball_differential_tests/1");
    return request;
  }
  client::Transport& inner_;
};

class EmbeddedTarget final : public Target {
 public:
  explicit EmbeddedTarget(Clock& clock)
      : random_(1),  // node ports are drawn: two that happen to be the same would look like a difference
        store_(clock),
        engine_(clock, random_, store_,
                {.namespace_defaults = false, .address = "127.0.0.1:6443", .quota_status = false}),
        transport_(clock, engine_, {.caller = {.common_name = "admin", .organizations = {"system:masters"}}}) {}
  client::Transport& transport() override { return named_; }
  void forget(const Stop& /*stop*/) override { store_.compact(store_.revision()); }

 private:
  Random random_;
  apiserver::Store store_;
  apiserver::Engine engine_;
  client::LocalTransport transport_;
  NamedTransport named_{transport_};
};

}  // namespace

std::unique_ptr<Target> embedded_target(Clock& clock) { return std::make_unique<EmbeddedTarget>(clock); }

}  // namespace flyball::differential
