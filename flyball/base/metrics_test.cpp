#include "flyball/base/metrics.hpp"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "flyball/base/error.hpp"

namespace flyball {
namespace {

using ::testing::HasSubstr;

TEST(Metrics, WritesTheTextFormat) {
  // [snippet: metrics]
  Metrics metrics;
  const auto passes = metrics.counter("flyball_reconcile_total", "Reconcile passes.", {"controller", "result"});
  const Counter good = passes.with({"memcached", "success"});
  good.add();
  good.add(2);
  passes.with({"memcached", "error"}).add();

  EXPECT_EQ(metrics.text(),
            "# HELP flyball_reconcile_total Reconcile passes.\n"
            "# TYPE flyball_reconcile_total counter\n"
            "flyball_reconcile_total{controller=\"memcached\",result=\"error\"} 1\n"
            "flyball_reconcile_total{controller=\"memcached\",result=\"success\"} 3\n");
  // [end]
}

TEST(Metrics, EscapesHelpAndLabelValues) {
  Metrics metrics;
  metrics.gauge("g", "a \\ back\nslash and \"quotes\"", {"l"}).with({"x\"y\\z\n\xff"}).set(-1.5);
  EXPECT_EQ(metrics.text(),
            "# HELP g a \\\\ back\\nslash and \"quotes\"\n"
            "# TYPE g gauge\n"
            "g{l=\"x\\\"y\\\\z\\n\uFFFD\"} -1.5\n");
}

TEST(Metrics, AHistogramAddsUpItsBuckets) {
  Metrics metrics;
  const Histogram h = metrics.histogram("took_seconds", "Time.", {"verb"}, {0.1, 1}).with({"GET"});
  h.observe(0.05);
  h.observe(0.1);  // a bound belongs to its own bucket
  h.observe(0.5);
  h.observe(7);
  EXPECT_EQ(metrics.text(),
            "# HELP took_seconds Time.\n"
            "# TYPE took_seconds histogram\n"
            "took_seconds_bucket{verb=\"GET\",le=\"0.1\"} 2\n"
            "took_seconds_bucket{verb=\"GET\",le=\"1\"} 3\n"
            "took_seconds_bucket{verb=\"GET\",le=\"+Inf\"} 4\n"
            "took_seconds_sum{verb=\"GET\"} 7.65\n"
            "took_seconds_count{verb=\"GET\"} 4\n");
}

TEST(Metrics, ObservationsLandInTheFirstBucketThatHoldsThem) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint16_t>& values) {
    Metrics metrics;
    const Histogram h = metrics.histogram("h", "", {}, exponential_buckets(1, 10, 4)).with({});
    std::map<double, int> expected;
    for (const auto value : values) {
      h.observe(value);
      for (const double bound : {1.0, 10.0, 100.0, 1000.0}) expected[bound] += value <= bound ? 1 : 0;
    }
    const std::string text = metrics.text();
    for (const auto& [bound, count] : expected) {
      const std::string line =
          "h_bucket{le=\"" + std::to_string(static_cast<int>(bound)) + "\"} " + std::to_string(count) + "\n";
      RC_ASSERT(text.find(line) != std::string::npos);
    }
    RC_ASSERT(text.find("h_count " + std::to_string(values.size()) + "\n") != std::string::npos);
  }));
}

