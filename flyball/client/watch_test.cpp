#include "flyball/client/watch.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/api_error.hpp"
#include "flyball/client/detail/scripted_streams_for_test.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_split.hpp"

namespace flyball::client {
namespace {

using namespace std::chrono_literals;
namespace core = kube::core::v1;
using detail::After;
using detail::Reset;
using detail::ScriptedStream;
using detail::Silence;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string object(const std::string& name, const std::string& version, const std::string& more = "") {
  return R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name + R"(","namespace":"shop",)" + more +
         R"("resourceVersion":")" + version + "\"}}";
}
std::string event(const std::string& type, const std::string& name, const std::string& version) {
  return R"({"type":")" + type + R"(","object":)" + object(name, version) + "}\n";
}
std::string bookmark(const std::string& version) { return event("BOOKMARK", "", version); }
std::string end_of_initial(const std::string& version) {
  return R"({"type":"BOOKMARK","object":)" +
         object("", version, R"("annotations":{"k8s.io/initial-events-end":"true"},)") + "}\n";
}
std::string status(int code, const std::string& reason, const std::string& details = "{}") {
  return R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"the words of the server","reason":")" +
         reason + R"(","details":)" + details + R"(,"code":)" + std::to_string(code) + "}\n";
}
std::string error_event(int code, const std::string& reason) {
  return R"({"type":"ERROR","object":)" + status(code, reason) + "}\n";
}
std::string item(const std::string& name, const std::string& version) {
  return R"({"metadata":{"name":")" + name + R"(","resourceVersion":")" + version + R"("},"data":{"a":"b"}})";
}
std::string list(const std::string& version, const std::string& items, const std::string& page_token = "") {
  return R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":")" + version +
         R"(","continue":")" + page_token + R"("},"items":[)" + items + "]}";
}

class WatchTest : public testing::Test {
 public:
  WatchTest() { me.bind(); }

  Watch make(WatchOptions options = {}) {
    options.resource = resource_of<core::ConfigMap>();
    options.resource.protobuf = false;
    return {transport, clock, random, std::move(options)};
  }

  // Everything the watch says until the script has ended: "added a@7".
  std::vector<std::string> collect(Watch& watch) {
    std::vector<std::string> seen;
    while (const WatchEvent* event = watch.next(transport.over.stop())) {
      std::string text(to_string(event->kind));
      if (!event->object.empty()) text += " " + std::string(event->metadata.name);
      if (!event->resource_version.empty()) text += "@" + std::string(event->resource_version);
      seen.push_back(text);
    }
    return seen;
  }
  std::vector<std::string> run(std::deque<ScriptedStream> script, WatchOptions options = {}) {
    transport.answers = std::move(script);
    Watch watch = make(std::move(options));
    return collect(watch);
  }
  // A watch that begins at version 5.
  std::vector<std::string> run_from_5(std::deque<ScriptedStream> script) {
    return run(std::move(script), {.resource_version = "5"});
  }
  const std::string& target(std::size_t request) const { return transport.requests.at(request).target; }
  Duration between(std::size_t a, std::size_t b) const { return transport.times.at(b) - transport.times.at(a); }

  ManualClock clock{{.auto_advance = true}};
  Participant me{clock, "test"};
  Random random{7};
  detail::ScriptedStreams transport{clock};
};

// On the page docs/watch.md

TEST_F(WatchTest, ATypedLoopIsAllItTakes) {
  transport.answers = {{.body = {event("ADDED", "a", "3"), end_of_initial("10"), event("DELETED", "a", "11")}}};
  const Stop stop = transport.over.stop();
  std::vector<std::string> seen;
  // [snippet: typed]
  TypedWatch<core::ConfigMap> watch(transport, clock, random, {.namespace_ = "shop", .labels = {{"app", "web"}}});
  while (const auto event = watch.next(stop)) {
    if (event->kind() == WatchEvent::Kind::added) seen.push_back("there is " + event->object().metadata.name);
    if (event->kind() == WatchEvent::Kind::deleted) seen.push_back("gone is " + std::string(event->metadata().name));
  }
  // [end]
  EXPECT_THAT(seen, ElementsAre("there is a", "gone is a"));
}

