#include <chrono>

#include "target.hpp"

#include "flyball/client/http_transport.hpp"
#include "flyball/testing/kubernetes.hpp"

namespace flyball::differential {
namespace {

class RealTarget final : public Target {
 public:
  explicit RealTarget(Clock& clock) : server_(clock), transport_(clock, server_.config()) {}
  client::Transport& transport() override { return transport_; }
  Duration patience() const override { return std::chrono::seconds(30); }  // it does much in its own time
  void forget(const Stop& stop) override {
    server_.compact(stop);
    server_.restart(stop);  // it has a memory of its own
  }

 private:
  testing::KubernetesServer server_;
  client::HttpTransport transport_;
};

}  // namespace

std::unique_ptr<Target> real_target(Clock& clock) { return std::make_unique<RealTarget>(clock); }

}  // namespace flyball::differential
