#include "flyball/runtime/events.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/client/detail/scripted_transport_for_test.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::runtime {
namespace {

using namespace std::chrono_literals;
using client::detail::json_answer;
using ::testing::HasSubstr;

EventNote scaled(const std::string& note = "3 pods run now", const std::string& name = "web") {
  return {.regarding = {.apiVersion = "example.com/v1", .kind = "Memcached", .name = name, .namespace_ = "shop"},
          .reason = "Scaled",
          .note = note};
}

struct EventsTest : ::testing::Test {
  ManualClock clock;
  Random random{1};
  Metrics metrics;
  CapturingSink log;
  client::detail::ScriptedTransport server;
  EventRecorder events{Client(server, clock, random, {.retry = {.attempts = 1}, .protobuf = false}), clock, random,
                       options()};

  EventRecorderOptions options(bool thread = false) {
    return {.controller = "memcached-operator",
            .instance = "pod-1",
            .most_waiting = 30,
            .thread = thread,
            .log = Logger(std::make_shared<LogCore>(clock, log), "runtime"),
            .metrics = &metrics};
  }
  void accept(int times = 1) {
    for (int i = 0; i < times; ++i) server.answers(json_answer(201, "{}"));
  }
  void refuse(int code) {
    server.answers(json_answer(code, R"({"kind":"Status","code":)" + std::to_string(code) + "}"));
  }
  void write_all() {
    while (events.step({})) {
    }
  }
  json::Value sent(std::size_t index) const { return json::parse(server.requests.at(index).body); }
  bool counted(const std::string& result, int times) const {
    return metrics.text().find("flyball_events_total{controller=\"memcached-operator\",result=\"" + result + "\"} " +
                               std::to_string(times) + "\n") != std::string::npos;
  }
};

TEST_F(EventsTest, AnEventIsWrittenBesideItsObjectWithEverythingTheServerAsksFor) {
  accept();
  events.record(scaled());
  EXPECT_TRUE(server.requests.empty()) << "record() does not send";
  write_all();
  const auto event = sent(0);
  EXPECT_EQ(server.requests[0].method, "POST");
  EXPECT_THAT(server.requests[0].target, HasSubstr("/apis/events.k8s.io/v1/namespaces/shop/events"));
  EXPECT_THAT(std::string(event["metadata"]["name"].as_string()), ::testing::MatchesRegex("web\\.[0-9a-f]+"));
  EXPECT_EQ(event["eventTime"].as_string(), "2026-01-01T00:00:00.000000Z");
  EXPECT_EQ(event["reportingController"].as_string(), "memcached-operator");
  EXPECT_EQ(event["reportingInstance"].as_string(), "pod-1");
  EXPECT_EQ(event["action"].as_string(), "Reconciling");
  EXPECT_EQ(event["reason"].as_string(), "Scaled");
  EXPECT_EQ(event["regarding"]["kind"].as_string(), "Memcached");
  EXPECT_EQ(event["note"].as_string(), "3 pods run now");
  EXPECT_EQ(event["type"].as_string(), "Normal");
  EXPECT_FALSE(event["series"].exists());
  EXPECT_TRUE(counted("written", 1));
}

TEST_F(EventsTest, RepetitionsBecomeACountThatIsWrittenNowAndThen) {
  accept(2);
  events.record(scaled());
  write_all();
  for (int i = 0; i < 50; ++i) {
    clock.jump(100ms);
    events.record(scaled());
    write_all();
  }
  EXPECT_EQ(server.requests.size(), 1U);
  EXPECT_EQ(events.next_due() - clock.now(), 5s);
  clock.jump(5s);
  write_all();
  ASSERT_EQ(server.requests.size(), 2U);
  EXPECT_EQ(server.requests[1].method, "PATCH");
  EXPECT_THAT(server.requests[1].target, HasSubstr(std::string(sent(0)["metadata"]["name"].as_string())));
  EXPECT_EQ(sent(1), json::parse(R"({"series":{"count":51,"lastObservedTime":"2026-01-01T00:00:05.000000Z"}})"));
  EXPECT_TRUE(counted("merged", 50));
}

TEST_F(EventsTest, AfterARestItIsANewEvent) {
  accept(2);
  events.record(scaled());
  write_all();
  clock.jump(6min);
  events.record(scaled());
  write_all();
  EXPECT_EQ(server.requests[1].method, "POST");
  EXPECT_NE(sent(0)["metadata"]["name"], sent(1)["metadata"]["name"]);
}

TEST_F(EventsTest, ASeriesWhoseEventHasExpiredIsCreatedAnew) {
  accept();
  events.record(scaled());
  write_all();
  events.record(scaled());
  clock.jump(10s);
  refuse(404);
  accept();
  write_all();
  ASSERT_EQ(server.requests.size(), 3U);
  EXPECT_EQ(server.requests[2].method, "POST");
  EXPECT_EQ(sent(2)["series"]["count"].as_int(), 2);
}

TEST_F(EventsTest, AnObjectThatSpamsIsHeldBackAndOthersAreNot) {
  accept(26);
  for (int i = 0; i < 100; ++i) events.record(scaled("note " + std::to_string(i)));
  events.record(scaled("hello", "other"));
  write_all();
  EXPECT_EQ(server.requests.size(), 26U);
  EXPECT_TRUE(counted("dropped", 75));
  clock.jump(5min);
  accept();
  events.record(scaled("again"));
  write_all();
  EXPECT_EQ(server.requests.size(), 27U);
}

TEST_F(EventsTest, WhatDoesNotFitIsDroppedAndNobodyWaits) {
  for (int i = 0; i < 40; ++i) events.record(scaled("hello", "object-" + std::to_string(i)));
  EXPECT_EQ(events.waiting(), 30U);
  EXPECT_TRUE(counted("dropped", 10));
}

TEST_F(EventsTest, AnEventThatCannotBeSentIsTriedAgainAndThenGivenUp) {
  events.record(scaled());
  for (int i = 0; i < 5; ++i) {
    server.breaks(net::NetError::Kind::kReset);
    EXPECT_TRUE(events.step({}));
    clock.jump(13s);
  }
  EXPECT_FALSE(events.step({}));
  EXPECT_TRUE(counted("failed", 1));
  EXPECT_THAT(log.take(), HasSubstr("an event could not be written"));
}

TEST_F(EventsTest, ARefusalIsNotTriedAgain) {
  refuse(403);
  events.record(scaled());
  write_all();
  EXPECT_EQ(events.waiting(), 0U);
  EXPECT_TRUE(counted("failed", 1));
}

TEST_F(EventsTest, ACreateThatWasDoneThoughItsAnswerWasLostIsNoFailure) {
  server.breaks(net::NetError::Kind::kReset);
  events.record(scaled());
  write_all();
  clock.jump(13s);
  server.answers(json_answer(409, R"({"kind":"Status","reason":"AlreadyExists","code":409})"));
  write_all();
  EXPECT_TRUE(counted("failed", 0));
}

TEST_F(EventsTest, StopWritesWhatWaitsAlsoWhatIsNotDueYetAndTakesNoMore) {
  accept(2);
  events.record(scaled());
  write_all();
  events.record(scaled());
  EXPECT_TRUE(events.stop(clock.after(1s)));
  EXPECT_EQ(server.requests.size(), 2U);
  events.record(scaled("late"));
  EXPECT_EQ(events.waiting(), 0U);
}

TEST_F(EventsTest, TheThreadWritesByItselfAndStopWaitsForIt) {
  accept(2);
  EventRecorder own(Client(server, clock, random, {.protobuf = false}), clock, random, options(true));
  own.record(scaled());
  clock.settle();
  EXPECT_EQ(server.requests.size(), 1U);
  own.record(scaled());
  clock.settle();
  EXPECT_EQ(server.requests.size(), 1U);
  EXPECT_TRUE(own.stop(kNever));
  EXPECT_EQ(server.requests.size(), 2U);
}

TEST_F(EventsTest, LongTextsAreCutBetweenLetters) {
  accept();
  events.record(scaled(std::string(1023, 'x') + "é"));
  write_all();
  EXPECT_EQ(sent(0)["note"].as_string(), std::string(1023, 'x'));
}

TEST_F(EventsTest, ObjectsWithoutNamespaceAndOddNamesHaveEventsToo) {
  accept();
  events.record({.regarding = {.kind = "ClusterRole", .name = "system:admin"}, .reason = "Bound"});
  write_all();
  EXPECT_THAT(server.requests[0].target, HasSubstr("/namespaces/default/"));
  EXPECT_THAT(std::string(sent(0)["metadata"]["name"].as_string()), HasSubstr("event."));
}

TEST_F(EventsTest, AnEventWithoutAReasonIsAMistakeOfTheCaller) {
  EXPECT_THROW(events.record({.regarding = {.kind = "Pod", .name = "web"}}), InputError);
}

}  // namespace
}  // namespace flyball::runtime