TEST(Metrics, NanCountsInTheLastBucketOnly) {
  Metrics metrics;
  metrics.histogram("h", "", {}, {1}).with({}).observe(std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT(metrics.text(), HasSubstr("h_bucket{le=\"1\"} 0\nh_bucket{le=\"+Inf\"} 1\nh_sum NaN\nh_count 1\n"));
}

TEST(Metrics, TheSameMetricTwiceIsOneMetric) {
  Metrics metrics;
  metrics.counter("c", "help").add();
  metrics.counter("c", "help").add();
  EXPECT_EQ(metrics.counter("c", "help").value(), 2U);
  const auto family = metrics.gauge("g", "help", {"a"});
  family.with({"x"}).add(2);
  family.with({"x"}).add(-0.5);
  EXPECT_EQ(family.with({"x"}).value(), 1.5);
}

TEST(Metrics, ComeOutInOrderOfTheirNames) {
  Metrics metrics;
  metrics.counter("b", "");
  metrics.counter("a", "");
  metrics.gauge("never_used", "", {"l"});
  EXPECT_EQ(metrics.text(), "# HELP a \n# TYPE a counter\na 0\n# HELP b \n# TYPE b counter\nb 0\n");
}

TEST(Metrics, WrongMetricsAreRefusedWithTheReason) {
  Metrics metrics;
  metrics.counter("c", "help");
  metrics.histogram("h", "", {});
  metrics.gauge("x_sum", "");
  const auto sampled = metrics.sampled_gauge("s", "", {{"a", "1"}}, [] { return 1.0; });
  const std::pair<std::function<void()>, const char*> cases[] = {
      {[&] { metrics.counter("9lives", ""); },
       "metric \"9lives\": the name is wrong; expected letters, digits, _ and :, not starting with a digit"},
      {[&] { metrics.counter("", ""); }, "the name is wrong"},
      {[&] { metrics.counter("a", "", {"b-c"}); }, "the label name \"b-c\" is wrong"},
      {[&] { metrics.counter("a", "", {"__name"}); }, "the label name \"__name\" is wrong"},
      {[&] { metrics.counter("a", "", {"b:c"}); }, "the label name \"b:c\" is wrong"},
      {[&] { metrics.counter("a", "", {"b", "b"}); }, "the label \"b\" comes twice"},
      {[&] { metrics.histogram("a", "", {"le"}); }, "the label \"le\" belongs to the histogram itself"},
      {[&] { metrics.histogram("a", "", {}, {1, 1}); }, "bucket bounds must be finite and rise"},
      {[&] { metrics.gauge("c", "help"); }, "metric \"c\": already a counter, cannot also be a gauge"},
      {[&] { metrics.counter("c", "other"); }, "already there with another help text: \"help\""},
      {[&] { metrics.counter("c", "help", {"l"}); }, "already there with other label names"},
      {[&] { metrics.histogram("h", "", {}, {1}); }, "already there with other buckets"},
      {[&] { metrics.counter("h_count", ""); }, "the histogram \"h\" writes lines of this name already"},
      {[&] { metrics.histogram("x", "", {}); }, "would write \"x_sum\", which is a metric already"},
      {[&] { metrics.gauge("s", "", {"a"}); }, "one name cannot be both sampled and counted"},
      {[&] { (void)metrics.sampled_gauge("s", "", {{"a", "1"}}, [] { return 1.0; }); },
       "these label values are sampled already"},
      {[&] { (void)metrics.counter("a", "", {"l"}).with({}); }, "got 0 label values for 1 label names"},
  };
  for (const auto& [make, problem] : cases) {
    try {
      make();
      ADD_FAILURE() << problem;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr(problem));
    }
  }
}

TEST(Metrics, ASampleIsAskedWhenCollectedUntilItIsGone) {
  Metrics metrics;
  double depth = 3;
  {
    const MetricSample sample =
        metrics.sampled_gauge("depth", "Queue depth.", {{"queue", "memcached"}}, [&] { return depth; });
    const MetricSample broken =
        metrics.sampled_gauge("depth", "Queue depth.", {{"queue", "b"}}, []() -> double { throw Error("x"); });
    depth = 4;
    EXPECT_EQ(metrics.text(),
              "# HELP depth Queue depth.\n# TYPE depth gauge\ndepth{queue=\"b\"} NaN\ndepth{queue=\"memcached\"} 4\n");
  }
  EXPECT_EQ(metrics.text(), "");
}

TEST(Metrics, NoIncrementIsLostBetweenThreads) {
  Metrics metrics;
  constexpr int kEach = 5000;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const Counter c = metrics.counter("c", "", {"l"}).with({"x"});
      const Gauge g = metrics.gauge("g", "");
      const Histogram h = metrics.histogram("h", "", {}, {1}).with({});
      for (int n = 0; n < kEach; ++n) {
        c.add();
        g.add(1);
        h.observe(0.5);
        if (n % 1000 == 0) (void)metrics.text();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(metrics.text(), HasSubstr("c{l=\"x\"} 20000\n"));
  EXPECT_THAT(metrics.text(), HasSubstr("\ng 20000\n"));
  EXPECT_THAT(metrics.text(), HasSubstr("h_bucket{le=\"+Inf\"} 20000\nh_sum 10000\nh_count 20000\n"));
}

TEST(Metrics, DefaultBucketsRiseFromMillisecondsToAMinute) {
  const auto bounds = reconcile_buckets();
  EXPECT_TRUE(std::is_sorted(bounds.begin(), bounds.end()));
  EXPECT_EQ(bounds.front(), 0.005);
  EXPECT_EQ(bounds.back(), 60);
  EXPECT_EQ(exponential_buckets(1, 2, 4), (std::vector<double>{1, 2, 4, 8}));
}

}  // namespace
}  // namespace flyball