TEST_F(WatchTest, ACopyIsKeptByMarkingAndSweeping) {
  transport.answers = {{.body = {event("ADDED", "a", "3"), event("ADDED", "b", "4"), end_of_initial("10"),
                                 event("DELETED", "b", "11"), event("ADDED", "c", "12"), error_event(410, "Expired")}},
                       {.body = {event("ADDED", "c", "12"), end_of_initial("20")}}};
  Watch watch = make();
  const Stop stop = transport.over.stop();
  // [snippet: copy]
  struct Kept {
    std::string bytes;
    bool marked = true;
  };
  std::map<kube::ObjectKey, Kept> copy;
  while (const WatchEvent* event = watch.next(stop)) {
    switch (event->kind) {
      case WatchEvent::Kind::resync_begin:
        for (auto& [key, kept] : copy) kept.marked = false;
        break;
      case WatchEvent::Kind::added:
      case WatchEvent::Kind::modified: copy[event->key()] = {std::string(event->object)}; break;
      case WatchEvent::Kind::deleted: copy.erase(event->key()); break;
      case WatchEvent::Kind::synced: std::erase_if(copy, [](const auto& entry) { return !entry.second.marked; }); break;
      case WatchEvent::Kind::bookmark: break;  // event->resource_version is a good place to begin from next time
    }
  }
  // [end]
  EXPECT_THAT(copy, testing::UnorderedElementsAre(testing::Key(kube::ObjectKey{"shop", "c"})));
}

TEST_F(WatchTest, ARefusalCanBeReportedAndTheWatchGoneOnWith) {
  transport.answers = {{.body = {status(404, "NotFound")}, .status = 404}, {.body = {end_of_initial("9")}}};
  Watch watch = make();
  const Stop stop = transport.over.stop();
  std::vector<std::string> reports;
  bool synced = false;
  // [snippet: refusal]
  while (!stop.stopped()) {
    try {
      while (const WatchEvent* event = watch.next(stop)) synced = synced || event->kind == WatchEvent::Kind::synced;
    } catch (const ApiError& error) {
      reports.emplace_back(error.what());  // not allowed, or not installed: the next call tries again, after a pause
    }
  }
  // [end]
  EXPECT_TRUE(synced);
  EXPECT_THAT(reports, ElementsAre("the words of the server"));
}

// The present state

TEST_F(WatchTest, WatchListStreamsThePresentStateInAndGoesOn) {
  EXPECT_THAT(run({{.body = {event("ADDED", "a", "3"), event("ADDED", "b", "2"), end_of_initial("10"),
                             event("MODIFIED", "a", "11"), event("DELETED", "b", "12")}}}),
              ElementsAre("resync_begin", "added a@3", "added b@2", "synced@10", "modified a@11", "deleted b@12"));
  EXPECT_THAT(target(0), AllOf(HasSubstr("watch=true"), HasSubstr("sendInitialEvents=true"),
                               HasSubstr("resourceVersionMatch=NotOlderThan"), HasSubstr("allowWatchBookmarks=true"),
                               HasSubstr("timeoutSeconds="), Not(HasSubstr("resourceVersion="))));
}

TEST_F(WatchTest, AServerThatRefusesWatchListIsListed) {
  for (const int code : {400, 422}) {
    transport.requests.clear();
    transport.over = StopSource();
    EXPECT_THAT(run({{.body = {status(code, "Invalid")}, .status = code},
                     {.body = {list("10", item("a", "3") + "," + item("b", "2"))}},
                     {.body = {event("ADDED", "c", "11")}}}),
                ElementsAre("resync_begin", "added a@3", "added b@2", "synced@10", "added c@11"));
    EXPECT_THAT(target(1), AllOf(HasSubstr("/api/v1/configmaps?limit=500"), Not(HasSubstr("watch"))));
    EXPECT_THAT(target(2), AllOf(HasSubstr("resourceVersion=10"), Not(HasSubstr("sendInitialEvents"))));
  }
}

