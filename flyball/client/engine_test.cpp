#include "flyball/client/engine.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/client/detail/scripted_transport_for_test.hpp"
#include "flyball/net/http_parser.hpp"

namespace flyball::client {
namespace {

using namespace std::chrono_literals;
using detail::json_answer;
using detail::ScriptedTransport;
using testing::HasSubstr;
using testing::Not;
using NetKind = net::NetError::Kind;

const Call kGet{.verb = "get", .request = {.target = "/api/v1/pods"}, .repeatable = true};
const Call kPost{.verb = "create", .request = {.method = "POST", .target = "/api/v1/pods"}};

net::Response status(int code, const std::string& reason, net::Headers headers = {}) {
  return json_answer(code, R"({"kind":"Status","reason":")" + reason + R"(","message":"told so"})", std::move(headers));
}

// Time passes by itself whenever somebody waits for it.
class EngineTest : public testing::Test {
 public:
  ~EngineTest() override { EXPECT_TRUE(transport->finished()) << "an answer was not asked for"; }

  Engine engine(ClientOptions options = {}) {
    options.metrics = &metrics;
    options.log = Logger(std::make_shared<LogCore>(clock, sink, LogCore::Options{.levels = "debug"}), "client");
    return {transport, clock, random, std::move(options)};
  }
  std::size_t tries() const { return transport->requests.size(); }
  Duration passed() const { return clock.now() - begin; }

  ManualClock clock{{.auto_advance = true}};
  const TimePoint begin = clock.now();
  Random random{1};
  Metrics metrics;
  CapturingSink sink;
  std::shared_ptr<ScriptedTransport> transport = std::make_shared<ScriptedTransport>();
};

template <class Exception, class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  return "none";
}

TEST_F(EngineTest, GivesTheAnswer) {
  transport->answers(json_answer(200, "{}"));
  EXPECT_EQ(engine().send(kGet, {}).response.body, "{}");
}

TEST_F(EngineTest, ARefusalIsAnApiError) {
  transport->answers(status(403, "Forbidden"));
  EXPECT_EQ(error_of<ApiError>([&] { engine().send(kGet, {}); }), "told so");
}

TEST_F(EngineTest, WaitsAsLongAsTheServerAsks) {
  transport->answers(status(429, "TooManyRequests", {{"Retry-After", "4"}}));
  transport->answers(json_answer(200, "{}"));
  engine().send(kGet, {});
  EXPECT_GE(passed(), 4s);
  EXPECT_LT(passed(), 5s);
}

TEST_F(EngineTest, WithoutAWordFromTheServerPausesDouble) {
  for (int i = 0; i < 4; ++i) transport->answers({.status = 503});
  transport->answers(json_answer(200, "{}"));
  engine({.retry = {.first = 100ms, .jitter = 0}}).send(kGet, {});
  EXPECT_EQ(passed(), 1500ms);
}

TEST_F(EngineTest, GivesUpAfterItsAttemptsWithTheLastAnswer) {
  for (int i = 0; i < 3; ++i) transport->answers(status(429, "TooManyRequests"));
  EXPECT_EQ(error_of<ApiError>([&] { engine({.retry = {.attempts = 3}}).send(kGet, {}); }), "told so");
  EXPECT_EQ(tries(), 3U);
}

TEST_F(EngineTest, APauseThatWouldPassTheDeadlineIsNotBegun) {
  transport->answers(status(429, "TooManyRequests", {{"Retry-After", "60"}}));
  EXPECT_EQ(error_of<ApiError>([&] { engine({.timeout = 30s}).send(kGet, {}); }), "told so");
  EXPECT_EQ(passed(), 0s);
}

TEST_F(EngineTest, RepeatsWhatMayBeRepeatedAfterABrokenConnection) {
  transport->breaks(NetKind::kReset);
  transport->breaks(NetKind::kTimeout);
  transport->answers(json_answer(200, "{}"));
  const Answer answer = engine().send(kGet, {});
  EXPECT_TRUE(answer.sent_before);
}

TEST_F(EngineTest, AnAnswerThatIsCutOffIsABrokenConnection) {
  transport->does([](const net::Request&, const Stop&) -> net::Response { throw net::ProtocolError("cut off"); });
  transport->answers(json_answer(200, "{}"));
  EXPECT_EQ(engine().send(kGet, {}).response.status, 200);
}

TEST_F(EngineTest, APostIsNotRepeatedWhenItMayHaveArrived) {
  transport->breaks(NetKind::kReset);
  EXPECT_THAT(error_of<net::NetError>([&] { engine().send(kPost, {}); }),
              HasSubstr("POST /api/v1/pods: the connection to server:6443 broke"));
  EXPECT_EQ(tries(), 1U);
  transport->answers({.status = 503});
  transport->answers({.status = 504});
  EXPECT_THROW(engine().send(kPost, {}), ApiError);
  EXPECT_THROW(engine().send(kPost, {}), ApiError);
}

TEST_F(EngineTest, APostIsRepeatedWhenNothingWasDone) {
  transport->breaks(NetKind::kConnect);
  transport->answers(status(429, "TooManyRequests"));
  transport->answers(status(500, "ServerTimeout"));
  transport->answers(status(503, "ServiceUnavailable", {{"Retry-After", "1"}}));
  transport->answers(json_answer(201, "{}"));
  const Answer answer = engine().send(kPost, {});
  EXPECT_EQ(answer.response.status, 201);
}

TEST_F(EngineTest, ARefusedConnectionIsGivenUpSoonAndSaysHowOftenItWasTried) {
  for (int i = 0; i < 4; ++i) transport->breaks(NetKind::kConnect);
  EXPECT_THAT(error_of<net::NetError>([&] { engine().send(kGet, {}); }), HasSubstr("(tried 4 times)"));
  EXPECT_LT(passed(), 2s);
}

TEST_F(EngineTest, AWrongCertificateIsNotTriedAgain) {
  transport->breaks(NetKind::kTls);
  EXPECT_THROW(engine().send(kGet, {}), net::NetError);
  EXPECT_EQ(tries(), 1U);
}

TEST_F(EngineTest, AnEvictionThatIsForbiddenForNowIsAnAnswer) {
  transport->answers(status(429, "TooManyRequests", {{"Retry-After", "10"}}));
  Call call = kPost;
  call.busy_is_an_answer = true;
  EXPECT_THROW(engine().send(call, {}), ApiError);
  EXPECT_EQ(passed(), 0s);
}

TEST_F(EngineTest, AnErrorOfTheServerItselfIsNotRepeated) {
  transport->answers(status(500, "InternalError"));
  EXPECT_THROW(engine().send(kGet, {}), ApiError);
  EXPECT_EQ(tries(), 1U);
}

// Answers nothing until the request is stopped.
net::Response silence(ManualClock& clock, const Stop& stop) {
  clock.jump(stop.deadline() - clock.now());
  stop.throw_if_stopped();
  return {};
}

TEST_F(EngineTest, TheClientsTimeoutIsAnErrorThatNamesTheRequest) {
  transport->does([&](const net::Request&, const Stop& stop) { return silence(clock, stop); });
  EXPECT_EQ(error_of<net::NetError>([&] { engine({.timeout = 5s}).send(kGet, {}); }),
            "GET /api/v1/pods: no answer within the client's timeout of 5s");
}

TEST_F(EngineTest, TheCallersDeadlineIsTheCallers) {
  transport->does([&](const net::Request&, const Stop& stop) { return silence(clock, stop); });
  const Stop stop = Stop().with_deadline(clock, clock.after(2s));
  EXPECT_THROW(engine({.timeout = 5s}).send(kGet, stop), Stopped);
  EXPECT_EQ(passed(), 2s);
}

TEST_F(EngineTest, ACallersDeadlineMayBeLaterThanTheClientsTimeout) {
  transport->does([&](const net::Request&, const Stop& stop) { return silence(clock, stop); });
  const Stop stop = Stop().with_deadline(clock, clock.after(1min));
  EXPECT_THROW(engine({.timeout = 5s}).send(kGet, stop), Stopped);
  EXPECT_EQ(passed(), 1min);
}

TEST_F(EngineTest, CountsEveryTry) {
  transport->answers({.status = 503});
  transport->breaks(NetKind::kReset);
  transport->answers(json_answer(200, "{}"));
  engine().send(kGet, {});
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr(R"(flyball_client_requests_total{verb="get",code="200"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(flyball_client_requests_total{verb="get",code="503"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(flyball_client_requests_total{verb="get",code="fault"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(flyball_client_retries_total{verb="get"} 2)"));
  EXPECT_THAT(text, HasSubstr(R"(flyball_client_request_seconds_count{verb="get"} 3)"));
}

