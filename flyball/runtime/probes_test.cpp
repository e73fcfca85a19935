#include "flyball/runtime/probes.hpp"

#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/net/http_client.hpp"

namespace flyball::runtime {
namespace {

using ::testing::HasSubstr;

struct ProbesTest : ::testing::Test {
  RealClock clock;
  Metrics metrics;
  Checks live;
  Checks ready;
  ProbeServer server{clock, live, ready, metrics};
  net::HttpClient http{clock};

  net::Response get(const std::string& target, const std::string& method = "GET") {
    return http.send(net::Url::parse(server.url() + target), {.method = method}, {});
  }
};

TEST_F(ProbesTest, WithoutChecksAllIsWell) {
  for (const char* target : {"/healthz", "/livez", "/readyz"}) {
    EXPECT_EQ(get(target).status, 200) << target;
    EXPECT_EQ(get(target).body, "ok") << target;
  }
}

TEST_F(ProbesTest, AFailingCheckIsNamedWithItsReason) {
  ready.add("watch-pods", [] { return "no word from the server for 2m"; });
  ready.add("cache", [] { return ""; });
  const auto answer = get("/readyz");
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.body, "[+]cache ok\n[-]watch-pods failed: no word from the server for 2m\nreadyz check failed\n");
  EXPECT_EQ(get("/healthz").status, 200) << "not ready is not dead";
  EXPECT_FALSE(ready.pass());
}

TEST_F(ProbesTest, ACheckThatThrowsHasFailed) {
  live.add("bad", []() -> std::string { throw std::runtime_error("oh"); });
  EXPECT_THAT(get("/healthz").body, HasSubstr("[-]bad failed: oh"));
}

TEST_F(ProbesTest, VerboseListsTheChecksThatPassed) {
  ready.add("cache", [] { return ""; });
  EXPECT_EQ(get("/readyz?verbose").body, "[+]cache ok\nreadyz check passed\n");
}

TEST_F(ProbesTest, OneCheckCanBeLeftOutOrAskedAlone) {
  ready.add("a", [] { return "sick"; });
  ready.add("b", [] { return ""; });
  EXPECT_EQ(get("/readyz?exclude=a").status, 200);
  EXPECT_EQ(get("/readyz?exclude=b&verbose=1").status, 500);
  EXPECT_EQ(get("/readyz/a").status, 500);
  EXPECT_EQ(get("/readyz/b").status, 200);
  EXPECT_EQ(get("/readyz/c").status, 404);
  ready.remove("a");
  EXPECT_EQ(get("/readyz").status, 200);
}

TEST_F(ProbesTest, MetricsAreInPrometheusText) {
  metrics.counter("flyball_hello_total", "Hellos.").add(3);
  const auto answer = get("/metrics");
  EXPECT_EQ(answer.headers.get("Content-Type"), Metrics::kContentType);
  EXPECT_THAT(answer.body, HasSubstr("flyball_hello_total 3\n"));
}

TEST_F(ProbesTest, NothingElseIsAnswered) {
  EXPECT_EQ(get("/").status, 404);
  EXPECT_EQ(get("/readyzz").status, 404);
  EXPECT_EQ(get("/metrics", "POST").status, 405);
  ProbeServer only_probes(clock, live, ready, metrics, {.metrics = false});
  EXPECT_EQ(http.send(net::Url::parse(only_probes.url() + "/metrics"), {}, {}).status, 404);
}

}  // namespace
}  // namespace flyball::runtime