TEST_F(WatchTest, AServerThatIgnoresWatchListIsListedOnceItsBookmarkShowsIt) {
  EXPECT_THAT(
      run({{.body = {event("ADDED", "a", "3"), bookmark("9")}},
           {.body = {list("10", item("a", "3"))}},
           {.body = {error_event(410, "Expired")}},
           {.body = {list("20", "")}},
           {.body = {}}}),
      ElementsAre("resync_begin", "added a@3", "resync_begin", "added a@3", "synced@10", "resync_begin", "synced@20"));
  EXPECT_THAT(target(3), Not(HasSubstr("sendInitialEvents"))) << "it is not asked again";
}

TEST_F(WatchTest, AServerThatNeverEndsTheInitialEventsIsListed) {
  EXPECT_THAT(run({{.body = {event("ADDED", "a", "3"), Silence{}}}, {.body = {list("10", item("a", "3"))}}, {}}),
              ElementsAre("resync_begin", "added a@3", "resync_begin", "added a@3", "synced@10"));
  EXPECT_EQ(between(0, 1), 90s);
}

TEST_F(WatchTest, InitialEventsThatAreCutShortBeginAnew) {
  EXPECT_THAT(
      run({{.body = {event("ADDED", "a", "3"), Reset{}}}, {.body = {event("ADDED", "a", "3"), end_of_initial("9")}}}),
      ElementsAre("resync_begin", "added a@3", "resync_begin", "added a@3", "synced@9"));
}

TEST_F(WatchTest, AResyncThatHasGivenNothingYetIsNotAnnouncedTwice) {
  EXPECT_THAT(run({{.refused = true}, {.silent = true}, {.body = {end_of_initial("9")}}}),
              ElementsAre("resync_begin", "synced@9"));
}

TEST_F(WatchTest, PagesAreReadOneAfterTheOtherAndTheWatchBeginsAtTheVersionOfTheFirst) {
  EXPECT_THAT(run({{.body = {list("10", item("a", "1"), "page/2")}},
                   {.body = {list("10", item("b", "2"), "page/3")}},
                   {.body = {list("10", item("c", "3"))}},
                   {.body = {event("ADDED", "d", "11")}}},
                  {.watch_list = false, .page_size = 1}),
              ElementsAre("resync_begin", "added a@1", "added b@2", "added c@3", "synced@10", "added d@11"));
  EXPECT_EQ(target(0), "/api/v1/configmaps?limit=1");
  EXPECT_EQ(target(1), "/api/v1/configmaps?limit=1&continue=page%2F2");
  EXPECT_THAT(target(3), HasSubstr("resourceVersion=10"));
}

TEST_F(WatchTest, ABrokenPageGoesOnWhereItBroke) {
  const std::string second = list("10", item("b", "2") + "," + item("c", "3"));
  const std::size_t cut = second.find("c\"") + 5;
  EXPECT_THAT(run({{.body = {list("10", item("a", "1"), "more")}},
                   {.body = {second.substr(0, cut), Reset{}}},
                   {.body = {second}},
                   {}},
                  {.watch_list = false}),
              ElementsAre("resync_begin", "added a@1", "added b@2", "added c@3", "synced@10"));
  EXPECT_EQ(target(1), target(2));
}

TEST_F(WatchTest, ABrokenFirstPageBeginsAnewForItsVersionIsNotFixed) {
  const std::string first = list("10", item("a", "1") + "," + item("b", "2"));
  EXPECT_THAT(
      run({{.body = {first.substr(0, first.size() - 20), Reset{}}}, {.body = {first}}, {}}, {.watch_list = false}),
      ElementsAre("resync_begin", "added a@1", "resync_begin", "added a@1", "added b@2", "synced@10"));
}

TEST_F(WatchTest, APageThatExpiredMakesTheNextListWhole) {
  EXPECT_THAT(run({{.body = {list("10", item("a", "1"), "more")}},
                   {.body = {status(410, "Expired")}, .status = 410},
                   {.body = {list("20", item("a", "1"))}},
                   {}},
                  {.watch_list = false}),
              ElementsAre("resync_begin", "added a@1", "resync_begin", "added a@1", "synced@20"));
  EXPECT_EQ(target(2), "/api/v1/configmaps");
}