TEST_F(EngineTest, LogsALinePerRequestWithoutSecrets) {
  Call call = kGet;
  call.request.target = "/api/v1/pods?limit=5&continue=abcdef&token=hunter2";
  call.request.headers = {{"Authorization", "Bearer hunter2"}};
  transport->answers(json_answer(200, "{\"password\":\"hunter2\"}"));
  engine().send(call, {});
  const std::string log = sink.take();
  EXPECT_THAT(log, HasSubstr("/api/v1/pods?limit=5&continue=…&token=[redacted]"));
  EXPECT_THAT(log, HasSubstr("GET"));
  EXPECT_THAT(log, HasSubstr("200"));
  EXPECT_THAT(log, Not(HasSubstr("hunter2")));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1);
}

TEST_F(EngineTest, WarningsGoToTheLogOnce) {
  Engine one = engine();
  const net::Headers warning = {{"Warning", R"(299 - "v1 ComponentStatus is \"old\"")"}};
  transport->answers(json_answer(200, "{}", warning));
  transport->answers(json_answer(200, "{}", warning));
  one.send(kGet, {});
  EXPECT_THAT(sink.take(), HasSubstr("v1 ComponentStatus is"));
  one.send(kGet, {});
  EXPECT_THAT(sink.take(), Not(HasSubstr("ComponentStatus")));
}

TEST_F(EngineTest, WarningsGoWhereTheyAreWanted) {
  std::vector<std::string> seen;
  transport->answers(
      json_answer(200, "{}", {{"Warning", R"(299 - "unknown field \"a\"")"}, {"Warning", "299 - \"b\""}}));
  engine({.on_warning = [&](std::string_view text) { seen.emplace_back(text); }}).send(kGet, {});
  EXPECT_THAT(seen, testing::ElementsAre("unknown field \"a\"", "b"));
}

TEST_F(EngineTest, KeepsToARateWhenItIsGivenOne) {
  for (int i = 0; i < 5; ++i) transport->answers(json_answer(200, "{}"));
  Engine one = engine({.rate_limit = {.per_second = 2, .burst = 3}});
  for (int i = 0; i < 3; ++i) one.send(kGet, {});
  EXPECT_EQ(passed(), 0s);
  for (int i = 0; i < 2; ++i) one.send(kGet, {});
  EXPECT_EQ(passed(), 1s);
}

TEST_F(EngineTest, AStreamThatIsRefusedIsAnApiError) {
  transport->answers(status(410, "Expired"));
  EXPECT_EQ(error_of<ApiError>([&] { engine().open(kGet, {}); }), "told so");
}

}  // namespace
}  // namespace flyball::client
