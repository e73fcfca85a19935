#include <optional>

#include "world.hpp"

#include "flyball/base/condition.hpp"
#include "flyball/base/error.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/client/load_config.hpp"
#include "flyball/cluster/controllers.hpp"
#include "flyball/runtime/operator.hpp"
#include "flyball/runtime/operator_run.hpp"
#include "flyball/testing/kubernetes.hpp"

namespace flyball::scenarios {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLook = 400ms;
// Job and EndpointSlice controllers gather changes for a second; the machine may be busy.
constexpr Duration kQuiet = 2600ms;
constexpr Duration kPatience = 90s;

class HttpWorld : public World {
 public:
  HttpWorld(Clock& clock, const client::Config& config)
      : clock_(clock),
        random_(Random::from_os()),
        client_(client::Client::connect(config, clock, random_, {.field_manager = "person"})) {}

  client::Client& client() override { return client_; }
  Clock& clock() override { return clock_; }
  void settle(const Fingerprint& fingerprint) override {
    const TimePoint end = clock_.after(kPatience);
    TimePoint changed = clock_.now();
    std::string last = fingerprint();
    while (clock_.now() < changed + kQuiet) {
      if (clock_.now() > end) throw Error("the cluster does not come to rest; it looks like this:\n" + last);
      wait(kLook);
      std::string next = fingerprint();
      if (next == last) continue;
      changed = clock_.now();
      last = std::move(next);
    }
  }
  void wait(Duration time) override { pause_until(clock_, clock_.after(time), {}); }

 protected:
  Random& random() { return random_; }

 private:
  Clock& clock_;
  Random random_;
  client::Client client_;
};

testing::KubernetesOptions options_for(Controllers controllers, bool scheduler) {
  return {.controllers = controllers == Controllers::theirs,
          .scheduler = scheduler && controllers == Controllers::theirs,
          // Its nodes have nobody who says that they live; and many scenarios happen at once.
          .controllers_flags = {"--node-monitor-grace-period=1h", "--kube-api-qps=300", "--kube-api-burst=600",
                                "--controllers=*,-pod-garbage-collector-controller"}};
}

class KubernetesWorld final : private testing::KubernetesServer, public HttpWorld {
 public:
  KubernetesWorld(Clock& clock, Controllers controllers, bool scheduler)
      : testing::KubernetesServer(clock, options_for(controllers, scheduler)),
        HttpWorld(clock, config()),
        operator_("flyball-cluster") {
    if (controllers == Controllers::theirs) return;
    cluster::declare_controllers(operator_, {.root_ca = authority().certificate(), .scheduler = scheduler});
    run_.emplace(operator_, client(), clock, random(), runtime::OperatorRunOptions{.concurrency = 4});
    thread_.emplace(clock, "cluster", [this] { run_->run(stop_.stop()); });
  }
  ~KubernetesWorld() override { stop_.request_stop("the scenarios are over"); }
  KubernetesWorld(const KubernetesWorld&) = delete;
  KubernetesWorld& operator=(const KubernetesWorld&) = delete;

 private:
  runtime::Operator operator_;
  std::optional<OperatorRun> run_;
  StopSource stop_;
  std::optional<Thread> thread_;
};

}  // namespace

std::unique_ptr<World> kubernetes_world(Clock& clock, Controllers controllers, bool scheduler) {
  return std::make_unique<KubernetesWorld>(clock, controllers, scheduler);
}

std::unique_ptr<World> world_of(Clock& clock, const std::string& kubeconfig) {
  return std::make_unique<HttpWorld>(clock, client::load_config(clock, {.kubeconfig = kubeconfig}));
}

}  // namespace flyball::scenarios