TEST_F(WatchTest, AListWithoutAVersionIsNotBelieved) {
  EXPECT_THAT(run({{.body = {list("", "")}}, {.body = {list("10", "")}}, {}}, {.watch_list = false}),
              ElementsAre("resync_begin", "synced@10"));
}

// Going on

TEST_F(WatchTest, BookmarksMoveThePlaceToGoOnFrom) {
  EXPECT_THAT(run_from_5({{.body = {bookmark("7"), Reset{}}}, {.body = {event("ADDED", "a", "8")}}}),
              ElementsAre("bookmark@7", "added a@8"));
  EXPECT_THAT(target(0), HasSubstr("resourceVersion=5"));
  EXPECT_THAT(target(1), HasSubstr("resourceVersion=7"));
}

TEST_F(WatchTest, AResetInTheMiddleOfAnEventLosesAndDoublesNothing) {
  const std::string second = event("MODIFIED", "a", "7");
  EXPECT_THAT(run_from_5({{.body = {event("ADDED", "a", "6") + second.substr(0, 30), Reset{}}},
                          {.body = {second, event("DELETED", "a", "8")}}}),
              ElementsAre("added a@6", "modified a@7", "deleted a@8"));
  EXPECT_THAT(target(1), HasSubstr("resourceVersion=6"));
}

TEST_F(WatchTest, AStreamThatEndsWithinAnEventIsABreak) {
  const std::string second = event("MODIFIED", "a", "7");
  EXPECT_THAT(run_from_5({{.body = {event("ADDED", "a", "6") + second.substr(0, 30)}}, {.body = {second}}}),
              ElementsAre("added a@6", "modified a@7"));
}

TEST_F(WatchTest, EventsBeforeGarbageCountAndTheRestIsAskedForAgain) {
  EXPECT_THAT(run_from_5({{.body = {event("ADDED", "a", "6") + "<html>" + event("ADDED", "x", "9")}},
                          {.body = {event("ADDED", "b", "7")}}}),
              ElementsAre("added a@6", "added b@7"));
  EXPECT_THAT(target(1), HasSubstr("resourceVersion=6"));
}

TEST_F(WatchTest, AnAnswerThatIsNoneOfKubernetesIsNotRead) {
  EXPECT_THAT(run_from_5({{.body = {"<html>log in</html>"}, .content_type = "text/html"}, {.body = {bookmark("6")}}}),
              ElementsAre("bookmark@6"));
}

TEST_F(WatchTest, TheServersTimeoutIsNoFailure) {
  EXPECT_THAT(run_from_5({{.body = {After{60s, bookmark("6")}, After{60s, bookmark("6")}}}, {.body = {bookmark("7")}}}),
              ElementsAre("bookmark@6", "bookmark@6", "bookmark@7"));
  EXPECT_EQ(between(0, 1), 120s) << "without a pause";
}

TEST_F(WatchTest, AStreamThatEndsAtOnceIsAFailureAndNotTriedInAHurry) {
  run_from_5({{}, {}, {}, {}, {}, {}, {}, {}, {}, {}});
  EXPECT_GE(between(0, 1), 500ms);
  EXPECT_LT(between(0, 1), 1s);
  EXPECT_GE(between(1, 2), 1s);
  EXPECT_GE(between(8, 9), 30s) << "the longest pause";
  EXPECT_LE(between(8, 9), 60s);
}

TEST_F(WatchTest, ProgressMakesPausesShortAgain) {
  run_from_5({{.refused = true}, {.refused = true}, {.refused = true}, {.body = {bookmark("6"), Reset{}}}, {}});
  EXPECT_GE(between(2, 3), 2s);
  EXPECT_LT(between(3, 4), 1s);
}

