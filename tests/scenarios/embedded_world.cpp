#include "world.hpp"

#include "flyball/base/log.hpp"
#include "flyball/base/manual_clock.hpp"
#include "flyball/base/random.hpp"
#include "flyball/cluster/controllers.hpp"
#include "flyball/runtime/operator.hpp"
#include "flyball/runtime/operator_run.hpp"
#include "flyball/testing/server.hpp"

namespace flyball::scenarios {
namespace {

using namespace std::chrono_literals;

constexpr const char* kRootCa = "-----BEGIN CERTIFICATE-----";
constexpr std::size_t kMostSteps = 100'000;
// About what a real cluster needs to come to rest: its controllers gather changes for a second.
constexpr Duration kSettling = 3s;

class EmbeddedWorld final : public World {
 public:
  explicit EmbeddedWorld(bool scheduler)
      : clock_({.auto_advance = true}),
        me_(clock_, "scenario"),
        random_(1),
        log_(std::make_shared<LogCore>(clock_, sink_, LogCore::Options{.levels = "warn"}), "scenarios"),
        server_(clock_, {.engine = {.namespace_defaults = true, .root_ca = kRootCa}}),
        client_(server_.transport(), clock_, random_, {.field_manager = "flyball-cluster", .log = log_}),
        operator_("flyball-cluster") {
    me_.bind();
    cluster::declare_controllers(operator_, {.root_ca = kRootCa, .scheduler = scheduler});
    run_ = std::make_unique<OperatorRun>(operator_, client_, clock_, random_,
                                         runtime::OperatorRunOptions{.threads = false, .log = log_});
    run_->start();
    steps();
  }

  client::Client& client() override { return server_.client(); }
  Clock& clock() override { return clock_; }
  void settle(const Fingerprint& /*fingerprint*/) override { wait(kSettling); }
  void wait(Duration time) override {
    const TimePoint end = clock_.after(time);
    steps();
    while (clock_.now() < end) {
      const Duration due = std::min(end, run_->next_due()) - clock_.now();
      clock_.jump(due > Duration::zero() ? due : std::min<Duration>(end - clock_.now(), 1s));
      steps();
    }
  }

 private:
  void steps() {
    for (std::size_t steps = 0; run_->step({}); ++steps) {
      if (steps > kMostSteps) throw Error("our controllers do not come to rest: " + sink_.take());
    }
  }

  ManualClock clock_;
  Participant me_;
  Random random_;
  CapturingSink sink_;
  Logger log_;
  testing::Server server_;
  client::Client client_;
  runtime::Operator operator_;
  std::unique_ptr<OperatorRun> run_;
};

}  // namespace

std::unique_ptr<World> embedded_world(bool scheduler) { return std::make_unique<EmbeddedWorld>(scheduler); }

}  // namespace flyball::scenarios
