// What the hot paths of `base` cost: they are called on every reconcile, request and watch event.
#include <memory>

#include <benchmark/benchmark.h>

#include "flyball/base/clock.hpp"
#include "flyball/base/gate.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/base/timer_wheel.hpp"

namespace flyball {
namespace {

using namespace std::chrono_literals;

class NullSink : public LogSink {
 public:
  void write(std::string_view line) override { benchmark::DoNotOptimize(line.data()); }
};

void counter_add(benchmark::State& state) {
  Metrics metrics;
  const Counter counter = metrics.counter("c", "", {"l"}).with({"x"});
  for (auto _ : state) counter.add();
}
BENCHMARK(counter_add);

void histogram_observe(benchmark::State& state) {
  Metrics metrics;
  const Histogram histogram = metrics.histogram("h", "", {}).with({});
  double value = 0;
  for (auto _ : state) histogram.observe(value = value > 60 ? 0 : value + 0.37);
}
BENCHMARK(histogram_observe);

void log_disabled(benchmark::State& state) {
  RealClock clock;
  NullSink sink;
  const Logger log(std::make_shared<LogCore>(clock, sink), "bench");
  std::string object = "default/memcached-sample";
  for (auto _ : state) {
    log.debug("reconciled", "object", object, "took", 1500us);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(log_disabled);

void log_enabled(benchmark::State& state) {
  RealClock clock;
  NullSink sink;
  const LogCore::Options options{.encoding = state.range(0) == 0 ? LogEncoding::console : LogEncoding::json};
  const Logger log(std::make_shared<LogCore>(clock, sink, options), "bench");
  std::string object = "default/memcached-sample";
  for (auto _ : state) log.info("reconciled", "object", object, "took", 1500us);
}
BENCHMARK(log_enabled)->Arg(0)->Arg(1)->ArgName("json");

void gate_enter(benchmark::State& state) {
  RealClock clock;
  Gate gate(clock, "bench");
  for (auto _ : state) benchmark::DoNotOptimize(gate.try_enter());
}
BENCHMARK(gate_enter);

void stop_stopped(benchmark::State& state) {
  const StopSource root;
  const StopSource branch(root.stop());
  const Stop stop = branch.stop();
  for (auto _ : state) benchmark::DoNotOptimize(stop.stopped());
}
BENCHMARK(stop_stopped);

void random_next(benchmark::State& state) {
  Random random(1);
  for (auto _ : state) benchmark::DoNotOptimize(random.next());
}
BENCHMARK(random_next);

void timer_add_remove(benchmark::State& state) {
  TimerWheel wheel{TimePoint(1h)};
  Random random(1);
  const auto deadline = [&] { return TimePoint(1h) + Duration(random.between(0, Duration(1h).count())); };
  for (int i = 0; i < state.range(0); ++i) wheel.add(deadline(), [] {});
  for (auto _ : state) wheel.remove(wheel.add(deadline(), [] {}));
}
BENCHMARK(timer_add_remove)->Arg(1'000)->Arg(1'000'000);

}  // namespace
}  // namespace flyball