TEST_F(WatchTest, AStreamIsAskedToLiveForFiveToTenMinutes) {
  std::vector<long> lives;
  std::deque<ScriptedStream> script(20);
  run_from_5(std::move(script));
  for (const net::Request& request : transport.requests) {
    const std::size_t at = request.target.find("timeoutSeconds=") + 15;
    lives.push_back(std::stol(request.target.substr(at)));
  }
  EXPECT_THAT(lives, testing::Each(AllOf(testing::Ge(300), testing::Lt(600))));
  EXPECT_GT(*std::max_element(lives.begin(), lives.end()) - *std::min_element(lives.begin(), lives.end()), 60)
      << "not all of them at the same time";
}

// History that is gone

TEST_F(WatchTest, AnErrorEventOfExpiredHistoryResyncs) {
  EXPECT_THAT(run_from_5({{.body = {event("ADDED", "a", "6"), error_event(410, "Expired")}},
                          {.body = {event("ADDED", "b", "19"), end_of_initial("20")}},
                          {.body = {bookmark("21")}}}),
              ElementsAre("added a@6", "resync_begin", "added b@19", "synced@20", "bookmark@21"));
  EXPECT_EQ(between(0, 1), 0s);
}

TEST_F(WatchTest, AnAnswer410Resyncs) {
  EXPECT_THAT(run_from_5({{.body = {status(410, "Gone")}, .status = 410}, {.body = {end_of_initial("20")}}}),
              ElementsAre("resync_begin", "synced@20"));
}

TEST_F(WatchTest, AfterAnOutageAnAnswer410CostsNoPauseOfItsOwn) {
  const ScriptedStream down{.body = {status(503, "ServiceUnavailable")}, .status = 503};
  EXPECT_THAT(run_from_5({down,
                          down,
                          down,
                          down,
                          {.body = {status(410, "Expired")}, .status = 410},
                          {.body = {end_of_initial("20")}}}),
              ElementsAre("resync_begin", "synced@20"));
  EXPECT_EQ(between(4, 5), 0s);
}

TEST_F(WatchTest, AStreamThatLivedForgetsTheTroubleBeforeItThoughNothingHappened) {
  const ScriptedStream down{.body = {status(503, "ServiceUnavailable")}, .status = 503};
  const ScriptedStream quiet{.body = {After{10s, "\n"}, Reset{}}};
  EXPECT_THAT(run_from_5({down, down, down, down, down, down, quiet, {.body = {end_of_initial("20")}}}),
              ElementsAre("bookmark@20"));
  EXPECT_LE(between(6, 7), 11s) << "the pause of a first failure";
}

TEST_F(WatchTest, AServerThatAlwaysSays410IsNotAskedInAHurry) {
  const ScriptedStream gone{.body = {status(410, "Expired")}, .status = 410};
  const ScriptedStream state{.body = {end_of_initial("20"), Reset{}}};
  run_from_5({gone, state, gone, state, gone, state, gone, state, gone});
  EXPECT_GT(between(4, 8), 10s);
}

TEST_F(WatchTest, AVersionTheServerHasNotComeToResyncs) {
  EXPECT_THAT(run_from_5({{.body = {status(504, "Timeout", R"({"causes":[{"reason":"ResourceVersionTooLarge"}]})")},
                           .status = 504},
                          {.body = {end_of_initial("2")}}}),
              ElementsAre("resync_begin", "synced@2"));
}

TEST_F(WatchTest, AnotherErrorEventGoesOnAndAfterTheThirdResyncs) {
  const ScriptedStream error{.body = {error_event(500, "InternalError")}};
  EXPECT_THAT(run_from_5({error, error, error, {.body = {end_of_initial("20")}}}),
              ElementsAre("resync_begin", "synced@20"));
  EXPECT_THAT(target(2), HasSubstr("resourceVersion=5"));
  EXPECT_THAT(target(3), HasSubstr("sendInitialEvents"));
}

TEST_F(WatchTest, AnErrorEventInProtobufIsUnderstood) {
  const std::string gone = kube::to_protobuf(kube::meta::v1::Status{.reason = "Expired", .code = 410});
  EXPECT_THAT(run_from_5({{.body = {kube::make_watch_frame("ERROR", gone)},
                           .content_type = "application/vnd.kubernetes.protobuf;stream=watch"},
                          {.body = {end_of_initial("20")}}}),
              ElementsAre("resync_begin", "synced@20"));
}

