#include "flyball/client/logs.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/condition.hpp"
#include "flyball/client/detail/pod_api_for_test.hpp"
#include "flyball/client/detail/scripted_transport_for_test.hpp"

namespace flyball::client {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

class PodLog : public detail::PodApi {
 public:
  Client serve_text(std::string text) {
    return serve([text = std::move(text)](const net::Request&, net::ResponseWriter& writer) {
      writer.send({.headers = {{"Content-Type", "text/plain"}}, .body = text});
    });
  }
};

TEST_F(PodLog, AreGivenLineByLine) {
  const Client client = serve_text("one\ntwo\n\nfour without an end");
  std::vector<std::string> lines;
  // [snippet: logs]
  for (const std::string& line : pod_logs(client, {"shop", "web-1"}, {.container = "web", .tail_lines = 100})) {
    lines.push_back(line);
  }
  // [end]
  EXPECT_THAT(lines, ElementsAre("one", "two", "", "four without an end"));
  EXPECT_EQ(target(), "/api/v1/namespaces/shop/pods/web-1/log?container=web&tailLines=100");
  EXPECT_EQ(pod_log_text(client, {"", "web-1"}), "one\ntwo\n\nfour without an end");
  EXPECT_EQ(target(), "/api/v1/namespaces/shop/pods/web-1/log") << "the client's namespace";
}

TEST_F(PodLog, EveryOptionReachesTheServer) {
  const Client client = serve_text("");
  PodLogs logs = pod_logs(client, {"a", "b"},
                          {.container = "c",
                           .follow = true,
                           .previous = true,
                           .timestamps = true,
                           .tail_lines = 0,
                           .since = 90s,
                           .since_time = kube::Time::from_unix(0),
                           .limit_bytes = 1000,
                           .stream = "Stderr"});
  EXPECT_EQ(logs.next_line(), std::nullopt);
  EXPECT_EQ(logs.next_line(), std::nullopt) << "and stays so";
  EXPECT_EQ(target(),
            "/api/v1/namespaces/a/pods/b/log?container=c&follow=true&previous=true&timestamps=true&tailLines=0"
            "&sinceSeconds=90&sinceTime=1970-01-01T00%3A00%3A00Z&limitBytes=1000&stream=Stderr");
}

TEST_F(PodLog, AFollowedLogGivesALineAsSoonAsItIsWholeAndEndsAtTheStop) {
  StopSource reading;
  const Client client = serve([&](const net::Request&, net::ResponseWriter& writer) {
    const Stop stop = writer.stop();
    writer.begin({.body = "first\nhalf of "});
    writer.write("the second\nhalf of the third");
    pause_until(clock, kNever, stop);
  });
  PodLogs logs = pod_logs(client.with(reading.stop()), {"shop", "web-1"}, {.follow = true});
  EXPECT_EQ(logs.next_line(), "first");
  EXPECT_EQ(logs.next_line(), "half of the second");
  reading.request_stop("seen enough");
  EXPECT_THROW((void)logs.next_line(), Stopped);
}

TEST_F(PodLog, ALineWithoutEndComesInPieces) {
  const std::string huge((3U << 20U) + 5, 'x');
  const Client client = serve_text(huge + "\nnext\n");
  std::vector<std::size_t> sizes;
  for (const std::string& line : pod_logs(client, {"shop", "web-1"})) sizes.push_back(line.size());
  EXPECT_THAT(sizes, ElementsAre(1U << 20U, 1U << 20U, 1U << 20U, 5, 4));
}

TEST_F(PodLog, ARefusalIsAnApiErrorWithTheServersWords) {
  const Client client = serve([](const net::Request&, net::ResponseWriter& writer) {
    writer.send({.status = 400,
                 .headers = {{"Content-Type", "application/json"}},
                 .body =
                     R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"BadRequest","code":400,)"
                     R"("message":"a container name must be specified for pod web-1, choose one of: [web side]"})"});
  });
  try {
    (void)pod_logs(client, {"shop", "web-1"});
    FAIL();
  } catch (const ApiError& error) {
    EXPECT_TRUE(error.is_bad_request());
    EXPECT_THAT(error.what(), HasSubstr("choose one of: [web side]"));
  }
}

TEST_F(PodLog, APodWithoutANameIsNotAskedFor) {
  const Client client = serve_text("");
  EXPECT_THROW((void)pod_logs(client, {"shop", ""}), InputError);
}

}  // namespace
}  // namespace flyball::client