// Peers that are gone without a word

TEST_F(WatchTest, ASilentPeerIsLeftWithinTheIdleTimeoutAndNothingIsLost) {
  EXPECT_THAT(run_from_5({{.body = {event("ADDED", "a", "6"), Silence{}}}, {.body = {event("ADDED", "b", "7")}}}),
              ElementsAre("added a@6", "added b@7"));
  EXPECT_EQ(between(0, 1), 90s);
  EXPECT_THAT(target(1), HasSubstr("resourceVersion=6"));
}

TEST_F(WatchTest, BookmarksKeepAWatchAlive) {
  EXPECT_THAT(run_from_5({{.body = {After{80s, bookmark("6")}, After{80s, bookmark("6")}, After{80s, bookmark("6")}}}}),
              ElementsAre("bookmark@6", "bookmark@6", "bookmark@6"));
  EXPECT_EQ(transport.requests.size(), 1U);
}

TEST_F(WatchTest, APeerThatDribblesBytesButNoEventIsLeftToo) {
  std::vector<detail::BodyStep> drip;
  for (int i = 0; i < 100; ++i) drip.emplace_back(After{10s, i == 0 ? "{" : " "});
  run_from_5({{.body = drip}, {}});
  EXPECT_EQ(between(0, 1), 90s);
}

TEST_F(WatchTest, AnAnswerThatNeverComesIsLeftToo) {
  run_from_5({{.silent = true}, {}});
  EXPECT_GE(between(0, 1), 90s);
  EXPECT_LE(between(0, 1), 91s);
}

TEST_F(WatchTest, AConsumerThatTakesItsTimeIsNotTheServersSilence) {
  transport.answers = {{.body = {event("ADDED", "a", "6"), event("ADDED", "b", "7")}}};
  Watch watch = make({.resource_version = "5"});
  ASSERT_NE(watch.next({}), nullptr);
  clock.advance(1h);
  ASSERT_NE(watch.next({}), nullptr);
  EXPECT_EQ(transport.requests.size(), 1U);
}

TEST_F(WatchTest, AfterThreeStreamsWithoutAWordThePresentStateIsReadAgain) {
  const ScriptedStream silent{.body = {Silence{}}};
  EXPECT_THAT(run_from_5({silent, silent, silent, {.body = {end_of_initial("2")}}}),
              ElementsAre("resync_begin", "synced@2"));
}

// Refusals

TEST_F(WatchTest, ARefusalAtTheBeginningIsThrown) {
  transport.answers = {{.body = {status(403, "Forbidden")}, .status = 403}, {.body = {end_of_initial("9")}}};
  Watch watch = make();
  EXPECT_EQ(watch.next({})->kind, WatchEvent::Kind::resync_begin);
  try {
    (void)watch.next({});
    FAIL() << "expected ApiError";
  } catch (const ApiError& error) {
    EXPECT_TRUE(error.is_forbidden());
    EXPECT_THAT(error.what(), HasSubstr("the words of the server"));
  }
  EXPECT_THAT(watch.status().trouble, HasSubstr("the words of the server"));
  EXPECT_EQ(watch.next({})->kind, WatchEvent::Kind::synced) << "the next call tries again";
  EXPECT_GE(between(0, 1), 500ms);
  EXPECT_EQ(watch.status().trouble, "");
}

TEST_F(WatchTest, ARefusalAfterItWorkedIsThrownOnlyWhenItGoesOnForAMinute) {
  transport.answers = {{.body = {bookmark("6"), Reset{}}}};
  for (int i = 0; i < 20; ++i) transport.answers.push_back({.body = {status(403, "Forbidden")}, .status = 403});
  Watch watch = make({.resource_version = "5"});
  ASSERT_NE(watch.next({}), nullptr);
  EXPECT_THROW((void)watch.next({}), ApiError);
  EXPECT_GE(transport.times.back() - transport.times[1], 60s);
  EXPECT_LE(transport.times.back() - transport.times[1], 120s);
}

TEST_F(WatchTest, AnOverloadedServerIsGivenTheTimeItAsksFor) {
  EXPECT_THAT(run({{.body = {status(429, "TooManyRequests")}, .status = 429, .retry_after = "20"},
                   {.body = {status(503, "ServiceUnavailable")}, .status = 503},
                   {.body = {end_of_initial("9")}}}),
              ElementsAre("resync_begin", "synced@9"));
  EXPECT_GE(between(0, 1), 20s);
  EXPECT_LE(between(0, 1), 22s);
}

// Stopping

TEST_F(WatchTest, AStopEndsTheWaitAndLosesNothing) {
  transport.answers = {{.body = {event("ADDED", "a", "6"), After{20s, event("ADDED", "b", "7")}}}};
  Watch watch = make({.resource_version = "5"});
  ASSERT_NE(watch.next({}), nullptr);
  EXPECT_EQ(watch.next(Stop().with_deadline(clock, clock.after(15s))), nullptr);
  const WatchEvent* event = watch.next({});
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->metadata.name, "b");
  EXPECT_EQ(transport.requests.size(), 1U) << "on the same stream";
}

TEST_F(WatchTest, AStopEndsAPauseToo) {
  transport.answers = {{.refused = true}, {.body = {bookmark("6")}}};
  Watch watch = make({.resource_version = "5"});
  EXPECT_EQ(watch.next(Stop().with_deadline(clock, clock.after(10ms))), nullptr);
  ASSERT_NE(watch.next({}), nullptr);
  EXPECT_GE(between(0, 1), 500ms) << "the pause is kept";
}

TEST_F(WatchTest, AStoppedStopGivesNothing) {
  transport.over.request_stop();
  EXPECT_THAT(run({{.body = {end_of_initial("9")}}}), ElementsAre());
  EXPECT_TRUE(transport.requests.empty());
}

// What is asked for, and in which form it comes

TEST_F(WatchTest, ScopeAndSelectorsAreAskedFor) {
  run({{}}, {.namespace_ = "shop",
             .name = "web",
             .labels = {{"app", "web"}},
             .selector = kube::Selector::parse("tier in (a,b)"),
             .fields = kube::FieldSelector::parse("type!=x")});
  EXPECT_THAT(target(0), HasSubstr("/api/v1/namespaces/shop/configmaps?"));
  EXPECT_THAT(target(0), HasSubstr("labelSelector=app%3Dweb%2Ctier%20in%20%28a%2Cb%29"));
  EXPECT_THAT(target(0), HasSubstr("fieldSelector=type%21%3Dx%2Cmetadata.name%3Dweb"));
}

TEST_F(WatchTest, OptionsThatCannotBeAreRefused) {
  EXPECT_THROW((void)make({.selector = kube::Selector::nothing()}), InputError);
  EXPECT_THROW(Watch(transport, clock, random, {}), InputError);
  EXPECT_THROW(Watch(transport, clock, random, {.resource = resource_of<core::Node>(), .namespace_ = "a"}), InputError);
}

TEST_F(WatchTest, ObjectsDecodeFromWhateverTheyCameIn) {
  const core::ConfigMap map{.metadata = {.name = "p", .resourceVersion = "7"}, .data = {{"a", "b"}}};
  core::ConfigMapList maps{.metadata = {.resourceVersion = "6"}, .items = {map}};
  const std::string protobuf = "application/vnd.kubernetes.protobuf";
  transport.answers = {
      {.body = {status(422, "Invalid")}, .status = 422},
      {.body = {kube::to_protobuf(maps)}, .content_type = protobuf},
      {.body = {kube::make_watch_frame("ADDED", kube::to_protobuf(map))}, .content_type = protobuf + ";stream=watch"},
      {.body = {status(410, "Expired")}, .status = 410},
      {.body = {status(422, "Invalid")}, .status = 422},
      {.body = {list("10", item("j", "3"))}},
      {.body = {event("ADDED", "k", "11")}}};
  TypedWatch<core::ConfigMap> watch(transport, clock, random);
  std::vector<std::string> seen;
  while (const auto event = watch.next(transport.over.stop())) {
    if (event->kind() != WatchEvent::Kind::added) continue;
    const core::ConfigMap object = event->object();
    const json::Value dynamic = to_json(event->raw());
    EXPECT_EQ(object.metadata.name, event->metadata().name);
    EXPECT_EQ(dynamic["metadata"]["name"].as_string(), object.metadata.name);
    EXPECT_EQ(dynamic["kind"].as_string(), "ConfigMap");
    EXPECT_EQ(dynamic["apiVersion"].as_string(), "v1");
    EXPECT_EQ(event->metadata().kind, "ConfigMap");
    seen.push_back(object.metadata.name + object.metadata.resourceVersion);
  }
  EXPECT_THAT(seen, ElementsAre("p7", "p7", "j3", "k11"));
  EXPECT_EQ(transport.requests[0].headers.get("Accept"), "application/vnd.kubernetes.protobuf,application/json");
}

TEST_F(WatchTest, MetadataOnlyAsksForPartialObjects) {
  run({{.body = {status(422, "Invalid")}, .status = 422}, {.body = {list("1", "")}}, {}}, {.extent = Extent::metadata});
  EXPECT_EQ(transport.requests[0].headers.get("Accept"),
            "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
  EXPECT_THAT(std::string(transport.requests[1].headers.get("Accept")), HasSubstr(";as=PartialObjectMetadataList;"));
}

// What it tells

TEST_F(WatchTest, MetricsCountEventsAndRestartsAndShowTheAge) {
  Metrics metrics;
  transport.answers = {{.body = {event("ADDED", "a", "6"), Silence{}}}, {.body = {bookmark("7"), Silence{}}}};
  Watch watch = make({.namespace_ = "shop", .resource_version = "5", .metrics = &metrics});
  const Watch twin = make({.namespace_ = "shop", .resource_version = "5", .metrics = &metrics});
  (void)watch.next({});
  (void)watch.next({});
  (void)watch.next(Stop().with_deadline(clock, clock.after(12s)));
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr(R"(flyball_watch_events_total{resource="configmaps",type="added"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(flyball_watch_events_total{resource="configmaps",type="bookmark"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(flyball_watch_restarts_total{resource="configmaps",reason="silent"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(flyball_watch_age_seconds{resource="configmaps",scope="namespace shop"} 12)"));
  EXPECT_THAT(text, HasSubstr(R"(flyball_watch_age_seconds{resource="configmaps",scope="namespace shop#2"} 102)"));
}

TEST_F(WatchTest, TheLogSaysWhatHappenedAndWhatIsDone) {
  CapturingSink sink;
  const auto core = std::make_shared<LogCore>(clock, sink, LogCore::Options{.levels = "debug"});
  run({{.body = {event("ADDED", "a", "6"), end_of_initial("8"), Reset{}}}, {.body = {error_event(410, "Expired")}}},
      {.namespace_ = "shop", .log = Logger(core, "client")});
  const std::string log = sink.take();
  EXPECT_THAT(log, AllOf(HasSubstr("synced"), HasSubstr("configmaps"), HasSubstr("namespace shop")));
  EXPECT_THAT(log, AllOf(HasSubstr("the watch broke off"), HasSubstr("the peer broke the connection off"),
                         HasSubstr("next_try_in")));
  EXPECT_THAT(log, HasSubstr("the server no longer has the history to go on"));
}

TEST_F(WatchTest, TheStatusSaysWhetherAllIsWell) {
  transport.answers = {{.body = {end_of_initial("8"), Reset{}}}, {.refused = true}};
  Watch watch = make();
  EXPECT_FALSE(watch.status().synced);
  (void)watch.next({});
  (void)watch.next({});
  EXPECT_TRUE(watch.status().synced);
  EXPECT_EQ(watch.status().trouble, "");
  const TimePoint heard = clock.now();
  EXPECT_EQ(watch.next(transport.over.stop()), nullptr);
  EXPECT_THAT(watch.status().trouble, HasSubstr("connection refused"));
  EXPECT_EQ(watch.status().last_heard, heard);
}

}  // namespace
}  // namespace flyball::client
